import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { afterAttempt } from './attempt.ts';
import type { AttemptResult } from './attempt.ts';

const giveUpAfterMs = 172_800_000;
const OPEN: AttemptResult = { kind: 'open', reply: '451 Try again later' };
const REFUSED: AttemptResult = { kind: 'refused', reason: 'mailbox_rejected', reply: '550 No such mailbox' };

test('an email that the server takes is sent, however long it was tried', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.nat(2 * giveUpAfterMs), (attempts, triedForMs) => {
      assert.deepEqual(afterAttempt({ attempts, triedForMs }, { kind: 'taken' }, { giveUpAfterMs }), {
        status: 'sent',
      });
    }),
  );
});

test('an email that is refused for good fails at once, with the reason and what the server said', () => {
  assert.deepEqual(afterAttempt({ attempts: 0, triedForMs: 0 }, REFUSED, { giveUpAfterMs }), {
    status: 'failed',
    reason: 'mailbox_rejected',
    lastError: '550 No such mailbox',
  });
});

test('an email that is not taken yet is tried again after 5, 10, 20, 40, 80, 160 and then always 300 seconds', () => {
  const delays = Array.from({ length: 9 }, (_, attempts) => {
    const standing = afterAttempt({ attempts, triedForMs: 0 }, OPEN, { giveUpAfterMs });
    assert.ok(standing.status === 'pending' && standing.lastError === '451 Try again later');
    return standing.delayMs / 1_000;
  });
  assert.deepEqual(delays, [5, 10, 20, 40, 80, 160, 300, 300, 300]);
});

test('no delay is shorter than the one before or longer than five minutes, whatever the number of attempts', () => {
  const delayOf = (attempts: number) => {
    const standing = afterAttempt({ attempts, triedForMs: 0 }, OPEN, { giveUpAfterMs });
    return standing.status === 'pending' ? standing.delayMs : assert.fail('it was given up');
  };
  fc.assert(
    fc.property(fc.nat(1_000_000), (attempts) => {
      assert.ok(delayOf(attempts) <= 300_000 && delayOf(attempts) <= delayOf(attempts + 1));
    }),
  );
});

test('an email that nobody took is given up with the first attempt after its time', () => {
  const after = (triedForMs: number) => afterAttempt({ attempts: 500, triedForMs }, OPEN, { giveUpAfterMs }).status;
  assert.deepEqual([after(giveUpAfterMs - 1), after(giveUpAfterMs)], ['pending', 'failed']);
  assert.deepEqual(afterAttempt({ attempts: 0, triedForMs: giveUpAfterMs }, OPEN, { giveUpAfterMs }), {
    status: 'failed',
    reason: 'delivery_timed_out',
    lastError: '451 Try again later',
  });
});
