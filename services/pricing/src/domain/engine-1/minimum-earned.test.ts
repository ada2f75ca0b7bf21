import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
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

const REFUSED: readonly { given: MinimumEarned; param: string }[] = [
  { given: { kind: 'rate', rate: '25' }, param: 'policies[3].minimum_earned.rate' },
  { given: { kind: 'rate', rate: '1.00000000000000000001' }, param: 'policies[3].minimum_earned.rate' },
  { given: { kind: 'rate', rate: '-0.1' }, param: 'policies[3].minimum_earned.rate' },
  { given: { kind: 'amount', amount: toCents(301n) }, param: 'policies[3].minimum_earned.amount' },
  { given: { kind: 'amount', amount: toCents(-1n) }, param: 'policies[3].minimum_earned.amount' },
];
for (const { given, param } of REFUSED) {
  test(`a minimum earned of ${given.kind === 'rate' ? given.rate : given.amount} beyond the premium is refused`, () => {
    assert.throws(
      () => convert(given, 300n),
      (error) => error instanceof ServiceError && error.code === 'VALIDATION_FAILED' && error.param === param,
    );
  });
}

function convert(minimumEarned: MinimumEarned, premium: bigint): number {
  return toMinimumEarnedBasisPoints(makePolicy({ premium: toCents(premium), minimumEarned }), 3);
}
