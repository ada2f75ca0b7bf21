import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { listeningLogger } from '../events.test-support.ts';
import { keepRunning } from './keep-running.ts';

const FAILURES = 7;
const WARN = 40;
const INFO = 30;

test('what fails soon is tried again after waits that grow to five seconds, with one warning, until it is done', async (t) => {
  const { lives, told } = await runThrough(t, () => 10);
  assert.equal(lives, FAILURES + 1);
  assert.deepEqual(
    told.map(({ wait_ms: waitMs }) => waitMs),
    [500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000],
  );
  assert.deepEqual(
    told.map(({ level }) => level),
    [WARN, INFO, INFO, INFO, INFO, INFO, INFO],
  );
});

test('what fails after it lasted is news again, and soon tried again', async (t) => {
  const { told } = await runThrough(t, (life) => (life === 4 ? 31_000 : 10));
  assert.deepEqual(
    told.map(({ level, wait_ms: waitMs }) => [level, waitMs]),
    [
      [WARN, 500],
      [INFO, 1_000],
      [INFO, 2_000],
      [WARN, 500],
      [INFO, 1_000],
      [INFO, 2_000],
      [INFO, 4_000],
    ],
  );
});

test('a stop ends the wait for the next try', async () => {
  const { logger, lines } = listeningLogger();
  const run = () => Promise.reject(new Error('away'));
  const running = keepRunning({ run, what: 'the work', logger });
  while (lines.length === 0) await turn();
  const startedMs = performance.now();
  await running.stop();
  assert.ok(performance.now() - startedMs < 250);
});

type Line = { readonly level: number; readonly wait_ms: number };

/** Some lives that fail after so many milliseconds, and one that does what is to be done. */
async function runThrough(t: { after(hook: () => void): void }, lastsMs: (life: number) => number) {
  mock.timers.enable({ apis: ['setTimeout'] });
  // What was imported by name is the mocked one from here on.
  syncBuiltinESMExports();
  const clock = mock.method(performance, 'now', () => nowMs);
  t.after(() => {
    clock.mock.restore();
    mock.timers.reset();
    syncBuiltinESMExports();
  });
  const { logger, lines } = listeningLogger();
  const done = Promise.withResolvers<void>();
  let [nowMs, lives] = [0, 0];
  const running = keepRunning({
    async run() {
      lives += 1;
      nowMs += lastsMs(lives);
      if (lives <= FAILURES) throw new Error('away');
      done.resolve();
    },
    what: 'the work',
    logger,
  });
  for (let life = 0; life < FAILURES; life += 1) {
    await turn();
    mock.timers.tick(5_000);
  }
  await done.promise;
  await running.stop();
  return { lives, told: lines.map((line) => JSON.parse(line) as Line) };
}
