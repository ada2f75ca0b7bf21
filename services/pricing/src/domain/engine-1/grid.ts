import { toCents, type Cents } from '@pfq/kit/money';
import { compareAnnualRate, findAnnualPercentageRate, roundPayment, type LevelLoan } from '../level-loan.ts';
import type { Option } from '../priced-deal.ts';
import { readBaseRate } from '../rate-sheet.ts';
import type { ReferenceData } from '../reference.ts';
import type { PricingSettings } from '../settings.ts';
import { prepareGap } from './collateral-gap.ts';
import type { DealFigures } from './figures.ts';
import { prepareRate, type OptionRate } from './rate.ts';

const BASIS_POINTS_PER_PERCENT = 100;
const DAYS_PER_YEAR = 365;
const MONTHS_PER_YEAR = 12;

/** Every option of an eligible deal, by down payment, then term. */
export function buildGrid(figures: DealFigures, { settings, rateSheet }: ReferenceData): Option[] {
  const terms = listTerms(figures.wholeMonths, settings).map((term) => ({
    term,
    // Half of (term + 1) months is the average life of level payments; the sheet is read in half months.
    baseRate: readBaseRate(rateSheet, term + 1),
  }));
  const gapOf = prepareGap({ figures, settings, longestTerm: terms.at(-1)?.term ?? 1 });
  const rateOf = prepareRate(figures, settings);
  return listDownPayments(figures, settings).flatMap((percent) => {
    const downPayment = takePercent(figures.total, percent);
    const amountFinanced = figures.total - downPayment;
    return terms.map(({ term, baseRate }) => {
      const gapBasisPoints = gapOf({ amountFinanced, term });
      const rate = rateOf({ baseRate, gapBasisPoints });
      return priceOption({ percent, downPayment, amountFinanced, term, gapBasisPoints, rate, settings });
    });
  });
}

/**
 * The option to show first: the lowest down payment, then the longest term, among those whose gap is small enough;
 * where none is, the highest down payment and the shortest term.
 */
export function recommendOption(options: readonly Option[], settings: PricingSettings): Option | null {
  const safe = options.filter((option) => option.collateralGapBasisPoints <= settings.recommendedGapMax);
  const lowest = safe[0]?.downPaymentBasisPoints;
  if (lowest !== undefined) return safe.findLast((option) => option.downPaymentBasisPoints === lowest) ?? null;
  const highest = options.at(-1)?.downPaymentBasisPoints;
  return options.find((option) => option.downPaymentBasisPoints === highest) ?? null;
}

/** Whole percents around a centre that covers the minimum earned and what is used up when a first payment is missed. */
function listDownPayments({ policyDays, weightedMinimumEarnedBasisPoints }: DealFigures, settings: PricingSettings) {
  const twelfths = DAYS_PER_YEAR + settings.cancellationNoticeDays * MONTHS_PER_YEAR;
  // Quotients of small integers: a double of one is whole only where the quotient is, so that rounding up is exact.
  const usedUpPercent = Math.ceil((twelfths * 100) / (policyDays * MONTHS_PER_YEAR));
  const earnedPercent = Math.ceil(weightedMinimumEarnedBasisPoints / BASIS_POINTS_PER_PERCENT);
  const wanted = Math.max(settings.centerDownPaymentMin, earnedPercent, usedUpPercent);
  const center = Math.min(wanted, settings.centerDownPaymentMax);
  return settings.downPaymentSteps.map((step) => center + step);
}

function listTerms(wholeMonths: number, { longestTermMonths, monthsKeptClear, termCount }: PricingSettings): number[] {
  const longest = Math.max(1, Math.min(longestTermMonths, wholeMonths - monthsKeptClear));
  const count = Math.min(termCount, longest);
  return Array.from({ length: count }, (_, index) => longest - count + 1 + index);
}

function takePercent(total: Cents, percent: number): bigint {
  return (total * BigInt(percent) * 2n + 100n) / 200n;
}

type OptionParts = {
  readonly percent: number;
  readonly downPayment: bigint;
  readonly amountFinanced: bigint;
  readonly term: number;
  readonly gapBasisPoints: number;
  readonly rate: OptionRate;
  readonly settings: PricingSettings;
};

function priceOption(parts: OptionParts): Option {
  const { percent, downPayment, amountFinanced, term } = parts;
  const { rateBasisPoints, spreadClamped } = parts.rate;
  const payment = findPayment({ amountFinanced, term, rateBasisPoints, legalCap: parts.settings.legalCap });
  const totalOfPayments = payment * BigInt(term);
  return {
    id: `opt_${percent}_${term}`,
    downPaymentBasisPoints: percent * BASIS_POINTS_PER_PERCENT,
    termMonths: term,
    aprBasisPoints: findAnnualPercentageRate({ amountFinanced, payment, term }, rateBasisPoints),
    downPayment: toCents(downPayment),
    amountFinanced: toCents(amountFinanced),
    monthlyPayment: toCents(payment),
    financeCharge: toCents(totalOfPayments - amountFinanced),
    totalOfPayments: toCents(totalOfPayments),
    totalCost: toCents(downPayment + totalOfPayments),
    spreadClamped,
    rateBasisPoints,
    collateralGapBasisPoints: parts.gapBasisPoints,
  };
}

/** Rounding a payment up can lift its APR over the legal cap; a cent less then brings it back. */
function findPayment(loan: Omit<LevelLoan, 'payment'> & { rateBasisPoints: number; legalCap: number }): bigint {
  const payment = roundPayment(loan);
  return compareAnnualRate({ ...loan, payment }, loan.legalCap * 2) > 0 ? payment - 1n : payment;
}
