import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '@pfq/kit/errors';
import { toCents } from '@pfq/kit/money';
import { annualPercentageRate } from '../apr.ts';
import { addMonths } from '../calendar.ts';
import { changeSettings, makeDeal, makePolicy, makeReference } from '../deals.test-support.ts';
import { compareAnnualRate } from '../level-loan.ts';
import type { OracleCase, OraclePolicy } from '../oracle.test-support.ts';
import type { Option, PricedDeal } from '../priced-deal.ts';
import {
  dealsUnderAnySettings,
  dealsUnderDefaultSettings,
  dealsUnderNearbySettings,
  toEngineInput,
} from '../random-deals.test-support.ts';
import { parseRateSheet } from '../rate-sheet.ts';
import type { PricingSettings } from '../settings.ts';
import { priceDealWithEngine1 } from './price-deal.ts';

const RUNS = { numRuns: 300 };
const BETTER = { 'A++': 'A++', 'A+': 'A++', A: 'A+', 'A-': 'A', none: 'A-' } as const;

test('down and financed make the total, financed and charge the payments, down and payments the cost, to the cent', () => {
  always(dealsUnderAnySettings(), (sample) => {
    const { options, totals } = price(sample);
    for (const option of options) {
      assert.equal(option.downPayment + option.amountFinanced, totals.total);
      assert.equal(option.amountFinanced + option.financeCharge, option.totalOfPayments);
      assert.equal(option.monthlyPayment * BigInt(option.termMonths), option.totalOfPayments);
      assert.equal(option.downPayment + option.totalOfPayments, option.totalCost);
      assert.ok(option.downPayment >= 0n && option.amountFinanced > 0n && option.financeCharge >= 0n);
    }
  });
});

test('a higher down payment never raises the payment, the charge or the rate', () => {
  always(ordinaryDeals(), (sample) => {
    for (const [lower, higher] of pairs(price(sample).options, (option) => option.termMonths)) {
      assert.ok(higher.monthlyPayment <= lower.monthlyPayment, `payment of ${higher.id}`);
      assert.ok(higher.financeCharge <= lower.financeCharge, `charge of ${higher.id}`);
      assert.ok(higher.rateBasisPoints <= lower.rateBasisPoints, `rate of ${higher.id}`);
    }
  });
});

test('a longer term lowers the payment', () => {
  always(ordinaryDeals(), (sample) => {
    for (const [shorter, longer] of pairs(price(sample).options, (option) => option.downPaymentBasisPoints)) {
      assert.ok(longer.monthlyPayment < shorter.monthlyPayment, `payment of ${longer.id}`);
    }
  });
});

test('a longer term raises the charge on a rate sheet that is flat or rises', () => {
  always(ordinaryDeals().map(straightenRates), (sample) => {
    for (const [shorter, longer] of pairs(price(sample).options, (option) => option.downPaymentBasisPoints)) {
      assert.ok(longer.financeCharge > shorter.financeCharge, `charge of ${longer.id}`);
    }
  });
});

test('the smallest loans of settings that are accepted bear interest, whatever is rounded off', () => {
  let accepted = 0;
  const smallest = fc.record({
    premiumMinDollars: fc.integer({ min: 1, max: 300 }),
    spreadMin: fc.constantFrom(0.01, 0.01004, 0.03),
    legalCap: fc.constantFrom(0.04, 0.0401, 0.18, 0.36),
    longestTerm: fc.integer({ min: 1, max: 24 }),
    centerMax: fc.constantFrom(0.2, 0.85),
    steps: fc.constantFrom([0], [-0.1, 0], [0, 0.14]),
    minimumEarned: fc.constantFrom('0', '0.9'),
    rate: fc.constantFrom('0', '0.035', '0.5'),
    extraCents: fc.bigInt({ min: 0n, max: 200n }),
  });
  always(smallest, (sample) => {
    const settings = acceptOrNull(sample);
    if (settings === null) return;
    accepted += 1;
    const policy = makePolicy({
      premium: toCents(settings.premiumMin + sample.extraCents),
      minimumEarned: { kind: 'rate', rate: sample.minimumEarned },
      expirationDate: '2029-06-01',
    });
    const rateSheet = parseRateSheet(`{ "as_of": "2026-11-20", "source": "test", "rates": { "1": ${sample.rate} } }`);
    const { options } = priceDealWithEngine1(makeDeal([policy]), makeReference({ settings, rateSheet }));
    assert.ok(options.length > 0);
    for (const option of options) {
      assert.ok(option.financeCharge > 0n, `charge of ${option.id}`);
      assert.ok(isWithin(option, settings.legalCap), `APR of ${option.id}`);
    }
  });
  assert.ok(accepted > RUNS.numRuns / 4, `only ${accepted} settings were accepted`);
});

