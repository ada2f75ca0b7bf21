import type { Fraction } from './fraction.ts';

/** One advance and payments one unit-period apart, the first after whole unit-periods and a fraction of one. */
type CashFlow = {
  readonly advance: bigint;
  readonly payments: readonly bigint[];
  readonly wholePeriods: number;
  readonly fraction: Fraction;
  /** Interest for one unit-period. */
  readonly periodRate: Fraction;
};

/**
 * Negative, zero or positive as the present value of the payments is below, equal to or above the advance. Exact:
 * both sides of Σ payment_k · (1 + i)^-k = advance · (1 + f·i)(1 + i)^t are multiplied until only integers are left.
 */
export function comparePresentValue({ advance, payments, wholePeriods, fraction, periodRate }: CashFlow): number {
  const { numerator: interest, denominator: unit } = periodRate;
  const growth = unit + interest;
  const [first = 0n, ...later] = payments;
  let paymentSide = first;
  let unitPower = 1n;
  for (const payment of later) {
    unitPower *= unit;
    paymentSide = paymentSide * growth + payment * unitPower;
  }
  paymentSide *= fraction.denominator * unit * unit ** BigInt(wholePeriods);
  const fractionGrowth = fraction.denominator * unit + fraction.numerator * interest;
  const advanceSide = advance * fractionGrowth * growth ** BigInt(wholePeriods + later.length);
  if (paymentSide === advanceSide) return 0;
  return paymentSide < advanceSide ? -1 : 1;
}
