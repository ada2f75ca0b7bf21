import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney, parseMoney, toCents, type Cents } from '@pfq/kit/money';
import { changeSettings, makeDeal, makePolicy, makeReference } from '../deals.test-support.ts';
import type { Option } from '../priced-deal.ts';
import { parseRateSheet } from '../rate-sheet.ts';
import { priceDealWithEngine1 } from './price-deal.ts';

const WORKED_EXAMPLE = [
  'opt_15_9  .1104 3000.00 17000.00 1976.84 791.56 17791.56 20791.56',
  'opt_15_10 .1104 3000.00 17000.00 1787.20 872.00 17872.00 20872.00',
  'opt_20_10 .1049 4000.00 16000.00 1677.93 779.30 16779.30 20779.30',
  'opt_25_9  .0986 5000.00 15000.00 1735.89 623.01 15623.01 20623.01',
  'opt_25_10 .0986 5000.00 15000.00 1568.62 686.20 15686.20 20686.20',
  'opt_30_10 .0959 6000.00 14000.00 1462.27 622.70 14622.70 20622.70',
  'opt_35_10 .0959 7000.00 13000.00 1357.82 578.20 13578.20 20578.20',
];

for (const row of WORKED_EXAMPLE) {
  const [id = '', ...figures] = row.split(/ +/);
  test(`the worked example prices ${id} to the cent`, () => {
    const { options } = priceDealWithEngine1(makeDeal(), makeReference());
    const option = options.find((candidate) => candidate.id === id);
    assert.ok(option !== undefined);
    assert.deepEqual(figures, describeOption(option));
    assert.equal(option.spreadClamped, false);
  });
}

test('the worked example has 30 options, recommends opt_25_10 and totals the premium', () => {
  const priced = priceDealWithEngine1(makeDeal(), makeReference());
  assert.equal(priced.options.length, 30);
  assert.equal(priced.recommendedOptionId, 'opt_25_10');
  assert.deepEqual(priced.totals, {
    premium: 2_000_000n,
    taxesAndFees: 0n,
    total: 2_000_000n,
    weightedMinimumEarnedBasisPoints: 2_500,
    financingStartDate: '2026-12-01',
  });
  const expected = { total: 2_000_000n, minimumEarnedBasisPoints: 2_500, amBest: { rating: 'A-', source: 'am_best' } };
  assert.deepEqual(priced.policies, [expected]);
});

test('a spread over the ceiling is clamped and says so', () => {
  const policy = makePolicy({ premium: money('4500.00'), minimumEarned: { kind: 'rate', rate: '0.90' } });
  const { options, recommendedOptionId } = priceDealWithEngine1(makeDeal([policy]), makeReference());
  const option = options.find(({ id }) => id === 'opt_75_10');
  assert.ok(option !== undefined);
  assert.equal(option.collateralGapBasisPoints, 6_272);
  assert.deepEqual(describeOption(option).slice(0, 4), ['.1300', '3375.00', '1125.00', '119.31']);
  assert.equal(option.spreadClamped, true);
  assert.equal(recommendedOptionId, 'opt_90_10', 'the lowest down payment whose gap is small enough');
});

test('a payment whose rounding would breach the legal cap is a cent lower', () => {
  const rateSheet = parseRateSheet('{ "as_of": "2026-11-20", "source": "test", "rates": { "1": 0.14 } }');
  const { options } = priceDealWithEngine1(
    makeDeal([makePolicy({ premium: money('4500.00') })]),
    makeReference({ rateSheet }),
  );
  const option = options.find(({ id }) => id === 'opt_15_5');
  assert.ok(option !== undefined);
  assert.equal(formatMoney(option.amountFinanced), '3825.00');
  assert.equal(formatMoney(option.monthlyPayment), '799.76', 'half-up would be 799.77, at 18.0017 %');
  assert.ok(option.aprBasisPoints <= 1_800);
  assert.equal(option.spreadClamped, true, 'the rounded rate was above the cap');
});

