import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { makeDatabase } from '../../../tests/support/database.ts';
import { addJob, migrateJobs, startJobs } from './jobs.ts';
import type { Job, Task } from './jobs.ts';
import type { Database } from './postgres.ts';

/** More than anything that is waited for takes, a killed process's jobs included. */
export const SECONDS = 60_000;

/** A database with a queue, in which every worker and connection is ended after the test. */
export async function openQueue(t: TestContext) {
  const stops: (() => Promise<void>)[] = [];
  // Before the database goes, whose own clean-up is registered later.
  t.after(() => Promise.all(stops.map((stop) => stop())));
  const made = await makeDatabase(t);
  const logged: Array<Record<string, unknown> & { readonly msg: string }> = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  await migrateJobs(made.url, logger);
  const database = made.open();
  return {
    ...made,
    logged,
    database,
    add: (job: Partial<Job>) => database.transaction(({ query }) => addJob(query, { ...JOB, ...job })),
    countJobs: () => count(database),
    /** Retries follow at once unless it is said otherwise. */
    async start(tasks: Readonly<Record<string, Task>>, { concurrency = 3, firstMs = 0 } = {}) {
      const retry = { firstMs, longestMs: 1_000 };
      const jobs = await startJobs({ databaseUrl: made.url, tasks, concurrency, retry, logger });
      let isStopped = false;
      const stop = async () => {
        if (!isStopped) await jobs.stop();
        isStopped = true;
      };
      stops.push(stop);
      return { stop };
    },
  };
}

const JOB: Job = { task: 'note', payload: { id: 1 }, key: 'one' };

async function count(database: Database): Promise<number> {
  const [row] = await database.read<{ count: number }>('SELECT count(*)::int AS count FROM graphile_worker.jobs', []);
  return row?.count ?? 0;
}
