import * as kind from './setting-kinds.ts';
import type { SettingKind } from './setting-kinds.ts';

/**
 * Every constant of the pricing model, once: it feeds the engine, `pfq settings` and the documents. Versions on file are
 * read by it for ever: a range may widen, never narrow; a name stays; a new one needs a value for the versions before it.
 */
export const SETTINGS = {
  financedStates: setting(kind.listOf(kind.state(), 60), '["TX"]', 'States whose insureds are financed.'),
  premiumMin: setting(kind.money('0.01'), '"4500.00"', 'Smallest total of premium, taxes and fees.'),
  premiumMax: setting(kind.money('0.01'), '"175000.00"', 'Largest total of premium, taxes and fees.'),
  minimumAmBestRating: setting(kind.scaleRating(), '"A-"', 'Weakest rating that is financed.'),
  assumedAmBestRating: setting(kind.scaleRating(), '"A-"', 'Rating assumed where none is on file.'),
  backdateMaxDays: setting(kind.whole(0, 365), '30', 'Most days that the first policy may have begun before today.'),
  policyTermMinMonths: setting(kind.whole(1, 120), '3', 'Fewest whole months that a policy must run.'),
  minimumEarnedMax: setting(kind.basisPoints('0', '1'), '0.9', 'Highest weighted minimum earned rate.'),
  centerDownPaymentMin: setting(kind.percent('0', '0.99'), '0.2', 'Lowest middle of the down payments.'),
  centerDownPaymentMax: setting(kind.percent('0', '0.99'), '0.85', 'Highest middle of the down payments.'),
  downPaymentSteps: setting(
    kind.listOf(kind.percent('-0.99', '0.99'), 20),
    '[-0.1, -0.05, 0, 0.05, 0.1]',
    'Down payments, as distances from the middle.',
  ),
  longestTermMonths: setting(kind.whole(1, 24), '10', 'Most payments. An 11th on a 12-month policy needs 70 % down.'),
  monthsKeptClear: setting(kind.whole(0, 24), '2', 'Months of the policy that follow the last payment at least.'),
  termCount: setting(kind.whole(1, 24), '6', 'How many terms are offered, the longest and those before it.'),
  cancellationNoticeDays: setting(kind.whole(0, 365), '20', 'Days from a missed payment to cancellation.'),
  refundDays: setting(kind.whole(0, 365), '60', "Days from cancellation to the insurer's refund."),
  balanceRate: setting(kind.decimal('0', '1'), '0.09', 'Yearly rate by which the gap lets the balance run.'),
  baseMargin: setting(kind.decimal('0', '1'), '0.04', 'Funding margin, servicing, loss and profit.'),
  fixedCost: setting(kind.money('0.00'), '"218.00"', 'Cost of one loan, spread over its total.'),
  fixedCostMaxRate: setting(kind.decimal('0', '1'), '0.03', 'Most that the fixed cost adds to the rate.'),
  ratingAddOns: setting(
    kind.ratingAddOns('-1', '1'),
    '{ "A++": -0.005, "A+": -0.0025, "A": 0, "A-": 0.0025 }',
    'What each rating adds to the rate.',
  ),
  assumedRatingAddOn: setting(kind.decimal('0', '1'), '0.005', 'Added where the rating was assumed.'),
  auditableAddOn: setting(kind.decimal('-1', '1'), '0.0025', 'Added where the policy is auditable.'),
  gapWeight: setting(kind.decimal('0', '1'), '0.1', 'Share of the collateral gap added to the rate.'),
  spreadMin: setting(kind.decimal('0.01', '1'), '0.03', 'Lowest spread over the base rate.'),
  spreadMax: setting(kind.decimal('0.01', '1'), '0.09', 'Highest spread over the base rate.'),
  legalCap: setting(kind.basisPoints('0.01', '1'), '0.18', 'Highest annual percentage rate allowed by law.'),
  recommendedGapMax: setting(kind.basisPoints('0', '1'), '0.03', 'Largest gap of an option that is recommended.'),
  rateSheetMaxAgeDays: setting(
    kind.orNull(kind.whole(1, 3660)),
    '7',
    'Days after which a rate sheet prices no more; null is never.',
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** One version of the pricing settings. Rates of any decimals are exact fractions; basis points and percent are numbers. */
export type PricingSettings = {
  readonly [Key in SettingName]: (typeof SETTINGS)[Key] extends Setting<infer Value> ? Value : never;
};

/** `initial` is the JSON text of its default. */
export type Setting<Value> = SettingKind<Value> & { readonly initial: string; readonly meaning: string };

/** The public name of a setting: `legalCap` is `legal_cap`. */
export function toFieldName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function setting<Value>(settingKind: SettingKind<Value>, initial: string, meaning: string): Setting<Value> {
  return { ...settingKind, initial, meaning };
}
