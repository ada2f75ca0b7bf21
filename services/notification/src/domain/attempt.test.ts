import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { afterAttempt } from './attempt.ts';
import type { AttemptResult } from './attempt.ts';
import type { Trying } from './email.ts';

const giveUpAfterMs = 172_800_000;
const FRESH: Trying = { recentAttempts: 0, unconfirmedAttempts: 0, triedForMs: 0 };
const OPEN: AttemptResult = { kind: 'open', reply: '451 Try again later' };
const UNKNOWN: AttemptResult = { kind: 'unknown', reply: 'Connection closed' };
const REFUSED: AttemptResult = { kind: 'refused', reason: 'mailbox_rejected', reply: '550 No such mailbox' };

const after = (trying: Partial<Trying>, result: AttemptResult) =>
  afterAttempt({ ...FRESH, ...trying }, result, { giveUpAfterMs });

test('an email that the server takes is sent, however often and long it was tried', () => {
  fc.assert(
    fc.property(
      fc.nat(1_000),
      fc.nat(6),
      fc.nat(2 * giveUpAfterMs),
      (recentAttempts, unconfirmedAttempts, triedForMs) => {
        const trying = { recentAttempts, unconfirmedAttempts, triedForMs };
        assert.deepEqual(after(trying, { kind: 'taken' }), { status: 'sent' });
      },
    ),
  );
});

test('an email that is refused for good fails at once, with the reason and what the server said', () => {
  const lastError = '550 No such mailbox';
  for (const trying of [{}, { unconfirmedAttempts: 2 }]) {
    assert.deepEqual(after(trying, REFUSED), { status: 'failed', reason: 'mailbox_rejected', lastError });
  }
});

test('an email that is not taken yet is tried again after 5, 10, 20, 40, 80, 160 and then always 300 seconds', () => {
  const delays = Array.from({ length: 9 }, (_, recentAttempts) => {
    const standing = after({ recentAttempts }, OPEN);
    assert.ok(standing.status === 'pending' && standing.lastError === '451 Try again later' && !standing.isUnconfirmed);
    return standing.delayMs / 1_000;
  });
  assert.deepEqual(delays, [5, 10, 20, 40, 80, 160, 300, 300, 300]);
});

test('no delay is shorter than the one before or longer than five minutes, whatever the number of attempts', () => {
  const delayOf = (recentAttempts: number) => {
    const standing = after({ recentAttempts }, OPEN);
    return standing.status === 'pending' ? standing.delayMs : assert.fail('it was given up');
  };
  fc.assert(
    fc.property(fc.nat(1_000_000), (attempts) => {
      assert.ok(delayOf(attempts) <= 300_000 && delayOf(attempts) <= delayOf(attempts + 1));
    }),
  );
});

test('an email that may have been taken is tried again after 5 s, 1 min, 12 min, 1 h and 1 h, then never', () => {
  const standings = Array.from({ length: 6 }, (_, unconfirmedAttempts) =>
    // Attempts that were not taken for certain do not count.
    after({ recentAttempts: 100 + unconfirmedAttempts, unconfirmedAttempts }, UNKNOWN),
  );
  const delays = standings.flatMap((standing) => (standing.status === 'pending' ? standing : []));
  assert.deepEqual(
    delays.map(({ delayMs, isUnconfirmed }) => [delayMs / 1_000, isUnconfirmed]),
    [5, 60, 720, 3_600, 3_600].map((seconds) => [seconds, true]),
  );
  const lastError = 'Connection closed';
  assert.deepEqual(standings.at(-1), { status: 'failed', reason: 'delivery_unconfirmed', lastError });
});

test('an email that may have been taken five times is still tried where later attempts are not taken', () => {
  assert.equal(after({ unconfirmedAttempts: 5, recentAttempts: 50 }, OPEN).status, 'pending');
});

for (const [what, trying, result, reason] of [
  ['that nobody took', {}, OPEN, 'delivery_timed_out'],
  ['that may just have been taken', {}, UNKNOWN, 'delivery_unconfirmed'],
  ['that may once have been taken', { unconfirmedAttempts: 1 }, OPEN, 'delivery_unconfirmed'],
] as const) {
  test(`an email ${what} is given up with the first attempt after its time, as ${reason}`, () => {
    const recentAttempts = 500;
    assert.equal(after({ ...trying, recentAttempts, triedForMs: giveUpAfterMs - 1 }, result).status, 'pending');
    assert.deepEqual(after({ ...trying, recentAttempts, triedForMs: giveUpAfterMs }, result), {
      status: 'failed',
      reason,
      lastError: result.reply,
    });
  });
}
