import { ServiceError } from '@pfq/kit/errors';
import type { Database, Statements } from '@pfq/kit/postgres';
import type { Mode } from '../domain/agency.ts';
import { recordChange } from './postgres-audit.ts';
import type { Actor, CounterStore, KeyCounts } from './store.ts';

export function postgresCounterStore(database: Database): CounterStore {
  return { reset: (keyId, actor) => database.transaction((statements) => reset(statements, keyId, actor)) };
}

/** By api_keys_by_id: the operator names a key by its id alone. */
const FIND_OWNER = 'SELECT agency_id, mode FROM api_keys WHERE id = $1';

/** By the primary key. Only what counts now: a window that is over was reset by itself. */
const LOCK_COUNTS = `
  SELECT CASE WHEN minute = date_trunc('minute', pfq_now()) THEN requests ELSE 0 END AS requests,
    CASE WHEN day = date_trunc('day', pfq_now(), 'UTC') THEN quotes ELSE 0 END AS quotes
  FROM key_usage WHERE agency_id = $1 AND mode = $2 AND key_id = $3 FOR UPDATE`;

const RESET_KEY = 'UPDATE key_usage SET requests = 0, quotes = 0 WHERE agency_id = $1 AND mode = $2 AND key_id = $3';

/** The key's quotes of today no longer count for its agency either. */
const RESET_AGENCY = `
  UPDATE agency_usage SET quotes = GREATEST(0, quotes - $3)
  WHERE agency_id = $1 AND mode = $2 AND day = date_trunc('day', pfq_now(), 'UTC')`;

async function reset(statements: Statements, keyId: string, actor: Actor): Promise<KeyCounts> {
  const [owner] = await statements.query<{ agency_id: string; mode: Mode }>(FIND_OWNER, [keyId]);
  if (!owner) throw new ServiceError('NOT_FOUND', { message: `There is no key ${keyId}.` });
  const { agency_id: agencyId, mode } = owner;
  const [counted] = await statements.query<{ requests: number; quotes: number }>(LOCK_COUNTS, [agencyId, mode, keyId]);
  const { requests, quotes } = counted ?? { requests: 0, quotes: 0 };
  if (requests === 0 && quotes === 0) return { requestsThisMinute: 0, quotesToday: 0 };
  await statements.query(RESET_KEY, [agencyId, mode, keyId]);
  await statements.query(RESET_AGENCY, [agencyId, mode, quotes]);
  const details = { agency_id: agencyId, mode, requests_this_minute: requests, quotes_today: quotes };
  await recordChange(statements, { actor, action: 'counters.reset', target: keyId, details });
  return { requestsThisMinute: requests, quotesToday: quotes };
}
