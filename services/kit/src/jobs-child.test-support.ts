import { setTimeout as wait } from 'node:timers/promises';
import { addJob, startJobs } from './jobs.ts';
import { createLogger } from './log.ts';
import { withConnection } from './postgres.ts';

/** A process that takes a job, puts it back for later where it is told to, says so, and never comes to an end of it. */
const [databaseUrl = '', putsBack] = process.argv.slice(2);

await startJobs({
  databaseUrl,
  concurrency: 1,
  retry: { firstMs: 0, longestMs: 0 },
  logger: createLogger({ service: 'child', level: 'error', format: 'json' }),
  tasks: {
    async note() {
      if (putsBack === 'puts-back') await putBack();
      process.stdout.write('under way\n');
      await wait(600_000);
    },
  },
});

function putBack(): Promise<void> {
  return withConnection(databaseUrl, async (client) => {
    const job = { task: 'note', payload: { id: 2 }, key: 'one', delayMs: 600_000 };
    await addJob(async (sql, values) => (await client.query(sql, [...values])).rows, job);
  });
}
