import { formatMoney, toCents } from '@pfq/kit/money';
import { isWeaker, ratingsDownTo } from './am-best.ts';
import { compare, fraction, toNumber } from './fraction.ts';
import { presentValueOfPayments } from './level-loan.ts';
import type { Problems } from './problems.ts';
import type { PricingSettings } from './settings.ts';

const BASIS_POINTS_PER_ONE = 10_000;
const MONTHS_PER_YEAR = 12;

/** Settings that are well-formed one by one, but deny each other. */
export function findContradictions(settings: PricingSettings): Problems {
  const { centerDownPaymentMin, centerDownPaymentMax, downPaymentSteps: steps } = settings;
  const { ratingAddOns, minimumAmBestRating, legalCap, spreadMin } = settings;
  const needed = ratingsDownTo(minimumAmBestRating);
  const missing = needed.filter((rating) => !ratingAddOns.has(rating));
  const highest = centerDownPaymentMax + Math.max(...steps);
  const rules: [broken: boolean, param: string, message: string][] = [
    [settings.premiumMax < settings.premiumMin, 'premium_max', 'must be at least premium_min'],
    [
      isWeaker(settings.assumedAmBestRating, minimumAmBestRating),
      'assumed_am_best_rating',
      `must be ${minimumAmBestRating} (minimum_am_best_rating) or better`,
    ],
    [missing.length > 0, 'rating_add_ons', `must also hold ${missing.join(', ')}: these ratings are financed`],
    [!neverFalls(settings), 'rating_add_ons', 'must not add less for a weaker rating than for a better one'],
    [
      centerDownPaymentMax < centerDownPaymentMin,
      'center_down_payment_max',
      'must be at least center_down_payment_min',
    ],
    [steps.some((step, index) => step <= (steps[index - 1] ?? -100)), 'down_payment_steps', 'must rise'],
    [
      centerDownPaymentMin + Math.min(...steps) < 0,
      'down_payment_steps',
      'must not lead below 0 % from center_down_payment_min',
    ],
    [highest > 99, 'down_payment_steps', 'must not lead above 99 % from center_down_payment_max'],
    [compare(settings.spreadMax, spreadMin) < 0, 'spread_max', 'must be at least spread_min'],
    [
      compare(fraction(BigInt(legalCap), BigInt(BASIS_POINTS_PER_ONE)), spreadMin) < 0,
      'legal_cap',
      'must be at least spread_min',
    ],
  ];
  return rules
    .filter(([broken]) => broken)
    .map(([, param, rule]) => ({ code: 'INVALID_VALUE', param, message: `${param} ${rule}.` }));
}

/**
 * Settings under which whole cents could turn the grid around: for the smallest loan, whatever the rate sheet, a longer
 * term must lower the payment and raise the charge, and a higher down payment must not raise the charge.
 */
export function findBrokenPromises(settings: PricingSettings): Problems {
  const problems: Problems = [];
  const terms = Array.from({ length: settings.longestTermMonths }, (_, index) => index + 1);
  const loan = smallestLoan(settings);
  if (terms.some((term) => !longerTermLowersPayment(loan, term))) {
    const message = 'longest_term_months is too long for legal_cap: a longer term could raise the payment. Lower it.';
    problems.push({ code: 'OUT_OF_RANGE', param: 'longest_term_months', message });
  }
  if (terms.some((term) => !longerTermRaisesCharge(loan, term))) {
    const smallest = formatMoney(toCents(BigInt(Math.floor(loan.amountFinanced))));
    const message = `premium_min is too low: as little as ${smallest} could be financed, where cents of rounding outweigh the interest. Raise it, or spread_min, or lower the highest down payment.`;
    problems.push({ code: 'OUT_OF_RANGE', param: 'premium_min', message });
  }
  if (terms.some((term) => !higherDownPaymentLowersCharge(loan, term))) {
    const message =
      'down_payment_steps are too close for premium_min: cents of rounding outweigh the interest between two down payments. Space them further, or raise premium_min.';
    problems.push({ code: 'OUT_OF_RANGE', param: 'down_payment_steps', message });
  }
  return problems;
}

