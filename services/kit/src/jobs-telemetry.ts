import { QUICK_STATEMENTS, withConnection } from './postgres.ts';
import { observe } from './telemetry/metrics.ts';

type Waiting = { readonly waiting: number; readonly oldest_age: number };

/** Both readings of one collection come from one look. */
const FRESH_MS = 3_000;

/**
 * A scan: as many rows as there are jobs not done. Of a job that was put back, its former self is left out. What is added
 * again keeps the time at which it was first added; that is in the payload, which the library's own view leaves out.
 */
const COUNT = `
  SELECT t.identifier AS task, count(*)::int AS waiting,
    extract(epoch FROM now() - min(coalesce((j.payload ->> 'since')::timestamptz, j.created_at)))::float8 AS oldest_age
  FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  WHERE t.identifier = ANY ($1) AND NOT (j.key IS NULL AND j.attempts >= j.max_attempts)
  GROUP BY t.identifier`;

/** Tells how many jobs of these tasks wait and since when, until the function that it returns is called. */
export function observeQueue(databaseUrl: string, tasks: readonly string[]): () => void {
  let last: { readonly atMs: number; readonly found: Promise<ReadonlyMap<string, Waiting>> } | null = null;
  const look = () => {
    if (last === null || performance.now() - last.atMs > FRESH_MS)
      last = { atMs: performance.now(), found: countJobs(databaseUrl, tasks) };
    return last.found;
  };
  const readingsOf = async (member: keyof Waiting) => {
    const found = await look();
    return tasks.map((task) => ({ value: found.get(task)?.[member] ?? 0, attributes: { 'pfq.job.task': task } }));
  };
  const forget = [
    observe('pfq.jobs.waiting', () => readingsOf('waiting')),
    observe('pfq.jobs.oldest.age', () => readingsOf('oldest_age')),
  ];
  return () => forget.forEach((each) => each());
}

/** On a connection of its own: those of the workers are theirs, and wait for ever while the database is away. */
function countJobs(databaseUrl: string, tasks: readonly string[]): Promise<ReadonlyMap<string, Waiting>> {
  return withConnection(
    databaseUrl,
    async (client) => {
      const { rows } = await client.query<Waiting & { readonly task: string }>(COUNT, [tasks]);
      return new Map(rows.map(({ task, ...waiting }) => [task, waiting]));
    },
    QUICK_STATEMENTS,
  );
}
