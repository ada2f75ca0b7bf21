import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { OutcomeUnknownError, unavailable } from '@pfq/kit/errors';
import { recordTelemetry } from '@pfq/kit/telemetry/recording.test-support';
import fc from 'fast-check';
import { until } from '../../../tests/support/until.ts';
import type { KeptRequest } from './domain/kept-request.ts';
import { keptRequest } from './kept-request.test-support.ts';
import { makeGate } from './keyed-writes.test-support.ts';
import { startRequestLog } from './request-log.ts';

const recording = recordTelemetry();
const NOW = new Date('2026-11-20T12:00:30Z');
const SECONDS = 5_000;
const AWAY = unavailable(new Error('the database is away'));

/** A log over a store that takes batches, but for what `before` throws at its nth call; the clock stands until it is moved. */
function startLog(t: TestContext | null, before: (call: number) => Promise<void> | void = () => {}) {
  const batches: (readonly KeptRequest[])[] = [];
  const lines: string[] = [];
  let calls = 0;
  let nowMs = NOW.getTime();
  const write = (level: string) => (fields: unknown, message?: string) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const log = startRequestLog({
    store: {
      async keep(requests) {
        calls += 1;
        await before(calls);
        batches.push(requests);
      },
    },
    intervalMs: 1,
    clock: () => nowMs,
    logger: { info: write('info'), warn: write('warn'), error: write('error') },
  });
  t?.after(() => log.stop());
  return {
    log,
    lines,
    batches,
    calls: () => calls,
    kept: () => batches.flat().map(({ requestId }) => requestId),
    moveMs: (byMs: number) => (nowMs += byMs),
    keepMany: (number: number, changes: Partial<KeptRequest> = {}) => {
      const requests = Array.from({ length: number }, () => keptRequest(NOW, changes));
      for (const request of requests) log.keep(request);
      return requests.map(({ requestId }) => requestId);
    },
  };
}

test('requests of a moment are written together, in their order, and never more than 500 at once', async (t) => {
  const { keepMany, batches, kept } = startLog(t);
  const few = keepMany(3);
  await until(() => kept().length === 3, SECONDS);
  assert.equal(batches.length, 1);
  const many = keepMany(1_201);
  await until(() => kept().length === 1_204, SECONDS);
  assert.deepEqual(
    batches.map(({ length }) => length),
    [3, 500, 500, 201],
  );
  assert.deepEqual(kept(), [...few, ...many]);
});

test('while the database is away requests wait up to a bound, one line says so, and all that waited are kept after', async (t) => {
  let isAway = true;
  const { keepMany, kept, lines, calls } = startLog(t, () => {
    if (isAway) throw AWAY;
  });
  const dropped = await droppedFromNow();
  const waiting = keepMany(4_000);
  await until(() => calls() > 5, SECONDS);
  assert.match(lines.join('\n'), /^warn requests wait to be kept .*$/);
  waiting.push(...keepMany(1_000));
  keepMany(70);
  assert.match(lines.slice(1).join('\n'), /^warn requests find no place to wait and are dropped {"reason":"away"}$/);
  isAway = false;
  await until(() => lines.length > 2, SECONDS);
  await until(() => kept().length === 5_000, SECONDS);
  assert.deepEqual(kept(), waiting);
  assert.match(lines.slice(2).join('\n'), /^info requests are kept again {"dropped":70}$/);
  assert.deepEqual(await dropped(), { away: 70 });
});

test('a batch of which nobody knows whether it was written is written again', async (t) => {
  const { keepMany, kept } = startLog(t, (call) => {
    if (call === 1) throw new OutcomeUnknownError(new Error('the connection broke'));
  });
  const ids = keepMany(2);
  await until(() => kept().length === 2, SECONDS);
  assert.deepEqual(kept(), ids);
});

test('a batch that the database refuses is dropped with its cause in the log, and holds up nothing', async (t) => {
  const { keepMany, kept, lines } = startLog(t, (call) => {
    if (call === 1) throw new TypeError('a column is missing');
  });
  const dropped = await droppedFromNow();
  keepMany(500);
  const next = keepMany(2);
  await until(() => kept().length === 2, SECONDS);
  assert.deepEqual(kept(), next);
  assert.match(lines.join('\n'), /^error requests could not be kept .*\ninfo requests are kept again {"dropped":500}$/);
  assert.deepEqual(await dropped(), { refused: 500 });
});

