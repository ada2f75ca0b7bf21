import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../tests/support/until.ts';
import { startSweep } from './sweep.ts';

const SECONDS = 3_000;
const HOUR_MS = 3_600_000;

/** Rows of which each call removes the next of these numbers, or fails. */
function rowsOf(...batches: readonly (number | Error)[]) {
  const calls: unknown[] = [];
  const warned: string[] = [];
  return {
    calls,
    warned,
    logger: { warn: (_fields: unknown, message?: string) => void warned.push(message ?? '') },
    expiring: [
      {
        what: 'rows',
        async removeExpired() {
          const batch = batches[calls.push('call') - 1] ?? 0;
          if (batch instanceof Error) throw batch;
          return batch;
        },
      },
    ],
  };
}

test('batches are removed one after the other until none is left', async () => {
  const { calls, ...parts } = rowsOf(500, 500, 3);
  const sweep = startSweep({ ...parts, intervalMs: HOUR_MS });
  await until(() => calls.length === 4, SECONDS);
  await sweep.stop();
  assert.equal(calls.length, 4);
});

test('a sweep that fails is logged, and the next one goes on', async () => {
  const { calls, warned, ...parts } = rowsOf(500, new Error('the database is away'), new Error('still away'), 7);
  const sweep = startSweep({ ...parts, intervalMs: 1 });
  await until(() => calls.length >= 5, SECONDS);
  await sweep.stop();
  assert.equal(warned.length, 2);
});

test('what cannot be removed holds up nothing else', async () => {
  const failing = rowsOf(new Error('a lock'));
  const { calls, ...rows } = rowsOf(500, 3);
  const sweep = startSweep({
    expiring: [...failing.expiring, ...rows.expiring],
    intervalMs: HOUR_MS,
    logger: failing.logger,
  });
  await until(() => calls.length === 3, SECONDS);
  await sweep.stop();
  assert.equal(failing.warned.length, 1);
});

test('stopping waits for the batch under way and lets no other begin', async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  let calls = 0;
  const removeExpired = () => {
    calls += 1;
    return promise;
  };
  const logger = { warn: () => assert.fail('nothing fails') };
  const sweep = startSweep({ expiring: [{ what: 'rows', removeExpired }], intervalMs: 1, logger });
  let isStopped = false;
  const stopping = sweep.stop().then(() => (isStopped = true));
  await Promise.resolve();
  assert.equal(isStopped, false);
  resolve(500);
  await stopping;
  assert.equal(calls, 1);
});