test('the cent taken off at the legal cap does not by itself count as clamped', () => {
  const settings = changeSettings({ spread_max: 0.14, base_margin: 0.125 });
  const rateSheet = parseRateSheet('{ "as_of": "2026-11-20", "source": "test", "rates": { "1": 0.0475 } }');
  const deal = makeDeal([makePolicy({ premium: money('87200.00') })]);
  const { options } = priceDealWithEngine1(deal, makeReference({ settings, rateSheet }));
  const atCap = options.filter(
    ({ rateBasisPoints, collateralGapBasisPoints: gap }) => rateBasisPoints === 1_800 && gap === 0,
  );
  const lowered = atCap.filter((option) => {
    const [financed, term] = [option.amountFinanced, BigInt(option.termMonths)];
    return option.monthlyPayment === roundedPayment({ financed, term, rate: 1_800n }) - 1n;
  });
  assert.ok(lowered.length > 0, 'at 18 % some payments were rounded up, and each of them is a cent lower');
  assert.ok(lowered.every((option) => !option.spreadClamped));
});

type Grid = { months: string; expirationDate: string; percents: number[]; terms: number[] };
const GRIDS: Grid[] = [
  { months: '12', expirationDate: '2027-12-01', percents: [15, 20, 25, 30, 35], terms: [5, 6, 7, 8, 9, 10] },
  { months: '11', expirationDate: '2027-11-30', percents: [15, 20, 25, 30, 35], terms: [4, 5, 6, 7, 8, 9] },
  { months: '6', expirationDate: '2027-06-01', percents: [18, 23, 28, 33, 38], terms: [1, 2, 3, 4] },
  { months: '3', expirationDate: '2027-03-01', percents: [47, 52, 57, 62, 67], terms: [1] },
  { months: '24', expirationDate: '2028-12-01', percents: [15, 20, 25, 30, 35], terms: [5, 6, 7, 8, 9, 10] },
];
for (const { months, expirationDate, percents, terms } of GRIDS) {
  test(`a policy of ${months} months is offered ${percents.join(', ')} % down over ${terms.join(', ')} months`, () => {
    const { options } = priceDealWithEngine1(makeDeal([makePolicy({ expirationDate })]), makeReference());
    const expected = percents.flatMap((percent) => terms.map((term) => `opt_${percent}_${term}`));
    assert.deepEqual(
      options.map(({ id }) => id),
      expected,
    );
  });
}

const CENTERS = [
  { rate: '0', lowest: 10 },
  { rate: '0.2', lowest: 10 },
  { rate: '0.2001', lowest: 11 },
  { rate: '0.25', lowest: 15 },
  { rate: '0.84005', lowest: 75 },
  { rate: '0.9', lowest: 75 },
];
for (const { rate, lowest } of CENTERS) {
  test(`with ${rate} earned at once the lowest down payment is ${lowest} %`, () => {
    const policy = makePolicy({ minimumEarned: { kind: 'rate', rate } });
    const { options } = priceDealWithEngine1(makeDeal([policy]), makeReference());
    assert.equal(options[0]?.downPaymentBasisPoints, lowest * 100);
  });
}

test('25 policies from carriers of every rating are priced as one loan', () => {
  const names = ['Plains Mutual', 'Bluebonnet Casualty', 'Caprock Fire', 'Llano Indemnity', 'Unheard-of Insurance'];
  const policies = Array.from({ length: 25 }, (_, index) =>
    makePolicy({
      premium: toCents(300_000n + BigInt(index) * 1_717n),
      fees: [{ amount: toCents(BigInt(index) * 331n), earned: index % 2 === 0 }],
      minimumEarned: { kind: 'rate', rate: `0.${10 + index}` },
      carrier: { name: names[index % names.length] ?? '', naicCode: null, amBestId: null },
    }),
  );
  const priced = priceDealWithEngine1(makeDeal(policies), makeReference());
  assert.equal(priced.policies.length, 25);
  assert.equal(priced.totals.premium, 8_015_100n);
  assert.equal(priced.totals.taxesAndFees, 99_300n);
  assert.equal(priced.options.length, 30);
  assert.equal(priced.assumptions.filter(({ code }) => code === 'AM_BEST_UNVERIFIED').length, 5);
});

