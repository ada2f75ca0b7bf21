import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { makeDatabase } from '../../../tests/support/database.ts';
import { until } from '../../../tests/support/until.ts';
import { openQueue, SECONDS } from './jobs.test-support.ts';
import { addJob, migrateJobs } from './jobs.ts';
import { retryDelayMs } from './jobs-retry.ts';
import { createLogger } from './log.ts';

const CHILD = 'services/kit/src/jobs-child.test-support.ts';
const WARN = 40;

const isWatchedInVain = ({ msg }: { msg: string }) => msg.startsWith('the job queue cannot be watched');

test('a job runs once its transaction is committed, within a moment, and never where it is rolled back', async (t) => {
  const queue = await openQueue(t);
  const seen: unknown[] = [];
  await queue.start({ note: async (payload) => void seen.push(payload) });
  const rolledBack = queue.database.transaction(async ({ query }) => {
    await addJob(query, { task: 'note', payload: { id: 0 }, key: 'none' });
    throw new Error('no');
  });
  await assert.rejects(rolledBack, /no/);
  await queue.add({ key: 'first' });
  await until(() => seen.length === 1, SECONDS);
  const startedMs = performance.now();
  await queue.add({ key: 'second', payload: { id: 2, text: 'ü' } });
  await until(() => seen.length === 2, SECONDS);
  assert.ok(performance.now() - startedMs < 1_000, 'far sooner than the next look of a worker');
  await until(async () => (await queue.countJobs()) === 0, SECONDS);
  assert.deepEqual(seen, [{ id: 1 }, { id: 2, text: 'ü' }]);
});

test('a job that fails is tried again until it succeeds, and every failure is logged', async (t) => {
  const queue = await openQueue(t);
  const seen: unknown[] = [];
  await queue.start({
    async note(payload, { number }) {
      seen.push([payload, number]);
      if (number < 4) throw new Error(`failure ${number}`);
    },
  });
  await queue.add({ payload: { id: 7 } });
  await until(async () => seen.length === 4 && (await queue.countJobs()) === 0, SECONDS);
  assert.deepEqual(
    seen,
    [1, 2, 3, 4].map((number) => [{ id: 7 }, number]),
  );
  const failures = queue.logged.filter(({ msg }) => msg === 'a job failed and is tried again');
  assert.deepEqual(
    failures.map(({ task, key, attempt, level }) => ({ task, key, attempt, level })),
    [1, 2, 3].map((attempt) => ({ task: 'note', key: 'note:one', attempt, level: 40 })),
  );
});

test('a job that waits is not added twice, and one that is added while it runs runs again', async (t) => {
  const queue = await openQueue(t);
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  for (let times = 0; times < 5; times += 1) await queue.add({});
  assert.equal(await queue.countJobs(), 1);
  const note = async () => {
    runs += 1;
    await gate.promise;
  };
  await queue.start({ note }, { concurrency: 1 });
  await until(() => runs === 1, SECONDS);
  await queue.add({});
  await queue.add({});
  gate.resolve();
  await until(async () => (await queue.countJobs()) === 0, SECONDS);
  assert.equal(runs, 2);
});

test('what was changed with a job added is seen by a run, however the adding and the runs meet', async (t) => {
  const queue = await openQueue(t);
  await queue.database.write('CREATE TABLE counter AS SELECT 0 AS value', []);
  let seen = 0;
  await queue.start({
    async note() {
      const [row] = await queue.database.read<{ value: number }>('SELECT value FROM counter', []);
      seen = Math.max(seen, row?.value ?? 0);
    },
  });
  const CHANGES = 150;
  for (let change = 1; change <= CHANGES; change += 1) {
    await queue.database.transaction(async ({ query }) => {
      await query('UPDATE counter SET value = $1', [change]);
      await addJob(query, { task: 'note', payload: {}, key: 'one' });
    });
  }
  await until(async () => (await queue.countJobs()) === 0, SECONDS);
  assert.equal(seen, CHANGES);
});

test('a job that is taken just as it is added is added anew, and adding that never succeeds is an error', async () => {
  const answers = [{ id: null }, { id: null }, { id: '1' }];
  const job = { task: 'note', payload: {}, key: 'one' };
  await addJob(async () => [answers.shift()] as never, job);
  assert.deepEqual(answers, []);
  await assert.rejects(
    addJob(async () => [{ id: null }] as never, job),
    /note:one could not be added/,
  );
});

for (const [what, putsBack, left] of [
  ['is run by another', '', 0],
  ['that put it back before it died is not run before its time', 'puts-back', 1],
] as const) {
  test(`within ten seconds the job of a killed process ${what}`, async (t) => {
    const queue = await openQueue(t);
    const seen: unknown[] = [];
    const killed = await startChild(t, [queue.url, putsBack]);
    await queue.add({});
    await killed.underWay;
    assert.equal(await queue.countJobs(), left + 1);
    await queue.start({ note: async (payload, { number }) => void seen.push([payload, number]) });
    killed.kill();
    const killedMs = performance.now();
    await until(async () => (await queue.countJobs()) === left, SECONDS);
    assert.ok(performance.now() - killedMs < 10_000);
    assert.deepEqual(seen, left === 0 ? [[{ id: 1 }, 2]] : []);
  });
}

/** A queue whose only job is under way until the gate is opened; `runs` are the payloads of all that were begun. */
async function openBusyQueue(t: TestContext) {
  const queue = await openQueue(t);
  const gate = Promise.withResolvers<void>();
  const runs: unknown[] = [];
  await queue.start({
    async note(payload) {
      runs.push(payload);
      await gate.promise;
    },
  });
  await queue.add({});
  await until(() => runs.length === 1, SECONDS);
  return { queue, gate, runs };
}