test('the APR solved again from the published figures is the published one, and never above the legal cap', () => {
  always(dealsUnderAnySettings(), (sample) => {
    const { reference } = toEngineInput(sample);
    for (const option of price(sample).options) {
      const payments = Array.from({ length: option.termMonths }, () => option.monthlyPayment);
      const solved = annualPercentageRate({
        advance: option.amountFinanced,
        advanceDate: sample.effectiveDate,
        payments,
        firstDueDate: addMonths(sample.effectiveDate, 1),
        // One payment after one whole month gives the same as a series of them.
        unitPeriod: { kind: 'months', count: 1 },
      });
      assert.equal(solved, option.aprBasisPoints);
      assert.ok(isWithin(option, reference.settings.legalCap));
    }
  });
});

test('two equal halves of a policy cost what the whole costs', () => {
  always(dealsUnderAnySettings(), (sample) => {
    const doubled = sample.policies.map(doublePolicy);
    const halves = sample.policies.flatMap((policy) => [policy, policy]);
    assert.deepEqual(price({ ...sample, policies: halves }).options, price({ ...sample, policies: doubled }).options);
  });
});

test('a fee that becomes refundable never raises a rate', () => {
  always(dealsUnderAnySettings(), (sample) => {
    const refundable = sample.policies.map((policy) => ({
      ...policy,
      fees: policy.fees.map((fee) => ({ ...fee, earned: false })),
    }));
    neverRaisesRate({ from: sample, to: { ...sample, policies: refundable } });
  });
});

test('a higher minimum earned never lowers the rate of the same option', () => {
  let compared = 0;
  const raises = fc.tuple(dealsUnderAnySettings(), fc.integer({ min: 0, max: 9_000 }));
  always(raises, ([sample, basisPoints]) => {
    const raised = sample.policies.map((policy) => raiseMinimumEarned(policy, basisPoints));
    compared += neverRaisesRate({ from: { ...sample, policies: raised }, to: sample });
  });
  assert.ok(compared > RUNS.numRuns, `only ${compared} options were in both grids`);
});

test('a better rating never raises a rate', () => {
  always(dealsUnderAnySettings(), (sample) => {
    const [first, ...others] = sample.policies;
    if (first === undefined) return;
    const better = { ...first, rating: BETTER[first.rating ?? 'none'] };
    neverRaisesRate({ from: sample, to: { ...sample, policies: [better, ...others] } });
  });
});

test('each option has an id of its own that tells its fields, and one of them is recommended', () => {
  always(dealsUnderAnySettings(), (sample) => {
    const { options, recommendedOptionId } = price(sample);
    const ids = options.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.some((id) => id === recommendedOptionId));
    for (const option of options) {
      assert.equal(option.id, `opt_${option.downPaymentBasisPoints / 100}_${option.termMonths}`);
    }
    const sorted = [...options].sort(
      (left, right) => left.downPaymentBasisPoints - right.downPaymentBasisPoints || left.termMonths - right.termMonths,
    );
    assert.deepEqual(options, sorted);
  });
});

