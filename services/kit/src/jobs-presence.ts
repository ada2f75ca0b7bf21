import type { Logger } from './log.ts';
import { QUICK_STATEMENTS, withConnection } from './postgres.ts';
import type { Connection } from './postgres.ts';

export type Presence = {
  /** Resolves as soon as the others can see that the worker is there; at once where it is leaving. */
  seen(): Promise<void>;
  /** The worker takes no more jobs; those under way are still its own. */
  leave(): void;
  end(): Promise<void>;
};

type PresenceOptions = {
  readonly databaseUrl: string;
  readonly workerId: string;
  /** By `attemptOf`, each attempt that the worker was given; those that are over are taken out. */
  readonly given: Set<string>;
  readonly logger: Logger;
};

type Own = { readonly id: string; readonly attempts: number; readonly is_old: boolean };

const SWEEP_MS = 2_000;
const RECONNECT_MS = 500;
/** First half of the advisory locks' keys, so that they are mistaken for no others; any number does. */
const LOCK_CLASS = 7_366_257;

/** Shared, because a lost connection of the same worker may hold it still. */
const SHOW = 'SELECT pg_advisory_lock_shared($1, hashtext($2))';

/** A scan: as many rows as there are jobs not done. */
const FIND_GONE = `
  SELECT DISTINCT j.locked_by AS id FROM graphile_worker.jobs j
  WHERE j.locked_by IS NOT NULL AND NOT EXISTS (
    SELECT FROM pg_locks l
    WHERE l.locktype = 'advisory' AND l.objsubid = 2 AND l.granted
      AND l.classid = $1::oid AND l.objid = hashtext(j.locked_by)::oid
      AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
  )`;

const TAKE_OVER = 'SELECT graphile_worker.force_unlock_workers($1)';

/** By the lock that taking a job leaves, as FIND_GONE scans. Longer than a worker waits for the answer to its taking. */
const FIND_OWN = `
  SELECT id, attempts, locked_at < now() - interval '10 seconds' AS is_old FROM graphile_worker.jobs WHERE locked_by = $1`;

const FREE = `
  UPDATE graphile_worker._private_jobs SET locked_by = NULL, locked_at = NULL
  WHERE id = ANY($1::bigint[]) AND locked_by = $2`;

/** A job that was put back with a delay leaves its former self behind where the worker died before removing it. */
const REMOVE_REMAINS = `
  SELECT id FROM graphile_worker.complete_jobs(ARRAY(
    SELECT j.id FROM graphile_worker.jobs j
    WHERE j.key IS NULL AND j.locked_by IS NULL AND j.attempts >= j.max_attempts
  ))`;

/** Tells one attempt of a job from the next. */
export function attemptOf({ id, attempts }: { readonly id: string; readonly attempts: number }): string {
  return `${id}:${attempts}`;
}

/**
 * Shows the other workers of a queue that this one lives, by a lock that dies with its connection, and gives them the jobs
 * of workers that are not seen at two looks, two seconds apart. A job that a database which stood still gave to this worker
 * after it had ceased to wait is freed too.
 */
export function keepPresence({ databaseUrl, workerId, given, logger }: PresenceOptions): Presence {
  const ending = new AbortController();
  let isLeaving = false;
  let failures = 0;
  let seen = Promise.withResolvers<void>();
  let wake = () => {};
  const ended = keep();
  return {
    seen: () => seen.promise,
    leave,
    async end() {
      leave();
      ending.abort();
      wake();
      await ended;
    },
  };

  function leave(): void {
    isLeaving = true;
    seen.resolve();
  }

  async function keep(): Promise<void> {
    while (!ending.signal.aborted) {
      try {
        await withConnection(databaseUrl, show, QUICK_STATEMENTS);
      } catch (error) {
        // Twice a second, for as long as the database is away.
        logger[failures === 0 ? 'warn' : 'debug']({ err: error }, 'the job queue cannot be watched; trying again');
        failures += 1;
      }
      if (ending.signal.aborted) return;
      await pause(RECONNECT_MS);
    }
  }

  async function show(client: Connection): Promise<void> {
    client.once('end', () => wake());
    await client.query(SHOW, [LOCK_CLASS, workerId]);
    seen.resolve();
    try {
      for (let gone: readonly string[] = []; !ending.signal.aborted; await pause(SWEEP_MS)) {
        gone = await sweep(client, gone);
        if (failures > 0) logger.info({ failures }, 'the job queue is watched again');
        failures = 0;
      }
    } finally {
      if (!isLeaving) seen = Promise.withResolvers();
    }
  }

  /** Gives those who are gone now, for the next look. */
  async function sweep(client: Connection, goneBefore: readonly string[]): Promise<readonly string[]> {
    const { rows } = await client.query<{ id: string }>(FIND_GONE, [LOCK_CLASS]);
    const gone = rows.map(({ id }) => id);
    const dead = gone.filter((id) => goneBefore.includes(id));
    if (dead.length > 0) {
      await client.query(TAKE_OVER, [dead]);
      logger.warn({ workers: dead.length }, 'the jobs of workers that are gone were freed');
    }
    await freeUnheard(client);
    await client.query(REMOVE_REMAINS);
    return gone;
  }

  async function freeUnheard(client: Connection): Promise<void> {
    const before = [...given];
    const { rows } = await client.query<Own>(FIND_OWN, [workerId]);
    const own = new Set(rows.map(attemptOf));
    for (const attempt of before) if (!own.has(attempt)) given.delete(attempt);
    const unheard = rows.filter((job) => job.is_old && !given.has(attemptOf(job))).map(({ id }) => id);
    if (unheard.length === 0) return;
    await client.query(FREE, [unheard, workerId]);
    logger.warn({ jobs: unheard.length }, 'jobs that never reached their worker were freed');
  }

  /** Ends early where there is news: the end, or a lost connection. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
