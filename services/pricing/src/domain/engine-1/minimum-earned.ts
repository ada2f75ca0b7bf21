import type { Policy } from '../deal.ts';
import { roundUpToBasisPoints } from '../decimal-text.ts';

const BASIS_POINTS_PER_ONE = 10_000n;

/** The minimum earned rate, rounded up to whole basis points. */
export function toMinimumEarnedBasisPoints({ premium, minimumEarned }: Policy): number {
  if (minimumEarned.kind === 'amount') {
    return Number((minimumEarned.amount * BASIS_POINTS_PER_ONE + premium - 1n) / premium);
  }
  const basisPoints = roundUpToBasisPoints(minimumEarned.rate);
  if (basisPoints === null) throw new RangeError(`A minimum earned rate of ${minimumEarned.rate} was let through.`);
  return basisPoints;
}