test('the order of policies moves no price', () => {
  always(dealsUnderAnySettings(), (sample) => {
    const reordered = price({ ...sample, policies: [...sample.policies].reverse() });
    const { options, totals, recommendedOptionId } = price(sample);
    assert.deepEqual(
      [reordered.options, reordered.totals, reordered.recommendedOptionId],
      [options, totals, recommendedOptionId],
    );
  });
});

function always<Sample>(samples: fc.Arbitrary<Sample>, promise: (sample: Sample) => void): void {
  fc.assert(fc.property(samples, promise), RUNS);
}

function price(sample: OracleCase): PricedDeal {
  const { deal, reference } = toEngineInput(sample);
  const priced = priceDealWithEngine1(deal, reference);
  assert.equal(priced.eligibility.status, 'eligible');
  return priced;
}

/** Under the default settings and others like them, which the orderings are promised for. */
function ordinaryDeals(): fc.Arbitrary<OracleCase> {
  return fc.oneof(dealsUnderDefaultSettings(), dealsUnderNearbySettings());
}

/** Whether the annual percentage rate, before it is rounded, is at most the cap in basis points. */
function isWithin(option: Option, cap: number): boolean {
  return compareAnnualRate({ ...option, payment: option.monthlyPayment, term: option.termMonths }, cap * 2) <= 0;
}

/** Neighbours among the options that share a key, in the order of the grid. */
function pairs(options: readonly Option[], keyOf: (option: Option) => number): [Option, Option][] {
  return [...Map.groupBy(options, keyOf).values()].flatMap((row) =>
    row.slice(1).flatMap((option, index): [Option, Option][] => {
      const before = row[index];
      return before === undefined ? [] : [[before, option]];
    }),
  );
}

/** Compares the options that both grids hold, and says how many. */
function neverRaisesRate({ from, to }: { from: OracleCase; to: OracleCase }): number {
  const before = new Map(price(from).options.map((option) => [option.id, option.rateBasisPoints]));
  const shared = price(to).options.filter(({ id }) => before.has(id));
  for (const { id, rateBasisPoints } of shared) assert.ok(rateBasisPoints <= (before.get(id) ?? 0), id);
  return shared.length;
}

function raiseMinimumEarned(policy: OraclePolicy, basisPoints: number): OraclePolicy {
  const { minimumEarned, premiumCents } = policy;
  const rate =
    'rate' in minimumEarned ? Number(minimumEarned.rate) : Number(minimumEarned.cents) / Number(premiumCents);
  return rate < basisPoints / 10_000 ? { ...policy, minimumEarned: { rate: String(basisPoints / 10_000) } } : policy;
}

function straightenRates(sample: OracleCase): OracleCase {
  const months = sample.rates.map((tenor) => tenor.months).sort((left, right) => left - right);
  const rates = sample.rates.map((tenor) => tenor.rate).sort((left, right) => Number(left) - Number(right));
  return { ...sample, rates: months.map((month, index) => ({ months: month, rate: rates[index] ?? '0' })) };
}

function doublePolicy(policy: OraclePolicy): OraclePolicy {
  const { minimumEarned } = policy;
  return {
    ...policy,
    premiumCents: policy.premiumCents * 2n,
    fees: policy.fees.map((fee) => ({ ...fee, cents: fee.cents * 2n })),
    minimumEarned: 'rate' in minimumEarned ? minimumEarned : { cents: minimumEarned.cents * 2n },
  };
}

type SmallSettings = {
  premiumMinDollars: number;
  spreadMin: number;
  legalCap: number;
  longestTerm: number;
  centerMax: number;
  steps: readonly number[];
};

function acceptOrNull(sample: SmallSettings): PricingSettings | null {
  try {
    return changeSettings({
      premium_min: `${sample.premiumMinDollars}.00`,
      spread_min: sample.spreadMin,
      base_margin: 0,
      fixed_cost: '0.00',
      legal_cap: sample.legalCap,
      center_down_payment_max: sample.centerMax,
      down_payment_steps: sample.steps,
      longest_term_months: sample.longestTerm,
      term_count: sample.longestTerm,
    });
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.param === 'premium_min');
    return null;
  }
}
