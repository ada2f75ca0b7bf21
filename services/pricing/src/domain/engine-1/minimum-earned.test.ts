import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCents } from '@pfq/kit/money';
import { makePolicy } from '../deals.test-support.ts';
import type { MinimumEarned } from '../deal.ts';
import { toMinimumEarnedBasisPoints } from './minimum-earned.ts';

const AMOUNTS = [
  { premium: 2_000_000n, amount: 500_000n, basisPoints: 2_500 },
  { premium: 2_000_000n, amount: 500_001n, basisPoints: 2_501 },
  { premium: 300n, amount: 100n, basisPoints: 3_334 },
  { premium: 300n, amount: 0n, basisPoints: 0 },
  { premium: 300n, amount: 300n, basisPoints: 10_000 },
];
for (const { premium, amount, basisPoints } of AMOUNTS) {
  test(`${amount} cents earned of ${premium} is a rate of ${basisPoints} basis points, rounded up`, () => {
    assert.equal(convert({ kind: 'amount', amount: toCents(amount) }, premium), basisPoints);
  });
}

test('a rate is rounded up to whole basis points', () => {
  assert.equal(convert({ kind: 'rate', rate: '0.25' }), 2_500);
  assert.equal(convert({ kind: 'rate', rate: '0.250000000000000000001' }), 2_501);
});

function convert(minimumEarned: MinimumEarned, premium = 2_000_000n): number {
  return toMinimumEarnedBasisPoints(makePolicy({ premium: toCents(premium), minimumEarned }));
}