/** The least that can be financed, in cents, the least that the smallest step takes off it, and the annual rates. */
type SmallestLoan = {
  readonly amountFinanced: number;
  readonly step: number;
  readonly lowestRate: number;
  /** Of a loan so large that the fixed cost adds nothing. */
  readonly lowestRateOfAny: number;
  readonly cap: number;
};

function smallestLoan(settings: PricingSettings): SmallestLoan {
  const { downPaymentSteps: steps, legalCap } = settings;
  const premium = Number(settings.premiumMin);
  const highest = settings.centerDownPaymentMax + Math.max(...steps);
  const gaps = steps.slice(1).map((step, index) => step - (steps[index] ?? 0));
  const cap = legalCap / BASIS_POINTS_PER_ONE;
  return {
    amountFinanced: (premium * (100 - highest)) / 100 - 1,
    step: (premium * Math.min(100, ...gaps)) / 100 - 1,
    lowestRate: Math.min(cap, lowestSpread(settings, Number(settings.fixedCost) / premium)),
    lowestRateOfAny: Math.min(cap, lowestSpread(settings, 0)),
    cap,
  };
}

/** The spread of the best policy. It falls with the total, but never so fast that a larger loan bears less interest. */
function lowestSpread(settings: PricingSettings, fixedCostRate: number): number {
  const [spreadMin, spreadMax] = [toNumber(settings.spreadMin), toNumber(settings.spreadMax)];
  const addOns = [...settings.ratingAddOns.values()].map(toNumber);
  const margin = toNumber(settings.baseMargin) + Math.min(...addOns) + Math.min(0, toNumber(settings.auditableAddOn));
  if (margin < 0) return spreadMin;
  const fixed = Math.min(toNumber(settings.fixedCostMaxRate), fixedCostRate);
  return Math.min(spreadMax, Math.max(spreadMin, margin + fixed));
}

/** The next longer term at the cap against this one at the lowest rate: no rate sheet rises by more. */
function longerTermLowersPayment({ lowestRateOfAny, cap, amountFinanced }: SmallestLoan, term: number): boolean {
  if (term === 1) return true;
  const shorter = amountFinanced / presentValueOfPayments(term - 1, lowestRateOfAny / MONTHS_PER_YEAR);
  return shorter - amountFinanced / presentValueOfPayments(term, cap / MONTHS_PER_YEAR) > 1.5;
}

/** A payment is rounded by half a cent at most, but at the cap it may be a cent below the exact one. */
function longerTermRaisesCharge({ amountFinanced, lowestRate, cap }: SmallestLoan, term: number): boolean {
  const rise = (rate: number) => amountFinanced * (chargeOfOne(term, rate) - chargeOfOne(term - 1, rate));
  return rise(lowestRate) > term - 0.5 && rise(cap) > term * 1.5 - 0.5;
}

function higherDownPaymentLowersCharge({ step, lowestRate, cap }: SmallestLoan, term: number): boolean {
  return step * chargeOfOne(term, lowestRate) >= term && step * chargeOfOne(term, cap) >= term * 1.5;
}

/** The unrounded finance charge on an amount financed of 1. */
function chargeOfOne(term: number, annualRate: number): number {
  return term === 0 ? 0 : term / presentValueOfPayments(term, annualRate / MONTHS_PER_YEAR) - 1;
}

function neverFalls({ ratingAddOns, minimumAmBestRating }: PricingSettings): boolean {
  const addOns = ratingsDownTo(minimumAmBestRating).flatMap((rating) => ratingAddOns.get(rating) ?? []);
  return addOns.every((addOn, index) => compare(addOns[index - 1] ?? addOn, addOn) <= 0);
}
