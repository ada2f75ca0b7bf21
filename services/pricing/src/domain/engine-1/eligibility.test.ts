import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCents } from '@pfq/kit/money';
import { addMonths } from '../calendar.ts';
import type { Deal, Policy } from '../deal.ts';
import { buildDeclinedList } from '../declined.ts';
import { changeSettings, makeDeal, makePolicy, makeReference } from '../deals.test-support.ts';
import type { Check } from '../priced-deal.ts';
import type { ReferenceData } from '../reference.ts';
import { priceDealWithEngine1 } from './price-deal.ts';

const DECLINED = buildDeclinedList({ issuers: ['Caprock Fire', 'Nowhere & Co.'], coverages: ['cyber', 'flood'] });

test('an eligible deal lists all eleven checks in order, with limits and actuals, and no reasons', () => {
  const { eligibility } = priceDealWithEngine1(makeDeal(), makeReference());
  assert.deepEqual(eligibility, {
    status: 'eligible',
    checks: [
      { code: 'INPUT_VALID', passed: true },
      { code: 'INSURED_STATE', passed: true, limit: 'TX', actual: 'TX' },
      { code: 'PREMIUM_MIN', passed: true, limit: '4500.00', actual: '20000.00' },
      { code: 'PREMIUM_MAX', passed: true, limit: '175000.00', actual: '20000.00' },
      { code: 'AM_BEST_MIN', passed: true, limit: 'A-', actual: 'A-', basis: 'am_best' },
      { code: 'ISSUER', passed: true },
      { code: 'COVERAGE', passed: true },
      { code: 'POLICY_BACKDATE', passed: true, limit: '30 days', actual: '0 days' },
      { code: 'DATE_UNIFORMITY', passed: true },
      { code: 'POLICY_TERM', passed: true, limit: '3 months', actual: '12 months' },
      { code: 'MINIMUM_EARNED_MAX', passed: true, limit: '90%', actual: '25%' },
    ],
    reasons: [],
  });
});

type Case = {
  readonly name: string;
  readonly policies?: readonly Policy[];
  readonly deal?: Partial<Deal>;
  readonly reference?: Partial<ReferenceData>;
  readonly check: Check;
  /** Of the reason; left out where the check passes. */
  readonly param?: string;
};

const insured = { ...makeDeal().insured, state: 'OK' };
const by = (name: string) => ({ carrier: { name, naicCode: null, amBestId: null } });
const premium = (cents: bigint) => makePolicy({ premium: toCents(cents) });
const lasting = (expirationDate: string) => makePolicy({ expirationDate });
const earning = (rate: string) => makePolicy({ minimumEarned: { kind: 'rate', rate } });
const covering = (...types: string[]) => makePolicy({ coverages: types.map((type) => ({ type })) });

