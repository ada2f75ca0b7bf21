import { formatMoney, toCents } from '@pfq/kit/money';
import { isWeaker, ratingsDownTo } from './am-best.ts';
import { compare, fraction, roundHalfUp } from './fraction.ts';
import { presentValueOfPayments } from './level-loan.ts';
import { refuseIfAny, type Problems } from './problems.ts';
import type { PricingSettings } from './settings.ts';

const BASIS_POINTS_PER_ONE = 10_000;
const MONTHS_PER_YEAR = 12;

/** Throws VALIDATION_FAILED for settings that are well-formed one by one, but cannot stand together. */
export function refuseContradictions(settings: PricingSettings): void {
  refuseIfAny(findContradictions(settings));
  refuseIfAny(findLostCharge(settings));
}

function findContradictions(settings: PricingSettings): Problems {
  const { centerDownPaymentMin, centerDownPaymentMax, downPaymentSteps: steps } = settings;
  const { ratingAddOns, minimumAmBestRating, legalCap, spreadMin } = settings;
  const needed = ratingsDownTo(minimumAmBestRating);
  const missing = needed.filter((rating) => !ratingAddOns.has(rating));
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
    [highestDownPayment(settings) > 99, 'down_payment_steps', 'must not lead above 99 % from center_down_payment_max'],
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
 * Rounding takes less than a cent off a payment, even where the legal cap takes that cent. So the finance charge of the
 * smallest loan, at the lowest spread over a base rate of zero, must come to a cent a payment: no APR is negative then.
 */
function findLostCharge(settings: PricingSettings): Problems {
  const financed = toCents((settings.premiumMin * BigInt(100 - highestDownPayment(settings))) / 100n);
  const lowestRate = Number(roundHalfUp(settings.spreadMin, BigInt(BASIS_POINTS_PER_ONE))) / BASIS_POINTS_PER_ONE;
  const terms = Array.from({ length: settings.longestTermMonths }, (_, index) => index + 1);
  const lost = terms.find((term) => {
    const payment = Number(financed) / presentValueOfPayments(term, lowestRate / MONTHS_PER_YEAR);
    return payment * term - Number(financed) < term;
  });
  if (lost === undefined) return [];
  const message = `premium_min is too low: as little as ${formatMoney(financed)} could be financed, and over ${lost} months rounding could take the whole finance charge. Raise premium_min, or lower the highest down payment.`;
  return [{ code: 'OUT_OF_RANGE', param: 'premium_min', message }];
}

/** In whole percent. */
function highestDownPayment({ centerDownPaymentMax, downPaymentSteps }: PricingSettings): number {
  return centerDownPaymentMax + Math.max(...downPaymentSteps);
}

function neverFalls({ ratingAddOns, minimumAmBestRating }: PricingSettings): boolean {
  const addOns = ratingsDownTo(minimumAmBestRating).flatMap((rating) => ratingAddOns.get(rating) ?? []);
  return addOns.every((addOn, index) => compare(addOns[index - 1] ?? addOn, addOn) <= 0);
}
