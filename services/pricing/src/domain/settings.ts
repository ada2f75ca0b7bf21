import { isExactJsonObject, parseExactJson, type ExactJsonObject } from './exact-json.ts';
import { refuse, refuseIfAny, type Problems } from './problems.ts';
import * as kind from './setting-kinds.ts';
import type { SettingKind } from './setting-kinds.ts';
import { findBrokenPromises, findContradictions } from './settings-promises.ts';

/** Every constant of the pricing model, once: it feeds the engine, `pfq settings` and the documents. */
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
  rateSheetMaxAgeDays: setting(kind.orNull(kind.whole(1, 3660)), '7', 'Age at which a rate sheet stops pricing.'),
} as const;

type Name = keyof typeof SETTINGS;

/** One version of the pricing settings. Rates of any decimals are exact fractions; basis points and percent are numbers. */
export type PricingSettings = {
  readonly [Key in Name]: (typeof SETTINGS)[Key] extends Setting<infer Value> ? Value : never;
};

type Setting<Value> = SettingKind<Value> & { readonly initial: string; readonly meaning: string };

const NAMES = Object.keys(SETTINGS) as Name[];

/**
 * Reads settings from JSON with every field present, decimals kept exactly.
 * Throws INVALID_JSON, or VALIDATION_FAILED with every problem.
 */
export function parseSettings(text: string): PricingSettings {
  const json = parseExactJson(text);
  if (!isExactJsonObject(json)) {
    refuse([{ code: 'INVALID_TYPE', message: 'Settings must be one JSON object that names every setting.' }]);
  }
  const problems: Problems = [];
  const values = NAMES.map((name) => [name, readSetting(name, { json, problems })]);
  reportUnknownFields(json, problems);
  refuseIfAny(problems);
  const settings = Object.fromEntries(values) as PricingSettings;
  refuseIfAny(findContradictions(settings));
  refuseIfAny(findBrokenPromises(settings));
  return settings;
}

/** Writes settings as the JSON that `parseSettings` reads. */
export function formatSettings(settings: PricingSettings): string {
  return writeJson((name) => writeSetting(settings, name));
}

export const DEFAULT_SETTINGS = parseSettings(writeJson((name) => SETTINGS[name].initial));

/** The public name of a setting: `legalCap` is `legal_cap`. */
export function toFieldName(name: Name): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function setting<Value>(settingKind: SettingKind<Value>, initial: string, meaning: string): Setting<Value> {
  return { ...settingKind, initial, meaning };
}

function readSetting(name: Name, { json, problems }: { json: ExactJsonObject; problems: Problems }): unknown {
  const param = toFieldName(name);
  const { expected, read } = SETTINGS[name];
  const given = Object.hasOwn(json, param) ? json[param] : undefined;
  const value = given === undefined ? undefined : read(given);
  if (value === undefined) {
    const code = given === undefined ? 'REQUIRED' : 'INVALID_VALUE';
    const message = given === undefined ? `${param} is missing. It` : param;
    problems.push({ code, param, message: `${message} must be ${expected}.` });
  }
  return value;
}

function writeSetting(settings: PricingSettings, name: Name): string {
  const { write } = SETTINGS[name] as Setting<PricingSettings[Name]>;
  return write(settings[name]);
}

function writeJson(write: (name: Name) => string): string {
  return `{\n${NAMES.map((name) => `  "${toFieldName(name)}": ${write(name)}`).join(',\n')}\n}\n`;
}

function reportUnknownFields(json: ExactJsonObject, problems: Problems): void {
  const known = new Set(NAMES.map(toFieldName));
  for (const param of Object.keys(json).filter((field) => !known.has(field))) {
    problems.push({ code: 'UNKNOWN_FIELD', param, message: `${param} is no pricing setting. Remove it.` });
  }
}