test('sums beyond what a double holds are priced to the cent', () => {
  const settings = changeSettings({ premium_max: '999999999.00' });
  const policies = Array.from({ length: 25 }, () => makePolicy({ premium: toCents(9_007_199_254_740_993n) }));
  const reference = makeReference({ settings: { ...settings, premiumMax: toCents(10n ** 18n) } });
  const { options, totals } = priceDealWithEngine1(makeDeal(policies), reference);
  assert.equal(totals.total, 225_179_981_368_524_825n);
  const option = options.find(({ id }) => id === 'opt_25_10');
  assert.equal(option?.downPayment, 56_294_995_342_131_206n);
  assert.equal(option?.amountFinanced, 168_884_986_026_393_619n);
  assert.equal(
    option?.monthlyPayment,
    roundedPayment({ financed: option?.amountFinanced ?? 0n, term: 10n, rate: 877n }),
  );
  assert.equal(option?.rateBasisPoints, 877);
  assert.equal(option?.aprBasisPoints, 877);
});

test('an ineligible deal has totals and remarks, but no options and no recommendation', () => {
  const deal = makeDeal([makePolicy({ premium: money('4499.99'), documentType: 'quote' })]);
  const priced = priceDealWithEngine1(deal, makeReference());
  assert.equal(priced.eligibility.status, 'ineligible');
  assert.deepEqual(priced.options, []);
  assert.equal(priced.recommendedOptionId, null);
  assert.equal(priced.assumptions.length, 1);
  assert.equal(priced.bindingReadiness.issues.length, 1);
});

test('financing starts on the earliest effective date where dates differ', () => {
  const later = makePolicy({ effectiveDate: '2026-12-15' });
  const { totals } = priceDealWithEngine1(makeDeal([later, makePolicy()]), makeReference());
  assert.equal(totals.financingStartDate, '2026-12-01');
});

test('where no gap is small enough, the highest down payment over the shortest term is recommended', () => {
  const policy = makePolicy({ premium: money('4500.00'), minimumEarned: { kind: 'rate', rate: '0.90' } });
  const steps = { down_payment_steps: [-0.1, -0.05, 0] };
  const reference = makeReference({ settings: changeSettings(steps) });
  assert.equal(priceDealWithEngine1(makeDeal([policy]), reference).recommendedOptionId, 'opt_85_5');
});

test('a gap of exactly the limit is small enough to be recommended', () => {
  const settings = changeSettings({ recommended_gap_max: 0.1449 });
  const exact = priceDealWithEngine1(makeDeal(), makeReference({ settings }));
  assert.equal(exact.recommendedOptionId, 'opt_15_10');
  const tighter = changeSettings({ recommended_gap_max: 0.1448 });
  const next = priceDealWithEngine1(makeDeal(), makeReference({ settings: tighter }));
  assert.equal(next.recommendedOptionId, 'opt_20_10');
});

test('a policy expiring on the day it begins, or before, is not priced and breaks nothing', () => {
  for (const expirationDate of ['2026-12-01', '2026-11-01']) {
    const priced = priceDealWithEngine1(makeDeal([makePolicy({ expirationDate })]), makeReference());
    assert.deepEqual(
      priced.eligibility.reasons.map(({ code }) => code),
      ['POLICY_TERM'],
    );
  }
});

function describeOption(option: Option): string[] {
  const sums = [option.downPayment, option.amountFinanced, option.monthlyPayment];
  const costs = [option.financeCharge, option.totalOfPayments, option.totalCost];
  return [`.${String(option.aprBasisPoints).padStart(4, '0')}`, ...[...sums, ...costs].map(formatMoney)];
}

/** The level payment over the common denominator (1 + i)^n, half-up, in integers throughout. */
function roundedPayment({ financed, term, rate }: { financed: bigint; term: bigint; rate: bigint }): bigint {
  const [unit, growth] = [120_000n ** term, (120_000n + rate) ** term];
  const [top, bottom] = [financed * rate * growth, 120_000n * (growth - unit)];
  return (2n * top + bottom) / (2n * bottom);
}

function money(text: string): Cents {
  const cents = parseMoney(text);
  assert.ok(cents !== null);
  return cents;
}
