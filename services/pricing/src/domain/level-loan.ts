import { comparePresentValue } from './present-value.ts';

/** A loan paid back in `term` equal monthly payments, the first one month after the advance. Sums in cents. */
export type LevelLoan = { readonly amountFinanced: bigint; readonly payment: bigint; readonly term: number };

/** Annual rates are counted in half basis points, because halves are where rounding turns. */
const HALF_BASIS_POINTS_PER_ONE = 20_000;
const MONTHS_PER_YEAR = 12;
const HALF_POINTS_PER_MONTHLY_ONE = HALF_BASIS_POINTS_PER_ONE * MONTHS_PER_YEAR;
const MOST_NEWTON_STEPS = 30;
const NEWTON_IS_CLOSE = 1e-10;

/** What `term` payments of 1 are worth one month before the first, at a monthly rate of zero or more. */
export function presentValueOfPayments(term: number, monthlyRate: number): number {
  const discount = 1 / (1 + monthlyRate);
  let value = 0;
  for (let month = 0; month < term; month += 1) value = discount * (1 + value);
  return value;
}

/**
 * The payment that repays the loan at a rate in basis points, half-up to the cent.
 * A double decides where its error cannot reach the half cent; exact integers do elsewhere.
 */
export function roundPayment(loan: { amountFinanced: bigint; term: number; rateBasisPoints: number }): bigint {
  const { amountFinanced, term, rateBasisPoints } = loan;
  const monthlyRate = (rateBasisPoints * 2) / HALF_POINTS_PER_MONTHLY_ONE;
  const raised = Number(amountFinanced) / presentValueOfPayments(term, monthlyRate) + 0.5;
  const rounded = Math.floor(raised);
  const room = raised * relativeErrorBound(term);
  const certain = raised - rounded > room && rounded + 1 - raised > room;
  return certain ? BigInt(rounded) : roundPaymentExactly(loan);
}

/** Negative, zero or positive as the loan's annual percentage rate is below, at or above the rate. */
export function compareAnnualRate(loan: LevelLoan, halfBasisPoints: number): number {
  const { amountFinanced, payment, term } = loan;
  const advance = Number(amountFinanced);
  const value = Number(payment) * presentValueOfPayments(term, halfBasisPoints / HALF_POINTS_PER_MONTHLY_ONE);
  const room = advance * relativeErrorBound(term);
  if (value > advance + room) return 1;
  if (value < advance - room) return -1;
  return comparePresentValue({
    advance: amountFinanced,
    payments: Array.from({ length: term }, () => payment),
    wholePeriods: 1,
    fraction: { numerator: 0n, denominator: 1n },
    periodRate: { numerator: BigInt(halfBasisPoints), denominator: BigInt(HALF_POINTS_PER_MONTHLY_ONE) },
  });
}

/**
 * The annual percentage rate in basis points, half-up. The payments add up to the amount financed at least.
 * Newton's method only guesses: the two comparisons with the neighbouring halves decide.
 */
export function findAnnualPercentageRate(loan: LevelLoan, guessBasisPoints: number): number {
  const monthlyRate = approximateMonthlyRate(loan, (guessBasisPoints * 2) / HALF_POINTS_PER_MONTHLY_ONE);
  let basisPoints = Math.max(0, Math.round((monthlyRate * HALF_POINTS_PER_MONTHLY_ONE) / 2));
  while (compareAnnualRate(loan, basisPoints * 2 + 1) >= 0) basisPoints += 1;
  while (basisPoints > 0 && compareAnnualRate(loan, basisPoints * 2 - 1) < 0) basisPoints -= 1;
  return basisPoints;
}

function approximateMonthlyRate({ amountFinanced, payment, term }: LevelLoan, guess: number): number {
  const wanted = Number(amountFinanced) / Number(payment);
  let rate = guess;
  for (let step = 0; step < MOST_NEWTON_STEPS; step += 1) {
    const discount = 1 / (1 + rate);
    let value = 0;
    let slope = 0;
    for (let month = 0; month < term; month += 1) {
      slope = 1 + value + discount * slope;
      value = discount * (1 + value);
    }
    const change = (value - wanted) / (slope * discount * discount);
    rate = Math.max(0, rate + change);
    if (Math.abs(change) < NEWTON_IS_CLOSE) return rate;
  }
  return rate;
}

/**
 * How far a double in this file can be from the truth, relative to it: the discount carries at most three roundings,
 * each month adds two more and repeats the discount's, and the sums of money add a few. A rounding is 2^-53.
 */
function relativeErrorBound(term: number): number {
  return (6 * term + 8) * Number.EPSILON;
}

/** amountFinanced / Σ (1 + i)^-k with i = r/p: the sum over the common denominator p^term, then one rounded division. */
function roundPaymentExactly(loan: { amountFinanced: bigint; term: number; rateBasisPoints: number }): bigint {
  const scale = BigInt(HALF_POINTS_PER_MONTHLY_ONE);
  const growth = scale + BigInt(loan.rateBasisPoints * 2);
  let annuity = 0n;
  let grown = 1n;
  for (let month = 0; month < loan.term; month += 1) {
    annuity = annuity * scale + scale * grown;
    grown *= growth;
  }
  return (2n * loan.amountFinanced * grown + annuity) / (2n * annuity);
}
