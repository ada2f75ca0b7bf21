import { firstIdAt } from '@pfq/kit/ids';
import type { Database } from '@pfq/kit/postgres';
import type { Mode } from '../domain/agency.ts';
import type { KeptRequest } from '../domain/kept-request.ts';
import type { RequestStore } from './request-store.ts';

type RequestRow = {
  request_id: string;
  received_at: Date;
  method: string;
  path: string;
  route: string;
  status: number;
  duration_us: number;
  error_code: string | null;
  agency_id: string | null;
  mode: Mode | null;
  key_id: string | null;
  quote_id: string | null;
  api_version: string;
  has_idempotency_key: boolean;
  replay_of: string | null;
  trace_id: string | null;
};

/**
 * By primary key. A batch is one array for each column, so that any number of requests is the same statement. The last
 * moments may be lost when the server dies, so its commit waits for no disk.
 */
const KEEP = `
  WITH lazily AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
  INSERT INTO requests (request_id, received_at, method, path, route, status, duration_us, error_code,
    agency_id, mode, key_id, quote_id, api_version, has_idempotency_key, replay_of, trace_id)
  SELECT request_id, received_at, method, path, route, status, duration_us, error_code,
    agency_id, mode, key_id, quote_id, api_version, has_idempotency_key, replay_of, trace_id
  FROM lazily, unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::integer[],
    $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::boolean[], $15::text[], $16::text[])
    AS sent (request_id, received_at, method, path, route, status, duration_us, error_code,
      agency_id, mode, key_id, quote_id, api_version, has_idempotency_key, replay_of, trace_id)
  ON CONFLICT (request_id) DO NOTHING`;

/** By primary key: whoever asks the operator has nothing but the id. */
const FIND = `
  SELECT request_id, received_at, method, path, route, status, duration_us, error_code,
    agency_id, mode, key_id, quote_id, api_version, has_idempotency_key, replay_of, trace_id
  FROM requests WHERE request_id = $1`;

/** By requests_by_first; an Idempotency-Key belongs to one agency and mode. */
const FIND_REPLAYS = `
  SELECT request_id, received_at FROM requests
  WHERE replay_of = $1 AND agency_id = $2 AND mode = $3
  ORDER BY request_id LIMIT 100`;

/** By primary key, whosever they are. Rows that another gateway removes at this moment are left to it. */
const REMOVE_BEFORE = `
  WITH expired AS (
    SELECT request_id FROM requests WHERE request_id < $1
    ORDER BY request_id
    LIMIT $2
    FOR UPDATE SKIP LOCKED
  )
  DELETE FROM requests AS kept USING expired WHERE kept.request_id = expired.request_id
  RETURNING kept.request_id`;

const REMOVED_AT_ONCE = 1_000;
const DAY_MS = 86_400_000;

/** Requests are kept for `keptDays` days, by the database's clock. */
export function postgresRequestStore(database: Database, { keptDays }: { readonly keptDays: number }): RequestStore {
  return {
    async keep(requests) {
      await database.write(KEEP, toColumns(requests));
    },
    async find(requestId) {
      const [row] = await database.read<RequestRow>(FIND, [requestId]);
      if (!row) return null;
      type ReplayRow = Pick<RequestRow, 'request_id' | 'received_at'>;
      const replays = await database.read<ReplayRow>(FIND_REPLAYS, [requestId, row.agency_id, row.mode]);
      return {
        request: toRequest(row),
        replays: replays.map(({ request_id, received_at }) => ({ requestId: request_id, receivedAt: received_at })),
      };
    },
    async removeExpired() {
      const [clock] = await database.read<{ now: Date }>('SELECT pfq_now() AS now', []);
      if (!clock) throw new Error('the database told no time');
      const oldest = firstIdAt('req_', clock.now.getTime() - keptDays * DAY_MS);
      return (await database.write(REMOVE_BEFORE, [oldest, REMOVED_AT_ONCE])).length;
    },
  };
}

function toColumns(requests: readonly KeptRequest[]): readonly unknown[] {
  const column = (read: (request: KeptRequest) => unknown) => requests.map(read);
  return [
    column(({ requestId }) => requestId),
    column(({ receivedAt }) => receivedAt),
    column(({ method }) => method),
    column(({ path }) => path),
    column(({ route }) => route),
    column(({ status }) => status),
    column(({ durationUs }) => durationUs),
    column(({ errorCode }) => errorCode),
    column(({ sender }) => sender?.agencyId ?? null),
    column(({ sender }) => sender?.mode ?? null),
    column(({ sender }) => sender?.keyId ?? null),
    column(({ quoteId }) => quoteId),
    column(({ apiVersion }) => apiVersion),
    column(({ hasIdempotencyKey }) => hasIdempotencyKey),
    column(({ replayOf }) => replayOf),
    column(({ traceId }) => traceId),
  ];
}

function toRequest(row: RequestRow): KeptRequest {
  const { agency_id: agencyId, mode, key_id: keyId } = row;
  return {
    requestId: row.request_id,
    receivedAt: row.received_at,
    method: row.method,
    path: row.path,
    route: row.route,
    status: row.status,
    durationUs: row.duration_us,
    errorCode: row.error_code,
    sender: agencyId === null || mode === null || keyId === null ? null : { agencyId, mode, keyId },
    quoteId: row.quote_id,
    apiVersion: row.api_version,
    hasIdempotencyKey: row.has_idempotency_key,
    replayOf: row.replay_of,
    traceId: row.trace_id,
  };
}
