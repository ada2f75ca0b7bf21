import { emailKey } from '@pfq/kit/email-address';
import type { Database } from '@pfq/kit/postgres';
import type { Access, ActingBroker } from '../domain/access.ts';
import type { BrokerStatus, KeyType, Mode } from '../domain/agency.ts';
import { windowsOf } from '../domain/rate-limits.ts';
import type { Count, RateWindow } from '../domain/rate-limits.ts';
import { hashApiKey } from './key-hash.ts';
import type { AccessStore } from './store.ts';

type AccessRow = {
  key_id: string;
  agency_id: string;
  agency_name: string;
  mode: Mode;
  type: KeyType;
  scopes: string[];
  expires_on: string | null;
  revoked: boolean;
  enabled: boolean;
  broker_id: string;
  broker_email: string;
  broker_name: string;
  broker_status: BrokerStatus;
  now: Date;
  minute: Date | null;
  requests: number | null;
  key_day: Date | null;
  key_quotes: number | null;
  agency_day: Date | null;
  agency_quotes: number | null;
};

/**
 * Key, switches and counters at once: by api_keys_by_hash, then primary keys. The agency's row comes after the key's, so
 * that locks are always taken in one order. GREATEST keeps a statement that waited for a lock from turning a window back.
 * A counter may lose its last moments when the server dies, so its commit waits for no disk.
 */
const ADMIT = `
  WITH caller AS (
    SELECT k.id AS key_id, k.agency_id, a.name AS agency_name, k.mode, k.type, k.scopes, k.expires_on,
      k.revoked_at IS NOT NULL AS revoked,
      k.revoked_at IS NULL AND coalesce((pfq_now() AT TIME ZONE 'UTC')::date <= k.expires_on, true) AS is_counted,
      CASE k.mode WHEN 'live' THEN a.live_enabled ELSE a.test_enabled END AS enabled,
      b.id AS broker_id, b.email AS broker_email, b.name AS broker_name, b.status AS broker_status, pfq_now() AS now,
      set_config('synchronous_commit', 'off', true)
    FROM api_keys k
    JOIN agencies a ON a.id = k.agency_id
    JOIN brokers b ON b.agency_id = k.agency_id AND b.id = k.broker_id
    WHERE k.hash = $1
  ), of_key AS (
    INSERT INTO key_usage AS u (agency_id, mode, key_id, minute, requests, day, quotes)
    SELECT agency_id, mode, key_id, date_trunc('minute', now), 1, date_trunc('day', now, 'UTC'), $2::integer
    FROM caller WHERE is_counted
    ON CONFLICT (agency_id, mode, key_id) DO UPDATE SET
      minute = GREATEST(u.minute, EXCLUDED.minute),
      requests = CASE WHEN EXCLUDED.minute > u.minute THEN 1 ELSE u.requests + 1 END,
      day = GREATEST(u.day, EXCLUDED.day),
      quotes = CASE WHEN EXCLUDED.day > u.day THEN EXCLUDED.quotes ELSE u.quotes + EXCLUDED.quotes END
    RETURNING agency_id, mode, minute, requests, day, quotes
  ), of_agency AS (
    INSERT INTO agency_usage AS u (agency_id, mode, day, quotes)
    SELECT agency_id, mode, day, 1 FROM of_key WHERE $2 = 1
    ON CONFLICT (agency_id, mode) DO UPDATE SET
      day = GREATEST(u.day, EXCLUDED.day),
      quotes = CASE WHEN EXCLUDED.day > u.day THEN 1 ELSE u.quotes + 1 END
    RETURNING day, quotes
  )
  SELECT c.key_id, c.agency_id, c.agency_name, c.mode, c.type, c.scopes, c.expires_on, c.revoked, c.enabled,
    c.broker_id, c.broker_email, c.broker_name, c.broker_status, c.now,
    k.minute, k.requests, k.day AS key_day, k.quotes AS key_quotes, a.day AS agency_day, a.quotes AS agency_quotes
  FROM caller c LEFT JOIN of_key k ON true LEFT JOIN of_agency a ON true`;

/** By the unique index on agency and address. */
const FIND_ACTIVE_BROKER = `
  SELECT id, email, name FROM brokers WHERE agency_id = $1 AND email_key = $2 AND status = 'active'`;

/** `keyPepper` is the secret under which keys are hashed. */
export function postgresAccessStore(database: Database, keyPepper: string): AccessStore {
  return {
    async admit(key, { isNewQuote }) {
      // Whether a request was counted that gets no answer is nobody's concern, so this fails as a read does.
      const [row] = await database.read<AccessRow>(ADMIT, [hashApiKey(key, keyPepper), isNewQuote ? 1 : 0]);
      return row ? toAccess(row) : null;
    },
    async findActiveBroker(agencyId, email) {
      const [row] = await database.read<ActingBroker>(FIND_ACTIVE_BROKER, [agencyId, emailKey(email)]);
      return row ?? null;
    },
  };
}

function toAccess(row: AccessRow): Access {
  return {
    keyId: row.key_id,
    agencyId: row.agency_id,
    agencyName: row.agency_name,
    mode: row.mode,
    type: row.type,
    scopes: row.scopes,
    expiresOn: row.expires_on,
    revoked: row.revoked,
    enabled: row.enabled,
    defaultBroker: { id: row.broker_id, email: row.broker_email, name: row.broker_name, status: row.broker_status },
    windows: toWindows(row),
    now: row.now,
  };
}

/** None where the key does not count; no days where the request is no new quote. */
function toWindows(row: AccessRow): readonly RateWindow[] {
  const minute = toCount(row.minute, row.requests);
  const key = toCount(row.key_day, row.key_quotes);
  const agency = toCount(row.agency_day, row.agency_quotes);
  if (!minute) return [];
  return windowsOf(key && agency ? { minute, days: { key, agency } } : { minute }, row.mode);
}

function toCount(startedAt: Date | null, used: number | null): Count | null {
  return startedAt === null || used === null ? null : { startedAt, used };
}
