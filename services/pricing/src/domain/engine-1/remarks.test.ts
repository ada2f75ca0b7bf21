import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCents } from '@pfq/kit/money';
import type { Policy } from '../deal.ts';
import { makeDeal, makePolicy, makeReference } from '../deals.test-support.ts';
import type { PricedDeal, Remark } from '../priced-deal.ts';
import { priceDealWithEngine1 } from './price-deal.ts';

const FEE = { amount: toCents(12_550n), earned: true };
const UNKNOWN = { name: 'Unheard-of Insurance', naicCode: null, amBestId: null };
const COMPLETE = makePolicy({ fees: [FEE] });

test('a deal in which nothing is left open has no assumptions, no warnings, and is ready to bind', () => {
  const priced = price([COMPLETE]);
  assert.deepEqual([priced.assumptions, priced.warnings], [[], []]);
  assert.deepEqual(priced.bindingReadiness, { ready: true, issues: [] });
});

const ASSUMPTIONS: readonly { changes: Partial<Policy>; remark: Remark }[] = [
  {
    changes: { fees: [] },
    remark: {
      code: 'TAXES_AND_FEES_NOT_PROVIDED',
      param: 'policies[1].taxes_and_fees',
      message: 'No taxes or fees were sent, so only the premium of 20000.00 is financed. Send them if there are any.',
    },
  },
  {
    changes: { fees: [FEE, { ...FEE, earned: null }] },
    remark: {
      code: 'EARNED_ASSUMED',
      param: 'policies[1].taxes_and_fees[1].earned',
      message: 'The fee of 125.50 is taken as earned. Send earned: false if it is refunded on cancellation.',
    },
  },
  {
    changes: { minimumEarned: { kind: 'amount', amount: toCents(500_001n) } },
    remark: {
      code: 'MINIMUM_EARNED_CONVERTED',
      param: 'policies[1].minimum_earned.amount',
      message: 'The minimum earned amount of 5000.01 is 25.01% of the premium of 20000.00, rounded up to 0.01 %.',
    },
  },
  {
    changes: { auditable: null },
    remark: {
      code: 'AUDITABLE_ASSUMED',
      param: 'policies[1].auditable',
      message: 'The policy is taken as auditable. Send auditable: false if its premium is final.',
    },
  },
  {
    changes: { carrier: UNKNOWN },
    remark: {
      code: 'AM_BEST_UNVERIFIED',
      param: 'policies[1].carrier',
      message:
        'The AM Best rating of Unheard-of Insurance could not be verified; A- is assumed. Send naic_code or am_best_id to help find it.',
    },
  },
];
for (const { changes, remark } of ASSUMPTIONS) {
  test(`${remark.code} is recorded, once, with the field it concerns`, () => {
    assert.deepEqual(price([COMPLETE, { ...COMPLETE, ...changes }]).assumptions, [remark]);
  });
}

test('assumptions come policy by policy, one per occurrence, in one order', () => {
  const open: Policy = {
    ...COMPLETE,
    fees: [
      { ...FEE, earned: null },
      { ...FEE, earned: null },
    ],
    minimumEarned: { kind: 'amount', amount: toCents(0n) },
    auditable: null,
    carrier: UNKNOWN,
  };
  const { assumptions } = price([open, { ...open, fees: [] }]);
  assert.deepEqual(assumptions.map(describe), [
    'EARNED_ASSUMED policies[0].taxes_and_fees[0].earned',
    'EARNED_ASSUMED policies[0].taxes_and_fees[1].earned',
    'MINIMUM_EARNED_CONVERTED policies[0].minimum_earned.amount',
    'AUDITABLE_ASSUMED policies[0].auditable',
    'AM_BEST_UNVERIFIED policies[0].carrier',
    'TAXES_AND_FEES_NOT_PROVIDED policies[1].taxes_and_fees',
    'MINIMUM_EARNED_CONVERTED policies[1].minimum_earned.amount',
    'AUDITABLE_ASSUMED policies[1].auditable',
    'AM_BEST_UNVERIFIED policies[1].carrier',
  ]);
});

test('a fee that is marked is no assumption, whether earned or not', () => {
  assert.deepEqual(price([{ ...COMPLETE, fees: [FEE, { ...FEE, earned: false }] }]).assumptions, []);
});