test('of requests that were turned away 60 a minute are kept, and beside them every other', async (t) => {
  const { keepMany, kept, moveMs, lines } = startLog(t);
  const dropped = await droppedFromNow();
  const unknown = { status: 401, sender: null };
  const first = [...keepMany(40, unknown), ...keepMany(20, { status: 429 })];
  keepMany(1_000, unknown);
  const counted = keepMany(10);
  await until(() => kept().length === 70, SECONDS);
  assert.deepEqual(kept(), [...first, ...counted]);
  moveMs(60_000);
  keepMany(1_000, unknown);
  await until(() => kept().length === 130, SECONDS);
  assert.deepEqual(await dropped(), { turned_away: 1_940 });
  assert.deepEqual(lines, []);
});

test('what waits when the process stops is written before it ends, and what comes after is not', async () => {
  const { log, keepMany, kept } = startLog(null);
  const dropped = await droppedFromNow();
  const ids = keepMany(1_100);
  await log.stop();
  assert.deepEqual(kept(), ids);
  keepMany(1);
  await log.stop();
  assert.deepEqual(kept(), ids);
  assert.deepEqual(await dropped(), { stopped: 1 });
});

test('a process that stops while the database is away tries once more, says what is lost and ends', async () => {
  const { log, keepMany, kept, lines, calls } = startLog(null, () => Promise.reject(AWAY));
  const dropped = await droppedFromNow();
  keepMany(7);
  await until(() => calls() > 1, SECONDS);
  const before = calls();
  await log.stop();
  assert.ok(calls() <= before + 1, `${calls()} calls`);
  assert.deepEqual(kept(), []);
  assert.match(lines.join(), /warn requests were not kept before the stop {"requests":7}/);
  assert.deepEqual(await dropped(), { stopped: 7 });
});

test('while a statement hangs nobody waits for it, as many requests wait as while the database is away, and two lines tell of the others', async (t) => {
  const gate = makeGate();
  const { keepMany, kept, lines } = startLog(t, (call) => (call === 1 ? gate.pass() : undefined));
  const dropped = await droppedFromNow();
  const ids = keepMany(5_100);
  await gate.reached;
  keepMany(100);
  gate.open();
  await until(() => kept().length === 5_000, SECONDS);
  assert.deepEqual(kept(), ids.slice(0, 5_000));
  assert.deepEqual(lines, [
    'warn requests find no place to wait and are dropped {"reason":"full"}',
    'info requests are kept again {"dropped":200}',
  ]);
  assert.deepEqual(await dropped(), { full: 200 });
});

test('a process that stops while the database hangs ends in seconds', async () => {
  const gate = makeGate();
  const { log, keepMany, kept, lines } = startLog(null, () => gate.pass());
  keepMany(7);
  await gate.reached;
  await log.stop();
  gate.open();
  await until(() => kept().length === 7, SECONDS);
  assert.deepEqual(lines, ['warn requests were not kept before the stop {"requests":7}']);
});

test('whatever fails in passing, every request that found a place is written, in order and once', async () => {
  const anyTurns = fc.array(fc.record({ requests: fc.nat({ max: 700 }), fails: fc.boolean() }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(anyTurns, async (turns) => {
      const { log, keepMany, kept } = startLog(null, (call) => {
        if (turns[call - 1]?.fails) throw AWAY;
      });
      const ids = turns.flatMap(({ requests }) => keepMany(requests));
      await until(() => kept().length === Math.min(ids.length, 5_000), SECONDS);
      await log.stop();
      assert.deepEqual(kept(), ids.slice(0, 5_000));
    }),
    { numRuns: 30 },
  );
});

/** What is counted from now on, by reason. */
async function droppedFromNow(): Promise<() => Promise<Readonly<Record<string, number>>>> {
  const read = async () => {
    const readings = await recording.readings('pfq.request_log.dropped');
    return readings.map(({ value, attributes }) => [String(attributes['pfq.request_log.reason']), value] as const);
  };
  const before = new Map(await read());
  return async () => {
    const since = (await read()).map(([reason, value]) => [reason, value - (before.get(reason) ?? 0)] as const);
    return Object.fromEntries(since.filter(([, number]) => number > 0));
  };
}
