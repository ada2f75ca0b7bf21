import type { Database } from '@pfq/kit/postgres';
import type { Seal } from '@pfq/kit/seal';
import type { Mode } from '../domain/agency.ts';
import type { KeyHolder, KeyRecord, Progress } from '../domain/idempotency.ts';
import type { IdempotencyStore } from './idempotency-store.ts';

type RecordRow = {
  owner: string;
  method: string;
  path: string;
  body_hash: Buffer;
  broker_id: string;
  write_id: string;
  request_id: string | null;
  claimed_at: Date;
  state: Progress['state'];
  status: number | null;
  version: string | null;
  sealed_body: Buffer | null;
  now: Date;
};

/**
 * By primary key, on which concurrent claims wait for each other; whoever comes second gets the row of the first. The row
 * is written again even where it stays what it was: only so is what comes back certainly what stands. A request is the row's
 * where it came with the row's owner: the release before takes rows over and leaves it.
 */
const CLAIM = `
  INSERT INTO idempotency_keys AS kept
    (agency_id, mode, key, owner, method, path, body_hash, broker_id, write_id, request_id, request_owner, claimed_at, state)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $4, pfq_now(), 'claimed')
  ON CONFLICT (agency_id, mode, key) DO UPDATE SET
    (owner, method, path, body_hash, broker_id, write_id, request_id, request_owner, claimed_at, state, status, version,
      sealed_body) = (
      SELECT EXCLUDED.owner, EXCLUDED.method, EXCLUDED.path, EXCLUDED.body_hash, EXCLUDED.broker_id, EXCLUDED.write_id,
        EXCLUDED.request_id, EXCLUDED.request_owner, EXCLUDED.claimed_at, EXCLUDED.state, EXCLUDED.status, EXCLUDED.version,
        EXCLUDED.sealed_body
      WHERE kept.claimed_at <= EXCLUDED.claimed_at - interval '24 hours'
      UNION ALL
      SELECT kept.owner, kept.method, kept.path, kept.body_hash, kept.broker_id, kept.write_id,
        kept.request_id, kept.request_owner, kept.claimed_at, kept.state, kept.status, kept.version, kept.sealed_body
      WHERE kept.claimed_at > EXCLUDED.claimed_at - interval '24 hours'
    )
  RETURNING owner, method, path, body_hash, broker_id, write_id, claimed_at, state, status, version, sealed_body,
    CASE WHEN request_owner = owner THEN request_id END AS request_id, pfq_now() AS now`;

/** By primary key. A holder who does not know whether it has finished finishes again. */
const FINISH = `
  UPDATE idempotency_keys SET state = 'finished', status = $5, version = $6, sealed_body = $7
  WHERE agency_id = $1 AND mode = $2 AND key = $3 AND owner = $4 AND state <> 'lost'
  RETURNING state`;

/** By primary key. The row is locked first, so that what comes back is the state that decided. */
const RELEASE = `
  WITH held AS (
    SELECT state FROM idempotency_keys
    WHERE agency_id = $1 AND mode = $2 AND key = $3 AND owner = $4
    FOR UPDATE
  ), released AS (
    DELETE FROM idempotency_keys
    WHERE agency_id = $1 AND mode = $2 AND key = $3 AND owner = $4 AND state = 'claimed'
  )
  SELECT state FROM held`;

/** By primary key. */
const MARK_LOST = `
  UPDATE idempotency_keys SET state = 'lost'
  WHERE agency_id = $1 AND mode = $2 AND key = $3 AND owner = $4 AND state = 'claimed'`;

/** By idempotency_keys_by_age. Rows that another gateway removes, or a claim takes over, at this moment are left to it. */
const REMOVE_EXPIRED = `
  WITH expired AS (
    SELECT agency_id, mode, key FROM idempotency_keys
    WHERE claimed_at <= pfq_now() - interval '24 hours'
    ORDER BY claimed_at
    LIMIT $1
    FOR UPDATE SKIP LOCKED
  )
  DELETE FROM idempotency_keys AS kept USING expired
  WHERE kept.agency_id = expired.agency_id AND kept.mode = expired.mode AND kept.key = expired.key
  RETURNING kept.state`;

const BATCH_SIZE = 500;

/** `seal` encrypts the bodies of answers. */
export function postgresIdempotencyStore(database: Database, seal: Seal): IdempotencyStore {
  return {
    async claim(claim) {
      const { owner, method, path, bodyHash, brokerId, writeId, requestId } = claim;
      const values = [...primaryKeyOf(claim), owner, method, path, bodyHash, brokerId, writeId, requestId];
      const [row] = await database.write<RecordRow>(CLAIM, values);
      if (!row) throw new Error('a claim gave no record');
      return { record: toRecord(row, { ...claim, owner: row.owner }, seal), now: row.now };
    },
    async finish(holder, { status, version, body }) {
      const sealedBody = body === null ? null : seal.seal(body, placeOf(holder));
      const values = [...primaryKeyOf(holder), holder.owner, status, version, sealedBody];
      return (await database.write(FINISH, values)).length > 0;
    },
    async release(holder) {
      const values = [...primaryKeyOf(holder), holder.owner];
      const [held] = await database.write<{ state: Progress['state'] }>(RELEASE, values);
      return held?.state !== 'lost';
    },
    async markLost(holder) {
      await database.write(MARK_LOST, [...primaryKeyOf(holder), holder.owner]);
    },
    async removeExpired() {
      return (await database.write(REMOVE_EXPIRED, [BATCH_SIZE])).length;
    },
  };
}

function primaryKeyOf({ agencyId, mode, key }: KeyHolder): readonly [string, Mode, string] {
  return [agencyId, mode, key];
}

/** Where a body belongs: moved to another row, or left behind when its key is claimed anew, it does not open. */
function placeOf({ agencyId, mode, key, owner }: KeyHolder): string {
  return JSON.stringify([agencyId, mode, key, owner]);
}

function toRecord(row: RecordRow, holder: KeyHolder, seal: Seal): KeyRecord {
  const { agencyId, mode, key, owner } = holder;
  return {
    agencyId,
    mode,
    key,
    owner,
    method: row.method,
    path: row.path,
    bodyHash: row.body_hash,
    brokerId: row.broker_id,
    writeId: row.write_id,
    requestId: row.request_id,
    claimedAt: row.claimed_at,
    progress: toProgress(row, holder, seal),
  };
}

function toProgress({ state, status, version, sealed_body }: RecordRow, holder: KeyHolder, seal: Seal): Progress {
  if (state !== 'finished') return { state };
  if (status === null || version === null) throw new Error('a finished record has no answer');
  const answer = () => {
    const body = sealed_body === null ? null : seal.open(sealed_body, placeOf(holder));
    return { status, version, body };
  };
  return { state, answer };
}