test('a fee that is not marked is priced as an earned one', () => {
  const unmarked = price([{ ...COMPLETE, fees: [{ ...FEE, earned: null }] }]);
  assert.deepEqual(unmarked.options, price([COMPLETE]).options);
});

test('a policy that does not say is priced as an auditable one', () => {
  assert.deepEqual(price([{ ...COMPLETE, auditable: null }]).options, price([COMPLETE]).options);
});

test('every coverage on the list is warned of, by its place', () => {
  const coverages = ['windstorm', 'crime', 'windstorm'].map((type) => ({ type }));
  const { warnings } = price([COMPLETE, { ...COMPLETE, coverages }]);
  assert.deepEqual(warnings.map(describe), [
    'VERIFY_MINIMUM_EARNED policies[1].coverages[0].type',
    'VERIFY_MINIMUM_EARNED policies[1].coverages[2].type',
  ]);
});

const ISSUES: readonly { name: string; changes: Partial<Policy>; expected: string[] }[] = [
  { name: 'a quote', changes: { documentType: 'quote' }, expected: ['QUOTE_ONLY_DOCUMENT policies[0].document_type'] },
  { name: 'a binder', changes: { documentType: 'binder' }, expected: [] },
  {
    name: 'no document type',
    changes: { documentType: null },
    expected: ['DOCUMENT_TYPE_MISSING policies[0].document_type'],
  },
  {
    name: 'no policy number',
    changes: { policyNumber: null },
    expected: ['POLICY_NUMBER_MISSING policies[0].policy_number'],
  },
  {
    name: 'a blank policy number',
    changes: { policyNumber: ' ' },
    expected: ['POLICY_NUMBER_MISSING policies[0].policy_number'],
  },
  { name: 'an unknown carrier', changes: { carrier: UNKNOWN }, expected: ['AM_BEST_UNRESOLVED policies[0].carrier'] },
];
for (const { name, changes, expected } of ISSUES) {
  test(`a deal with ${name} has ${expected.length === 0 ? 'no issue' : expected.join()} before binding`, () => {
    const { bindingReadiness } = price([{ ...COMPLETE, ...changes }]);
    assert.deepEqual(bindingReadiness.issues.map(describe), expected);
    assert.equal(bindingReadiness.ready, expected.length === 0);
  });
}

const ADDRESSES = [
  { line1: null, city: null, postalCode: null, param: 'insured.address.line1' },
  { line1: '1 Main Street', city: ' ', postalCode: null, param: 'insured.address.city' },
  { line1: '1 Main Street', city: 'Lubbock', postalCode: null, param: 'insured.address.postal_code' },
];
for (const { param, ...address } of ADDRESSES) {
  test(`an incomplete address is one issue that names ${param}`, () => {
    const deal = makeDeal([COMPLETE], { insured: { state: 'TX', ...address } });
    const { issues } = priceDealWithEngine1(deal, makeReference()).bindingReadiness;
    assert.deepEqual(issues.map(describe), [`INSURED_ADDRESS_INCOMPLETE ${param}`]);
  });
}

test('binding issues come address first, then policy by policy in one order', () => {
  const open = { ...COMPLETE, documentType: null, policyNumber: null, carrier: UNKNOWN };
  const deal = makeDeal([open, { ...open, documentType: 'quote' }], {
    insured: { state: 'TX', line1: null, city: null, postalCode: null },
  });
  const { issues } = priceDealWithEngine1(deal, makeReference()).bindingReadiness;
  assert.deepEqual(issues.map(describe), [
    'INSURED_ADDRESS_INCOMPLETE insured.address.line1',
    'DOCUMENT_TYPE_MISSING policies[0].document_type',
    'POLICY_NUMBER_MISSING policies[0].policy_number',
    'AM_BEST_UNRESOLVED policies[0].carrier',
    'QUOTE_ONLY_DOCUMENT policies[1].document_type',
    'POLICY_NUMBER_MISSING policies[1].policy_number',
    'AM_BEST_UNRESOLVED policies[1].carrier',
  ]);
});

test('an ineligible deal is not ready to bind, even where nothing is missing', () => {
  const { bindingReadiness } = price([{ ...COMPLETE, premium: toCents(1_000n) }]);
  assert.deepEqual(bindingReadiness, { ready: false, issues: [] });
});

function price(policies: readonly Policy[]): PricedDeal {
  return priceDealWithEngine1(makeDeal(policies), makeReference());
}

function describe({ code, param }: Remark): string {
  return `${code} ${param}`;
}