const CASES: readonly Case[] = [
  {
    name: 'an insured outside the financed states fails',
    deal: { insured },
    check: { code: 'INSURED_STATE', passed: false, limit: 'TX', actual: 'OK' },
    param: 'insured.address.state',
  },
  {
    name: 'a state added to the settings passes',
    deal: { insured },
    reference: { settings: changeSettings({ financed_states: ['TX', 'OK'] }) },
    check: { code: 'INSURED_STATE', passed: true, limit: 'TX, OK', actual: 'OK' },
  },
  {
    name: 'a total a cent below the minimum fails',
    policies: [premium(449_999n)],
    check: { code: 'PREMIUM_MIN', passed: false, limit: '4500.00', actual: '4499.99' },
    param: 'policies',
  },
  {
    name: 'fees count towards the minimum',
    policies: [makePolicy({ premium: toCents(449_999n), fees: [{ amount: toCents(1n), earned: true }] })],
    check: { code: 'PREMIUM_MIN', passed: true, limit: '4500.00', actual: '4500.00' },
  },
  {
    name: 'a total of the maximum passes',
    policies: [premium(17_500_000n)],
    check: { code: 'PREMIUM_MAX', passed: true, limit: '175000.00', actual: '175000.00' },
  },
  {
    name: 'a total a cent above the maximum fails',
    policies: [premium(17_500_001n)],
    check: { code: 'PREMIUM_MAX', passed: false, limit: '175000.00', actual: '175000.01' },
    param: 'policies',
  },
  {
    name: 'a rating below the minimum fails, whatever the others are',
    policies: [makePolicy(by('Plains Mutual')), makePolicy(by('Mesquite Surety'))],
    check: { code: 'AM_BEST_MIN', passed: false, limit: 'A-', actual: 'B++', basis: 'am_best' },
    param: 'policies[1].carrier',
  },
  {
    name: 'NR is the weakest rating and fails, and an assumption does not hide it',
    policies: [makePolicy(by('Unknown')), makePolicy(by('Prairie Reinsurance')), makePolicy(by('Ocotillo Insurance'))],
    check: { code: 'AM_BEST_MIN', passed: false, limit: 'A-', actual: 'NR', basis: 'partially_assumed' },
    param: 'policies[1].carrier',
  },
  {
    name: 'S is off the scale and fails',
    policies: [makePolicy(by('Prairie Reinsurance'))],
    check: { code: 'AM_BEST_MIN', passed: false, limit: 'A-', actual: 'S', basis: 'am_best' },
    param: 'policies[0].carrier',
  },
  {
    name: 'an unknown carrier is assumed A- and passes',
    policies: [makePolicy(by('Unknown'))],
    check: { code: 'AM_BEST_MIN', passed: true, limit: 'A-', actual: 'A-', basis: 'assumed' },
  },
  {
    name: 'a listed carrier that has no rating counts as A- too, unlike one rated NR',
    policies: [makePolicy(by('Quiet Creek Assurance')), makePolicy(by('Plains Mutual'))],
    check: { code: 'AM_BEST_MIN', passed: true, limit: 'A-', actual: 'A-', basis: 'partially_assumed' },
  },
  {
    name: 'the best rating passes under its own name',
    policies: [makePolicy(by('Plains Mutual'))],
    check: { code: 'AM_BEST_MIN', passed: true, limit: 'A-', actual: 'A++', basis: 'am_best' },
  },
  {
    name: 'declined issuers fail by found carrier and by name as sent, each named once',
    policies: [
      makePolicy(by('Plains Mutual')),
      makePolicy({ carrier: { name: 'CF Insurance', naicCode: '90003', amBestId: null } }),
      makePolicy(by('NOWHERE and Co')),
      makePolicy(by('NOWHERE and Co')),
    ],
    reference: { declined: DECLINED },
    check: { code: 'ISSUER', passed: false, actual: 'CF Insurance, NOWHERE and Co' },
    param: 'policies[1].carrier',
  },
  {
    name: 'declined coverages fail, each named once',
    policies: [covering('crime'), covering('other', 'cyber', 'flood'), covering('cyber')],
    reference: { declined: DECLINED },
    check: { code: 'COVERAGE', passed: false, actual: 'cyber, flood' },
    param: 'policies[1].coverages[1].type',
  },
  {
    name: 'a policy begun 30 days ago passes',
    deal: { today: '2026-12-31' },
    check: { code: 'POLICY_BACKDATE', passed: true, limit: '30 days', actual: '30 days' },
  },
  {
    name: 'a policy begun 31 days ago fails',
    deal: { today: '2027-01-01' },
    check: { code: 'POLICY_BACKDATE', passed: false, limit: '30 days', actual: '31 days' },
    param: 'policies[0].effective_date',
  },
  {
    name: 'the first policy begun too long ago is named, the earliest counts',
    policies: [
      makePolicy({ effectiveDate: '2026-12-20' }),
      makePolicy({ effectiveDate: '2026-11-15' }),
      makePolicy({ effectiveDate: '2026-11-01' }),
    ],
    deal: { today: '2026-12-21' },
    check: { code: 'POLICY_BACKDATE', passed: false, limit: '30 days', actual: '50 days' },
    param: 'policies[1].effective_date',
  },
  {
    name: 'one day in the past is written in the plural',
    deal: { today: '2026-12-02' },
    check: { code: 'POLICY_BACKDATE', passed: true, limit: '30 days', actual: '1 days' },
  },
  {
    name: 'differing effective dates fail',
    policies: [makePolicy(), makePolicy({ effectiveDate: '2026-12-02' })],
    check: { code: 'DATE_UNIFORMITY', passed: false },
    param: 'policies',
  },
  {
    name: 'differing expiration dates fail',
    policies: [makePolicy(), lasting('2027-12-02')],
    check: { code: 'DATE_UNIFORMITY', passed: false },
    param: 'policies',
  },
  {
    name: 'three whole months pass',
    policies: [lasting('2027-03-01')],
    check: { code: 'POLICY_TERM', passed: true, limit: '3 months', actual: '3 months' },
  },
  {
    name: 'a day short of three months fails',
    policies: [makePolicy(), lasting('2027-02-28')],
    check: { code: 'POLICY_TERM', passed: false, limit: '3 months', actual: '2 months' },
    param: 'policies[1].expiration_date',
  },
  {
    name: 'a policy expiring before it begins runs 0 months',
    policies: [lasting('2026-11-01')],
    check: { code: 'POLICY_TERM', passed: false, limit: '3 months', actual: '0 months' },
    param: 'policies[0].expiration_date',
  },
  {
    name: 'exactly the highest minimum earned passes',
    policies: [earning('0.9')],
    check: { code: 'MINIMUM_EARNED_MAX', passed: true, limit: '90%', actual: '90%' },
  },
  {
    name: 'a basis point above fails, without trailing zeros',
    policies: [earning('0.90001')],
    check: { code: 'MINIMUM_EARNED_MAX', passed: false, limit: '90%', actual: '90.01%' },
    param: 'policies',
  },
  {
    name: 'the minimum earned is weighted by premium and rounded half-up',
    policies: [earning('0.2511'), earning('0.2512')],
    check: { code: 'MINIMUM_EARNED_MAX', passed: true, limit: '90%', actual: '25.12%' },
  },
  {
    name: 'one decimal of a percent stays one',
    policies: [earning('0.251')],
    check: { code: 'MINIMUM_EARNED_MAX', passed: true, limit: '90%', actual: '25.1%' },
  },
];

