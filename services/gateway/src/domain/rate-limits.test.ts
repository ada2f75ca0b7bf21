import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
import fc from 'fast-check';
import { requireWithinLimits, tightest, windowsOf } from './rate-limits.ts';
import type { RateWindow } from './rate-limits.ts';

const MINUTE_START = new Date('2026-11-20T23:59:00Z');
const DAY_START = new Date('2026-11-20T00:00:00Z');
const MIDNIGHT = new Date('2026-11-21T00:00:00Z');
const NOW = new Date('2026-11-20T23:59:18.400Z');
const MINUTE = { startedAt: MINUTE_START, used: 7 };
const DAYS = { key: { startedAt: DAY_START, used: 8 }, agency: { startedAt: DAY_START, used: 9 } };

test('a request that is no new quote has the one limit of its key and minute, in either mode', () => {
  for (const mode of ['live', 'test'] as const) {
    const [perMinute, ...others] = windowsOf({ minute: MINUTE }, mode);
    assert.partialDeepStrictEqual(perMinute, { limit: 60, used: 7, resetsAt: MIDNIGHT });
    assert.deepEqual(others, []);
  }
});

for (const [mode, ofKey, ofAgency] of [
  ['live', 500, 2_000],
  ['test', 200, 500],
] as const) {
  test(`a new ${mode} quote has the limits 60 a minute, ${ofKey} a day for its key and ${ofAgency} for its agency`, () => {
    const windows = windowsOf({ minute: MINUTE, days: DAYS }, mode);
    assert.deepEqual(
      windows.map(({ name, limit, used, resetsAt }) => [name, limit, used, resetsAt]),
      [
        ['requests_per_minute', 60, 7, MIDNIGHT],
        ['key_quotes_per_day', ofKey, 8, MIDNIGHT],
        ['agency_quotes_per_day', ofAgency, 9, MIDNIGHT],
      ],
    );
  });
}

/** A limit of which so many requests are left, or of which so many were too many, and which resets in so many seconds. */
function windowWith({ left, resetsIn }: { left: number; resetsIn: number }): RateWindow {
  const resetsAt = new Date(NOW.getTime() + resetsIn * 1_000);
  return {
    name: 'requests_per_minute',
    limit: 100,
    used: 100 - left,
    startedAt: NOW,
    resetsAt,
    meaning: `${resetsIn} s`,
  };
}

const TIGHTEST: readonly (readonly [
  promise: string,
  windows: readonly RateWindow[],
  remaining: number,
  reset: number,
])[] = [
  ['the only one', [windowWith({ left: 5, resetsIn: 10 })], 5, 10],
  ['that with the fewest left', [windowWith({ left: 5, resetsIn: 10 }), windowWith({ left: 4, resetsIn: 1 })], 4, 1],
  [
    'of equals, that which resets last',
    [windowWith({ left: 5, resetsIn: 10 }), windowWith({ left: 5, resetsIn: 90 })],
    5,
    90,
  ],
  [
    'of two that are used up, that which resets last, however far each is over',
    [windowWith({ left: -9, resetsIn: 10 }), windowWith({ left: 0, resetsIn: 90 })],
    0,
    90,
  ],
];
for (const [promise, windows, remaining, resetSeconds] of TIGHTEST) {
  test(`the limit that the headers tell is ${promise}`, () => {
    assert.deepEqual(tightest(windows, NOW), { limit: 100, remaining, resetSeconds });
    assert.deepEqual(tightest(windows.toReversed(), NOW), { limit: 100, remaining, resetSeconds });
  });
}

test('no limit is told where none applies', () => assert.equal(tightest([], NOW), null));

for (const [at, seconds] of [
  ['23:59:00.000', 60],
  ['23:59:00.001', 60],
  ['23:59:01.000', 59],
  ['23:59:59.000', 1],
  ['23:59:59.999', 1],
] as const) {
  test(`at ${at} the minute resets in ${seconds} s: rounded up, at least 1`, () => {
    const now = new Date(`2026-11-20T${at}Z`);
    assert.equal(tightest(windowsOf({ minute: MINUTE }, 'live'), now)?.resetSeconds, seconds);
  });
}

test('a request that waited while its minute began is told no more than a minute', () => {
  const before = new Date(MINUTE_START.getTime() - 900);
  assert.equal(tightest(windowsOf({ minute: MINUTE }, 'live'), before)?.resetSeconds, 60);
});

test('the last request within a limit passes, and the next is refused', () => {
  const nth = (used: number) => windowsOf({ minute: { startedAt: MINUTE_START, used } }, 'live');
  assert.doesNotThrow(() => requireWithinLimits(nth(60), NOW));
  assert.deepEqual(refusalOf(nth(61)), {
    code: 'RATE_LIMITED',
    retryAfterSeconds: 42,
    message:
      'Over the limit of 60 requests a minute for one API key. Nothing was done: send the same request again in 42 seconds.',
  });
});

test('one that is over several limits may come back when the last of them resets, and is told of each', () => {
  const minute = { startedAt: new Date('2026-11-20T12:00:00Z'), used: 61 };
  const noon = new Date('2026-11-20T12:00:59Z');
  const over = (days: typeof DAYS) => refusalOf(windowsOf({ minute, days }, 'test'), noon);
  assert.equal(over(DAYS).retryAfterSeconds, 1);
  assert.match(over(DAYS).message, /in 1 second\.$/);
  const { retryAfterSeconds, message } = over({ ...DAYS, agency: { startedAt: DAY_START, used: 501 } });
  assert.equal(retryAfterSeconds, 12 * 3_600 - 59);
  assert.match(message, /60 requests a minute for one API key and 500 POST \/v1\/quotes a day for all test keys of an/);
  assert.doesNotMatch(message, /one test key/);
});

const anyWindows = fc.array(
  fc
    .record({
      limit: fc.integer({ min: 1, max: 9 }),
      used: fc.integer({ min: 1, max: 12 }),
      leftMs: fc.integer({ min: 1, max: 90_000 }),
    })
    .map(({ leftMs, ...count }) => ({
      ...count,
      name: 'requests_per_minute' as const,
      startedAt: NOW,
      resetsAt: new Date(NOW.getTime() + leftMs),
      meaning: 'any',
    })),
  { minLength: 1, maxLength: 4 },
);

test('a request is refused exactly where it is over a limit; what is told is the least and the latest, whatever the order', () => {
  fc.assert(
    fc.property(anyWindows, (windows) => {
      const leftIn = ({ limit, used }: RateWindow) => Math.max(limit - used, 0);
      const secondsTo = (those: readonly RateWindow[]) =>
        Math.ceil((Math.max(...those.map(({ resetsAt }) => Number(resetsAt))) - Number(NOW)) / 1_000);
      const remaining = Math.min(...windows.map(leftIn));
      const told = tightest(windows, NOW);
      assert.equal(told?.remaining, remaining);
      assert.equal(told?.resetSeconds, secondsTo(windows.filter((window) => leftIn(window) === remaining)));

      const exceeded = windows.filter(({ used, limit }) => used > limit);
      if (exceeded.length === 0) assert.doesNotThrow(() => requireWithinLimits(windows, NOW));
      else assert.equal(refusalOf(windows).retryAfterSeconds, secondsTo(exceeded));
    }),
  );
});

function refusalOf(windows: readonly RateWindow[], now = NOW) {
  try {
    requireWithinLimits(windows, now);
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    const { code, retryAfterSeconds, message } = error;
    return { code, retryAfterSeconds, message };
  }
  throw new assert.AssertionError({ message: 'the request passed' });
}
