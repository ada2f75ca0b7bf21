import type { Database } from '@pfq/kit/postgres';
import type { Access } from '../domain/access.ts';
import { emailKey } from '../domain/agency.ts';
import type { BrokerStatus, KeyType, Mode } from '../domain/agency.ts';
import { hashApiKey } from './key-hash.ts';
import type { AccessStore } from './store.ts';

type AccessRow = {
  key_id: string;
  agency_id: string;
  mode: Mode;
  type: KeyType;
  scopes: string[];
  expires_on: string | null;
  revoked: boolean;
  enabled: boolean;
  broker_id: string;
  broker_email: string;
  broker_status: BrokerStatus;
  now: Date;
};

/** By api_keys_by_hash, then two primary keys. */
const FIND_ACCESS = `
  SELECT k.id AS key_id, k.agency_id, k.mode, k.type, k.scopes, k.expires_on, k.revoked_at IS NOT NULL AS revoked,
    CASE k.mode WHEN 'live' THEN a.live_enabled ELSE a.test_enabled END AS enabled,
    b.id AS broker_id, b.email AS broker_email, b.status AS broker_status, pfq_now() AS now
  FROM api_keys k
  JOIN agencies a ON a.id = k.agency_id
  JOIN brokers b ON b.agency_id = k.agency_id AND b.id = k.broker_id
  WHERE k.hash = $1`;

/** By the unique index on agency and address. */
const FIND_ACTIVE_BROKER = `
  SELECT id, email FROM brokers WHERE agency_id = $1 AND email_key = $2 AND status = 'active'`;

/** `keyPepper` is the secret under which keys are hashed. */
export function postgresAccessStore(database: Database, keyPepper: string): AccessStore {
  return {
    async findAccess(key) {
      const [row] = await database.read<AccessRow>(FIND_ACCESS, [hashApiKey(key, keyPepper)]);
      return row ? toAccess(row) : null;
    },
    async findActiveBroker(agencyId, email) {
      const [row] = await database.read<{ id: string; email: string }>(FIND_ACTIVE_BROKER, [agencyId, emailKey(email)]);
      return row ?? null;
    },
  };
}

function toAccess(row: AccessRow): Access {
  return {
    keyId: row.key_id,
    agencyId: row.agency_id,
    mode: row.mode,
    type: row.type,
    scopes: row.scopes,
    expiresOn: row.expires_on,
    revoked: row.revoked,
    enabled: row.enabled,
    defaultBroker: { id: row.broker_id, email: row.broker_email, status: row.broker_status },
    now: row.now,
  };
}
