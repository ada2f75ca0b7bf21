import type { AmBestRating } from '../am-best.ts';
import {
  add,
  compare,
  fraction,
  larger,
  multiply,
  roundHalfUp,
  smaller,
  toNumber,
  type Fraction,
} from '../fraction.ts';
import type { PricingSettings } from '../settings.ts';
import type { DealFigures } from './figures.ts';

/** The annual rate of an option, and whether the spread or the rate met a limit. */
export type OptionRate = { readonly rateBasisPoints: number; readonly spreadClamped: boolean };

/** `baseRate` is the rate sheet's at the option's average life. */
type RateOf = (option: { baseRate: Fraction; gapBasisPoints: number }) => OptionRate;

type Spread = { readonly beforeGap: Fraction; readonly settings: PricingSettings };

const BASIS_POINTS_PER_ONE = 10_000;
const ZERO = fraction(0n, 1n);
/**
 * Doubles decide where everything is further than this from where it would turn, as a fraction. A rate takes about ten
 * operations on values near 1 or below, each wrong by 2^-53 at most: under 1e-14.
 */
const ROOM = 1e-12;

/** Prepares the rates of one deal: the spread is the same for all its options but for the gap. */
export function prepareRate(figures: DealFigures, settings: PricingSettings): RateOf {
  const beforeGap = sumSpreadBeforeGap(figures, settings);
  const [start, weight] = [toNumber(beforeGap), toNumber(settings.gapWeight)];
  const [lowest, highest] = [toNumber(settings.spreadMin), toNumber(settings.spreadMax)];
  return ({ baseRate, gapBasisPoints }) => {
    const spread = start + (weight * gapBasisPoints) / BASIS_POINTS_PER_ONE;
    const clamped = Math.min(highest, Math.max(lowest, spread));
    const raised = (toNumber(baseRate) + clamped) * BASIS_POINTS_PER_ONE + 0.5;
    const certain =
      Math.abs(spread - lowest) > ROOM &&
      Math.abs(spread - highest) > ROOM &&
      Math.abs(raised - Math.round(raised)) > ROOM * BASIS_POINTS_PER_ONE;
    if (!certain) return findExactRate({ beforeGap, settings }, { baseRate, gapBasisPoints });
    return holdToCap(Math.floor(raised), { spreadClamped: clamped !== spread, legalCap: settings.legalCap });
  };
}

function sumSpreadBeforeGap({ policies, premium, total }: DealFigures, settings: PricingSettings): Fraction {
  const fixedCost = smaller(settings.fixedCostMaxRate, fraction(settings.fixedCost, total));
  const weighted = policies.reduce((sum, policy) => {
    const rating = readRatingAddOn(settings, policy.rating);
    const assumed = policy.ratingAssumed ? settings.assumedRatingAddOn : ZERO;
    const auditable = policy.auditable ? settings.auditableAddOn : ZERO;
    return add(sum, multiply(add(add(rating, assumed), auditable), fraction(policy.premium, 1n)));
  }, ZERO);
  return add(add(settings.baseMargin, fixedCost), multiply(weighted, fraction(1n, premium)));
}

function readRatingAddOn({ ratingAddOns }: PricingSettings, rating: AmBestRating): Fraction {
  const addOn = ratingAddOns.get(rating);
  if (addOn === undefined) throw new RangeError(`The settings finance the rating ${rating} without an add-on for it.`);
  return addOn;
}

function findExactRate({ beforeGap, settings }: Spread, option: Parameters<RateOf>[0]): OptionRate {
  const gap = fraction(BigInt(option.gapBasisPoints), BigInt(BASIS_POINTS_PER_ONE));
  const spread = add(beforeGap, multiply(settings.gapWeight, gap));
  const clamped = smaller(settings.spreadMax, larger(settings.spreadMin, spread));
  const rounded = roundHalfUp(add(option.baseRate, clamped), BigInt(BASIS_POINTS_PER_ONE));
  return holdToCap(Number(rounded), { spreadClamped: compare(clamped, spread) !== 0, legalCap: settings.legalCap });
}

function holdToCap(rounded: number, { spreadClamped, legalCap }: { spreadClamped: boolean; legalCap: number }) {
  return { rateBasisPoints: Math.min(rounded, legalCap), spreadClamped: spreadClamped || rounded > legalCap };
}
