import fc from 'fast-check';
import { toCents } from '@pfq/kit/money';
import type { Deal, Policy } from './deal.ts';
import { changeSettings, makeDeal, makePolicy, makeReference } from './deals.test-support.ts';
import type { OracleCase, OraclePolicy, OracleSettings } from './oracle.test-support.ts';
import { parseRateSheet } from './rate-sheet.ts';
import type { ReferenceData } from './reference.ts';
import type { PricingSettings } from './settings.ts';

const CARRIER_OF_RATING = {
  'A++': 'Plains Mutual',
  'A+': 'Bluebonnet Casualty',
  A: 'Caprock Fire',
  'A-': 'Llano Indemnity',
};

/** Five percent of it, over two years at 1 %, still bear a cent a payment. */
const SMALLEST_CENTS = 60_000n;

const DEFAULT_ORACLE_SETTINGS: OracleSettings = {
  premiumMinCents: 450_000n,
  steps: [-10, -5, 0, 5, 10],
  centerMinPercent: 20,
  centerMaxPercent: 85,
  longestTerm: 10,
  monthsKeptClear: 2,
  termCount: 6,
  noticeDays: 20,
  refundDays: 60,
  balanceRate: '0.09',
  baseMargin: '0.04',
  fixedCostCents: 21_800n,
  fixedCostMax: '0.03',
  addOns: { 'A++': '-0.0050', 'A+': '-0.0025', A: '0', 'A-': '0.0025' },
  assumedAddOn: '0.0050',
  auditableAddOn: '0.0025',
  gapWeight: '0.10',
  spreadMin: '0.03',
  spreadMax: '0.09',
  legalCap: '0.18',
  recommendedGapMax: '0.03',
};

/** The same deal in the engine's words. */
export function toEngineInput(sample: OracleCase): { deal: Deal; reference: ReferenceData } {
  const policies = sample.policies.map((policy) => toPolicy(policy, sample));
  const rates = sample.rates.map(({ months, rate }) => `"${months}": ${rate}`).join(', ');
  const rateSheet = parseRateSheet(`{ "as_of": "2026-11-20", "source": "test", "rates": { ${rates} } }`);
  const deal = makeDeal(policies, { today: sample.effectiveDate });
  return { deal, reference: makeReference({ rateSheet, settings: toSettings(sample.settings) }) };
}

/** Deals as they come: several policies, fees, ratings, terms and rate sheets, under the default settings. */
export function dealsUnderDefaultSettings(): fc.Arbitrary<OracleCase> {
  return fc.record({ ...datesAndPolicies(), settings: fc.constant(DEFAULT_ORACLE_SETTINGS) }).map(spreadDates);
}

/** The same under settings not far from the defaults. */
export function dealsUnderNearbySettings(): fc.Arbitrary<OracleCase> {
  return fc.record({ ...datesAndPolicies(), settings: nearbySettings() }).map(spreadDates);
}

/** Smaller and longer loans too, under any settings that an operator may choose. */
export function dealsUnderAnySettings(): fc.Arbitrary<OracleCase> {
  return fc.record({ ...datesAndPolicies(SMALLEST_CENTS), settings: anySettings() }).map(spreadDates);
}

/** One round policy over a few months, where figures fall on exact halves again and again. */
export function dealsFullOfTies(): fc.Arbitrary<OracleCase> {
  const policy = fc.record({
    premiumCents: fc.oneof(
      multiplesOf(80_000n),
      multiplesOf(800_000n),
      fc.bigInt({ min: 225_000n, max: 400_000n }).map((half) => half * 2n),
    ),
    fees: fc.constant([]),
    minimumEarned: fc.record({
      rate: fc.oneof(
        fc.constantFrom('0.25', '0.9', '0.5005'),
        fc.integer({ min: 8_401, max: 8_999 }).map((basisPoints) => decimalText(basisPoints, 4)),
      ),
    }),
    rating: fc.constantFrom('A', 'A-', null),
    auditable: fc.boolean(),
  });
  const settings = fc.constantFrom(
    DEFAULT_ORACLE_SETTINGS,
    { ...DEFAULT_ORACLE_SETTINGS, noticeDays: 13, centerMinPercent: 30, steps: [-25, -5, 0, 10] },
    { ...DEFAULT_ORACLE_SETTINGS, noticeDays: 13, gapWeight: '0.005', spreadMax: '0.06005' },
    { ...DEFAULT_ORACLE_SETTINGS, balanceRate: '0', gapWeight: '0.25', legalCap: '0.1' },
  );
  const sample = fc.record({
    effectiveDate: fc.constant('2027-01-01'),
    months: fc.integer({ min: 3, max: 5 }),
    extraDays: fc.constant(0),
    policies: fc.tuple(policy),
    rates: fc.constantFrom([{ months: 1, rate: '0.04' }], [{ months: 2, rate: '0.03125' }]),
    settings,
  });
  return sample.map(spreadDates);
}