for (const { name, policies, deal, reference, check, param } of CASES) {
  test(`${check.code}: ${name}`, () => {
    const { eligibility } = priceDealWithEngine1(makeDeal(policies, deal), makeReference(reference));
    assert.deepEqual(
      eligibility.checks.find(({ code }) => code === check.code),
      check,
    );
    const reason = eligibility.reasons.find(({ code }) => code === check.code);
    assert.equal(reason?.param, param);
    assert.equal(reason === undefined || reason.message.length > 20, true);
  });
}

test('every failing check is reported at once, in the order of the checks', () => {
  const bad = makePolicy({
    ...by('Ocotillo Insurance'),
    premium: toCents(100n),
    minimumEarned: { kind: 'rate', rate: '1' },
  });
  const odd = {
    ...bad,
    ...by('Caprock Fire'),
    expirationDate: addMonths(bad.effectiveDate, 2),
    coverages: [{ type: 'cyber' }],
  };
  const deal = makeDeal([bad, odd], { today: '2027-06-01', insured });
  const { eligibility } = priceDealWithEngine1(deal, makeReference({ declined: DECLINED }));
  assert.equal(eligibility.status, 'ineligible');
  assert.equal(eligibility.checks.length, 11);
  assert.deepEqual(
    eligibility.reasons.map(({ code }) => code),
    eligibility.checks.filter(({ passed }) => !passed).map(({ code }) => code),
  );
  assert.deepEqual(
    eligibility.checks.filter(({ passed }) => passed).map(({ code }) => code),
    ['INPUT_VALID', 'PREMIUM_MAX'],
  );
});

test('a reason names the figure and the limit', () => {
  const { eligibility } = priceDealWithEngine1(makeDeal([premium(449_999n)]), makeReference());
  assert.deepEqual(eligibility.reasons, [
    {
      code: 'PREMIUM_MIN',
      param: 'policies',
      message: 'Premium, taxes and fees come to 4499.99; at least 4500.00 is needed.',
    },
  ]);
});
