import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '@pfq/kit/errors';
import { toCents } from '@pfq/kit/money';
import { annualPercentageRate } from '../apr.ts';
import { addMonths } from '../calendar.ts';
import { changeSettings, makeDeal, makePolicy, makeReference } from '../deals.test-support.ts';
import { dealsUnderAnySettings, toEngineInput } from '../random-deals.test-support.ts';
import { fraction } from '../fraction.ts';
import type { OracleCase, OraclePolicy } from '../oracle.test-support.ts';
import { parseRateSheet } from '../rate-sheet.ts';
import { comparePresentValue } from '../present-value.ts';
import type { Option, PricedDeal } from '../priced-deal.ts';
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
  always(dealsUnderAnySettings(), (sample) => higherDownPaymentNeverRaises(price(sample).options));
});

test('a longer term lowers the payment', () => {
  always(dealsUnderAnySettings(), (sample) => longerTermLowersPayment(price(sample).options));
});

test('a longer term raises the charge on a rate sheet that is flat or rises', () => {
  always(dealsUnderAnySettings().map(straightenRates), (sample) => longerTermRaisesCharge(price(sample).options));
});

test('settings that are accepted keep these promises for the smallest loan too', () => {
  let accepted = 0;
  const smallest = fc.record({
    premiumMinDollars: fc.integer({ min: 20, max: 3_000 }),
    spreadMin: fc.constantFrom(0.01, 0.02, 0.03),
    baseMargin: fc.constantFrom(0, 0.01, 0.04),
    fixedCost: fc.constantFrom('0.00', '218.00'),
    legalCap: fc.constantFrom(0.04, 0.1, 0.18, 0.25),
    longestTerm: fc.integer({ min: 1, max: 14 }),
    centerMax: fc.constantFrom(0.2, 0.85),
    steps: fc.constantFrom([-0.1, -0.05, 0, 0.05, 0.1], [-0.01, 0], [0, 0.02, 0.03]),
    minimumEarned: fc.constantFrom('0', '0.25', '0.9'),
    rates: fc.constantFrom('"1": 0', '"1": 0.04', '"1": 0, "2": 0.5', '"5": 0, "6": 0.3'),
    // The smallest total, a few cents more, or many times as much, where the fixed cost no longer lifts the rate.
    times: fc.constantFrom(1n, 20n),
    cents: fc.bigInt({ min: 0n, max: 30n }),
  });
  always(smallest, (sample) => {
    const settings = acceptOrNull(sample);
    if (settings === null) return;
    accepted += 1;
    const premium = toCents(BigInt(sample.premiumMinDollars) * 100n * sample.times + sample.cents);
    const policy = makePolicy({
      premium,
      minimumEarned: { kind: 'rate', rate: sample.minimumEarned },
      expirationDate: '2028-06-01',
      carrier: { name: 'Plains Mutual', naicCode: null, amBestId: null },
      auditable: false,
    });
    const rateSheet = parseRateSheet(`{ "as_of": "2026-11-20", "source": "test", "rates": { ${sample.rates} } }`);
    const { options } = priceDealWithEngine1(makeDeal([policy]), makeReference({ settings, rateSheet }));
    assert.ok(options.length > 0);
    higherDownPaymentNeverRaises(options);
    longerTermLowersPayment(options);
    longerTermRaisesCharge(options);
  });
  assert.ok(accepted > 50, `only ${accepted} settings were accepted`);
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
      const cap = fraction(BigInt(reference.settings.legalCap), 120_000n);
      const [advance, none] = [option.amountFinanced, fraction(0n, 1n)];
      assert.ok(comparePresentValue({ advance, payments, wholePeriods: 1, fraction: none, periodRate: cap }) <= 0);
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
  always(dealsUnderAnySettings(), (sample) => {
    const raised = sample.policies.map((policy) => ({ ...policy, minimumEarned: { rate: '0.9' } }));
    neverRaisesRate({ from: { ...sample, policies: raised }, to: sample });
  });
});

test('a better rating never raises a rate', () => {
  always(dealsUnderAnySettings(), (sample) => {
    const [first, ...others] = sample.policies;
    if (first === undefined) return;
    const better = { ...first, rating: BETTER[first.rating ?? 'none'] };
    neverRaisesRate({ from: sample, to: { ...sample, policies: [better, ...others] } });
  });
});

test('option ids are unique and agree with their fields, and the recommended one is among them', () => {
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

function higherDownPaymentNeverRaises(options: readonly Option[]): void {
  for (const [lower, higher] of pairs(options, (option) => option.termMonths)) {
    assert.ok(higher.monthlyPayment <= lower.monthlyPayment, `payment of ${higher.id}`);
    assert.ok(higher.financeCharge <= lower.financeCharge, `charge of ${higher.id}`);
    assert.ok(higher.rateBasisPoints <= lower.rateBasisPoints, `rate of ${higher.id}`);
  }
}

function longerTermLowersPayment(options: readonly Option[]): void {
  for (const [shorter, longer] of pairs(options, (option) => option.downPaymentBasisPoints)) {
    assert.ok(longer.monthlyPayment < shorter.monthlyPayment, `payment of ${longer.id}`);
  }
}

function longerTermRaisesCharge(options: readonly Option[]): void {
  for (const [shorter, longer] of pairs(options, (option) => option.downPaymentBasisPoints)) {
    assert.ok(longer.financeCharge > shorter.financeCharge, `charge of ${longer.id}`);
  }
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

/** Compares the options that both grids hold. */
function neverRaisesRate({ from, to }: { from: OracleCase; to: OracleCase }): void {
  const before = new Map(price(from).options.map((option) => [option.id, option.rateBasisPoints]));
  for (const option of price(to).options) {
    assert.ok(option.rateBasisPoints <= (before.get(option.id) ?? option.rateBasisPoints), option.id);
  }
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
  baseMargin: number;
  fixedCost: string;
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
      base_margin: sample.baseMargin,
      fixed_cost: sample.fixedCost,
      legal_cap: sample.legalCap,
      center_down_payment_max: sample.centerMax,
      down_payment_steps: sample.steps,
      longest_term_months: sample.longestTerm,
      term_count: sample.longestTerm,
    });
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return null;
  }
}