type Dated = Omit<OracleCase, 'expirationDate'> & { readonly months: number; readonly extraDays: number };

function spreadDates({ months, extraDays, ...sample }: Dated): OracleCase {
  const [year = 0, month = 0, day = 0] = sample.effectiveDate.split('-').map(Number);
  const expiration = new Date(Date.UTC(year, month - 1 + months, day + extraDays));
  return { ...sample, expirationDate: expiration.toISOString().slice(0, 10) };
}

function datesAndPolicies(leastPremiumCents = DEFAULT_ORACLE_SETTINGS.premiumMinCents) {
  return {
    effectiveDate: fc
      .date({ min: new Date('2027-01-01T00:00:00Z'), max: new Date('2036-12-31T00:00:00Z'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    // The third month may end a day late, so that a start on the 31st still makes three whole months.
    months: fc.oneof(fc.constant(12), fc.integer({ min: 3, max: 30 })),
    extraDays: fc.integer({ min: 1, max: 20 }),
    policies: fc.array(oraclePolicy(leastPremiumCents), { minLength: 1, maxLength: 5 }),
    rates: oracleRates(),
  };
}

function oraclePolicy(leastPremiumCents: bigint): fc.Arbitrary<OraclePolicy> {
  const premium = fc.oneof(
    fc.bigInt({ min: leastPremiumCents / 10_000n, max: 400n }).map((hundreds) => hundreds * 10_000n),
    fc.bigInt({ min: leastPremiumCents, max: 3_000_000n }),
  );
  return premium.chain((premiumCents) =>
    fc.record({
      premiumCents: fc.constant(premiumCents),
      fees: fc.array(fc.record({ cents: fc.bigInt({ min: 0n, max: 90_000n }), earned: fc.boolean() }), {
        maxLength: 3,
      }),
      minimumEarned: fc.oneof(
        fc.record({ rate: fc.constantFrom('0', '0.1', '0.25', '0.2500001', '0.35', '0.9') }),
        fc.record({ rate: fc.integer({ min: 0, max: 899_999 }).map((millionths) => decimalText(millionths, 6)) }),
        fc.record({ cents: fc.bigInt({ min: 0n, max: (premiumCents * 9n) / 10n }) }),
      ),
      rating: fc.constantFrom('A++', 'A+', 'A', 'A-', null),
      auditable: fc.boolean(),
    }),
  );
}

function oracleRates() {
  const flat = fc.constantFrom('0.04', '0.0525', '0.0431', '0').map((rate) => [{ months: 3, rate }]);
  const tenor = fc.record({
    months: fc.integer({ min: 1, max: 24 }),
    rate: fc.integer({ min: 0, max: 90_000 }).map((millionths) => decimalText(millionths, 6)),
  });
  const bent = fc.uniqueArray(tenor, { minLength: 1, maxLength: 4, selector: ({ months }) => months });
  return fc.oneof(flat, bent);
}

function nearbySettings(): fc.Arbitrary<OracleSettings> {
  return fc.record(settingChoices());
}

function anySettings(): fc.Arbitrary<OracleSettings> {
  return fc.record({
    ...settingChoices(),
    premiumMinCents: fc.constant(SMALLEST_CENTS),
    steps: fc.constantFrom([-10, -5, 0, 5, 10], [-20, 0, 10], [-1, 0, 1], [0]),
    longestTerm: fc.integer({ min: 1, max: 24 }),
    termCount: fc.integer({ min: 1, max: 12 }),
    spreadMin: fc.constantFrom('0.01', '0.03', '0.05'),
    legalCap: fc.constantFrom('0.05', '0.1', '0.18', '0.36', '1'),
  });
}

function settingChoices() {
  return {
    premiumMinCents: fc.constant(DEFAULT_ORACLE_SETTINGS.premiumMinCents),
    addOns: fc.constant(DEFAULT_ORACLE_SETTINGS.addOns),
    steps: fc.constantFrom([-10, -5, 0, 5, 10], [-20, 0, 10], [0]),
    centerMinPercent: fc.integer({ min: 20, max: 40 }),
    centerMaxPercent: fc.integer({ min: 60, max: 85 }),
    longestTerm: fc.integer({ min: 1, max: 11 }),
    monthsKeptClear: fc.integer({ min: 0, max: 4 }),
    termCount: fc.integer({ min: 1, max: 11 }),
    noticeDays: fc.constantFrom(10, 13, 20, 30),
    refundDays: fc.constantFrom(0, 45, 60, 90),
    balanceRate: fc.constantFrom('0', '0.09', '0.125'),
    baseMargin: fc.constantFrom('0.04', '0.0375', '0.05001'),
    fixedCostCents: fc.constantFrom(0n, 21_800n, 25_000n),
    fixedCostMax: fc.constantFrom('0.03', '0.015'),
    assumedAddOn: fc.constantFrom('0.005', '0'),
    auditableAddOn: fc.constantFrom('0.0025', '0.00125'),
    gapWeight: fc.constantFrom('0', '0.1', '0.25', '0.333333'),
    spreadMin: fc.constantFrom('0.03', '0.05'),
    spreadMax: fc.constantFrom('0.06', '0.09', '0.12'),
    legalCap: fc.constantFrom('0.1', '0.125', '0.18'),
    recommendedGapMax: fc.constantFrom('0', '0.03'),
  };
}

function toPolicy(policy: OraclePolicy, { effectiveDate, expirationDate }: OracleCase): Policy {
  const { minimumEarned } = policy;
  const name = policy.rating === null ? 'Nobody Knows Insurance' : CARRIER_OF_RATING[policy.rating];
  return makePolicy({
    premium: toCents(policy.premiumCents),
    fees: policy.fees.map(({ cents, earned }) => ({ amount: toCents(cents), earned })),
    minimumEarned:
      'rate' in minimumEarned
        ? { kind: 'rate', rate: minimumEarned.rate }
        : { kind: 'amount', amount: toCents(minimumEarned.cents) },
    effectiveDate,
    expirationDate,
    carrier: { name, naicCode: null, amBestId: null },
    auditable: policy.auditable,
  });
}

function toSettings(settings: OracleSettings): PricingSettings {
  return changeSettings({
    premium_min: `${settings.premiumMinCents / 100n}.00`,
    premium_max: '999999999.00',
    down_payment_steps: settings.steps.map((step) => step / 100),
    center_down_payment_min: settings.centerMinPercent / 100,
    center_down_payment_max: settings.centerMaxPercent / 100,
    longest_term_months: settings.longestTerm,
    months_kept_clear: settings.monthsKeptClear,
    term_count: settings.termCount,
    cancellation_notice_days: settings.noticeDays,
    refund_days: settings.refundDays,
    balance_rate: Number(settings.balanceRate),
    base_margin: Number(settings.baseMargin),
    fixed_cost: `${settings.fixedCostCents / 100n}.00`,
    fixed_cost_max_rate: Number(settings.fixedCostMax),
    assumed_rating_add_on: Number(settings.assumedAddOn),
    auditable_add_on: Number(settings.auditableAddOn),
    gap_weight: Number(settings.gapWeight),
    spread_min: Number(settings.spreadMin),
    spread_max: Number(settings.spreadMax),
    legal_cap: Number(settings.legalCap),
    recommended_gap_max: Number(settings.recommendedGapMax),
  });
}

function multiplesOf(cents: bigint): fc.Arbitrary<bigint> {
  return fc.bigInt({ min: 6n, max: 60n }).map((times) => times * cents);
}

function decimalText(units: number, decimals: number): string {
  return `0.${String(units).padStart(decimals, '0')}`;
}
