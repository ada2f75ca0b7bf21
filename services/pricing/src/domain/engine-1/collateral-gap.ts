import {
  add,
  fraction,
  larger,
  multiply,
  roundHalfUp,
  smaller,
  subtract,
  toNumber,
  type Fraction,
} from '../fraction.ts';
import { presentValueOfPayments } from '../level-loan.ts';
import type { PricingSettings } from '../settings.ts';
import type { DealFigures } from './figures.ts';

/**
 * What the lender would lose, as a share of the amount financed, if the borrower stopped after any payment, the policy
 * were cancelled and the insurer refunded the unearned premium later. Basis points, half-up.
 */
type GapOf = (loan: { amountFinanced: bigint; term: number }) => number;

type Exposure = { readonly figures: DealFigures; readonly settings: PricingSettings; readonly longestTerm: number };

const BASIS_POINTS_PER_ONE = 10_000;
const MONTHS_PER_YEAR = 12;
/** A month is 365/12 days, so a twelfth of a day is the unit in which every date of the model is whole. */
const TWELFTHS_PER_MONTH = 365;
const DAYS_PER_YEAR = 365;
const ZERO = fraction(0n, 1n);
const ONE = fraction(1n, 1n);
/**
 * Doubles decide where the gap is further than this from a half basis point, in basis points. Their error is below
 * 2^-53 per operation, on values below 100 (1 % of the total is financed at least), times 10,000: under 1e-7 for
 * a thousand operations.
 */
const ROOM = 1e-6;

/** Prepares the gaps of one deal: what is shared between its options is computed once. */
export function prepareGap(exposure: Exposure): GapOf {
  const { settings, longestTerm } = exposure;
  const collateral = Array.from({ length: longestTerm }, (_, paid) => approximateCollateral(exposure, paid));
  const monthlyRate = toNumber(settings.balanceRate) / MONTHS_PER_YEAR;
  const owed = Array.from({ length: longestTerm + 1 }, (_, left) => presentValueOfPayments(left, monthlyRate));
  const growth = toNumber(growthUntilRefund(settings));
  return (loan) => {
    const { term } = loan;
    const advance = Number(loan.amountFinanced);
    // What is owed is the present value of the payments left, for an amount financed of 1 over that of all of them.
    const payoffPerOwed = growth / (owed[term] ?? 1);
    let gap = 0;
    for (let paid = 0; paid < term; paid += 1) {
      gap = Math.max(gap, (owed[term - paid] ?? 0) * payoffPerOwed - (collateral[paid] ?? 0) / advance);
    }
    const raised = gap * BASIS_POINTS_PER_ONE + 0.5;
    const certain = Math.abs(raised - Math.round(raised)) > ROOM;
    return certain ? Math.floor(raised) : roundGapExactly(exposure, loan);
  };
}

/** In cents, as soon after the missed payment as the policy is cancelled. */
function approximateCollateral({ figures, settings }: Exposure, paid: number): number {
  const earned = toNumber(shareUsedUp(figures.policyDays, { settings, paid }));
  let collateral = 0;
  for (const { refundable, minimumEarnedBasisPoints } of figures.policies) {
    collateral += Number(refundable) * (1 - Math.max(minimumEarnedBasisPoints / BASIS_POINTS_PER_ONE, earned));
  }
  return collateral;
}

function roundGapExactly({ figures, settings }: Exposure, loan: { amountFinanced: bigint; term: number }): number {
  let gap = ZERO;
  for (let paid = 0; paid < loan.term; paid += 1) {
    const payoff = multiply(balanceShare(settings.balanceRate, { term: loan.term, paid }), growthUntilRefund(settings));
    const collateral = exactCollateral(figures, shareUsedUp(figures.policyDays, { settings, paid }));
    gap = larger(gap, subtract(payoff, multiply(collateral, fraction(1n, loan.amountFinanced))));
  }
  return Number(roundHalfUp(gap, BigInt(BASIS_POINTS_PER_ONE)));
}

/** The share of the policy used up when it is cancelled for the payment after the `paid` ones made. */
function shareUsedUp(policyDays: number, { settings, paid }: { settings: PricingSettings; paid: number }): Fraction {
  const twelfths = (paid + 1) * TWELFTHS_PER_MONTH + settings.cancellationNoticeDays * MONTHS_PER_YEAR;
  return smaller(ONE, fraction(BigInt(twelfths), BigInt(policyDays * MONTHS_PER_YEAR)));
}

/** Simple interest over the month missed, the notice and the wait for the refund. */
function growthUntilRefund({ balanceRate, cancellationNoticeDays, refundDays }: PricingSettings): Fraction {
  const twelfths = TWELFTHS_PER_MONTH + (cancellationNoticeDays + refundDays) * MONTHS_PER_YEAR;
  const years = fraction(BigInt(twelfths), BigInt(DAYS_PER_YEAR * MONTHS_PER_YEAR));
  return add(ONE, multiply(balanceRate, years));
}

function exactCollateral({ policies }: DealFigures, usedUp: Fraction): Fraction {
  return policies.reduce((sum, { refundable, minimumEarnedBasisPoints }) => {
    const minimum = fraction(BigInt(minimumEarnedBasisPoints), BigInt(BASIS_POINTS_PER_ONE));
    return add(sum, multiply(subtract(ONE, larger(minimum, usedUp)), fraction(refundable, 1n)));
  }, ZERO);
}

/** Balance after `paid` of `term` exact level payments on 1: ((1+i)^term − (1+i)^paid) / ((1+i)^term − 1). */
function balanceShare(balanceRate: Fraction, { term, paid }: { term: number; paid: number }): Fraction {
  if (balanceRate.numerator === 0n) return fraction(BigInt(term - paid), BigInt(term));
  const unit = balanceRate.denominator * BigInt(MONTHS_PER_YEAR);
  const growth = unit + balanceRate.numerator;
  const whole = growth ** BigInt(term);
  return fraction(whole - growth ** BigInt(paid) * unit ** BigInt(term - paid), whole - unit ** BigInt(term));
}
