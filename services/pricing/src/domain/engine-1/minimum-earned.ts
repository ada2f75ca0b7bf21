import type { Cents } from '@pfq/kit/money';
import type { Policy } from '../deal.ts';
import { roundUpToBasisPoints } from '../decimal-text.ts';
import { refuse } from '../problems.ts';

const BASIS_POINTS_PER_ONE = 10_000n;

/** The minimum earned rate, rounded up to whole basis points. Throws VALIDATION_FAILED beyond 0 to 1. */
export function toMinimumEarnedBasisPoints({ premium, minimumEarned }: Policy, index: number): number {
  if (minimumEarned.kind === 'amount') return convertAmount({ premium, amount: minimumEarned.amount, index });
  const basisPoints = roundUpToBasisPoints(minimumEarned.rate);
  if (basisPoints !== null) return basisPoints;
  const param = `policies[${index}].minimum_earned.rate`;
  const message = `${param} must be a fraction from 0 to 1: send 0.25 for 25 %.`;
  return refuse([{ code: 'OUT_OF_RANGE', param, message }]);
}

function convertAmount({ premium, amount, index }: { premium: Cents; amount: Cents; index: number }): number {
  if (amount >= 0n && amount <= premium) return Number((amount * BASIS_POINTS_PER_ONE + premium - 1n) / premium);
  const param = `policies[${index}].minimum_earned.amount`;
  return refuse([{ code: 'OUT_OF_RANGE', param, message: `${param} must be between 0.00 and the premium.` }]);
}