test('a worker whose every connection is lost keeps its job, ends it once and goes on with others', async (t) => {
  const { queue, gate, runs } = await openBusyQueue(t);
  const untilInVain = (times: number) => until(() => queue.logged.filter(isWatchedInVain).length >= times, SECONDS);
  await queue.refuseConnections();
  // A statement that meets the loss itself has an unknown outcome: such a job may run again.
  await untilInVain(2);
  gate.resolve();
  await untilInVain(4);
  await queue.acceptConnections();
  await until(async () => (await queue.countJobs().catch(() => 1)) === 0, SECONDS);
  await queue.add({ key: 'two', payload: { id: 2 } });
  await until(async () => (await queue.countJobs()) === 0, SECONDS);
  assert.deepEqual(runs, [{ id: 1 }, { id: 2 }]);
});

test('a job that was given to a worker which never heard of it is freed, and one under way is not', async (t) => {
  const { queue, gate, runs } = await openBusyQueue(t);
  await queue.add({ key: 'two', payload: { id: 2 }, delayMs: 3_600_000 });
  // As where the database stood still between the taking of the second job and the answer.
  await queue.database.write(
    `UPDATE graphile_worker._private_jobs SET locked_at = now() - interval '11 seconds', run_at = now(),
       locked_by = (SELECT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL)`,
    [],
  );
  await until(() => runs.length === 2, SECONDS);
  gate.resolve();
  await until(async () => (await queue.countJobs()) === 0, SECONDS);
  assert.deepEqual(runs, [{ id: 1 }, { id: 2 }]);
});

test('workers that start while the database is away begin once it is there', async (t) => {
  const queue = await openQueue(t);
  let runs = 0;
  await queue.add({});
  await queue.refuseConnections();
  await queue.start({ note: async () => void (runs += 1) });
  await queue.acceptConnections();
  await until(async () => runs === 1 && (await queue.countJobs()) === 0, SECONDS);
});

test('stopping waits for the job under way, which is then done, and takes no other', async (t) => {
  const queue = await openQueue(t);
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  const note = async () => {
    runs += 1;
    await gate.promise;
  };
  const jobs = await queue.start({ note }, { concurrency: 1 });
  await queue.add({});
  await queue.add({ key: 'two' });
  await until(() => runs === 1, SECONDS);
  let isStopped = false;
  const stopped = jobs.stop().then(() => (isStopped = true));
  await new Promise(setImmediate);
  assert.equal(isStopped, false);
  gate.resolve();
  await stopped;
  assert.deepEqual([runs, await queue.countJobs()], [1, 1]);
});

test('workers that start before there are tables make none', async (t) => {
  const queue = await openQueue(t);
  await queue.database.write('DROP SCHEMA graphile_worker CASCADE', []);
  const jobs = await queue.start({ note: async () => {} });
  const isInVain = ({ msg, reason }: Record<string, unknown>) =>
    msg === 'job queue' && /does not exist/.test(String(reason));
  await until(() => queue.logged.some(isInVain), SECONDS);
  await until(() => queue.logged.filter(isWatchedInVain).length >= 3, SECONDS);
  await jobs.stop();
  const warnings = queue.logged.filter((line) => isWatchedInVain(line) && line['level'] === WARN);
  assert.equal(warnings.length, 1, 'one warning for one outage');
  const schemas = "SELECT nspname FROM pg_namespace WHERE nspname = 'graphile_worker'";
  assert.deepEqual(await queue.database.read(schemas, []), []);
});

test('the queue is made though the database takes no connection at first', async (t) => {
  const made = await makeDatabase(t);
  const logger = createLogger({ service: 'test', level: 'error', format: 'json' });
  await made.refuseConnections();
  const making = migrateJobs(made.url, logger);
  // By then the first attempt has been refused too.
  await assert.rejects(made.open().read('SELECT 1', []));
  await made.acceptConnections();
  await making;
});

test('several processes may make the tables of one queue at once', async (t) => {
  const made = await makeDatabase(t);
  const logger = createLogger({ service: 'test', level: 'error', format: 'json' });
  await Promise.all(Array.from({ length: 4 }, () => migrateJobs(made.url, logger)));
  await addJob(made.open().write, { task: 'note', payload: {}, key: 'one' });
});

test('the delay grows with each failure, never beyond the longest, and half of it is left to chance', () => {
  const bounds = fc.record({ firstMs: fc.nat(10_000), longestMs: fc.nat(600_000) });
  const random = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40_000 }), bounds, random, (failures, { firstMs, longestMs }, chance) => {
      const delay = (number: number, drawn: number) => retryDelayMs(number, { firstMs, longestMs, random: drawn });
      assert.ok(delay(failures, chance) <= longestMs);
      assert.ok(delay(failures + 1, chance) >= delay(failures, chance));
      assert.equal(delay(failures, 0) * 2, delay(failures, 1));
      assert.equal(delay(1, 1), Math.min(firstMs, longestMs));
    }),
  );
});

/** A process that takes one job and never ends it; it is killed after the test at the latest. */
async function startChild(t: TestContext, given: readonly string[]) {
  const script = path.resolve(import.meta.dirname, '../../..', CHILD);
  const child = spawn(process.execPath, [script, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => void child.kill('SIGKILL');
  t.after(kill);
  return { underWay: once(child.stdout, 'data'), kill };
}
