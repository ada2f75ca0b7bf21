import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { ServiceError } from '@pfq/kit/errors';
import { DealSchema, PolicySchema } from '@pfq/proto/pricing/v1/deal_pb';
import type { Deal, Policy } from '@pfq/proto/pricing/v1/deal_pb';
import { workedExample } from '../examples.test-support.ts';
import { readDeal } from './read-deal.ts';

function problemsOf(deal: Deal | undefined): string[] {
  try {
    readDeal(deal);
    return [];
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'VALIDATION_FAILED');
    return error.details.map(({ code, param }) => `${code} ${param}`);
  }
}

function withPolicy(change: (policy: Policy) => void): Deal {
  const deal = workedExample();
  for (const policy of deal.policies) change(policy);
  return deal;
}

test('a deal is read with everything that was sent and null for what was not', () => {
  const deal = withPolicy((policy) => {
    policy.fees = [
      { $typeName: 'pfq.pricing.v1.Fee', amount: '12.34' },
      { $typeName: 'pfq.pricing.v1.Fee', amount: '0.00', earned: false },
    ];
    policy.coverageTypes = ['flood', 'other'];
    delete policy.documentType;
    delete policy.auditable;
    policy.policyNumber = '';
  });
  assert.deepEqual(readDeal(deal), {
    today: '2026-12-01',
    insured: { state: 'TX', line1: '1 Main Street', city: 'Austin', postalCode: '78701' },
    policies: [
      {
        premium: 2_000_000n,
        fees: [
          { amount: 1234n, earned: null },
          { amount: 0n, earned: false },
        ],
        minimumEarned: { kind: 'rate', rate: '0.25' },
        effectiveDate: '2026-12-01',
        expirationDate: '2027-12-01',
        carrier: { name: 'Example Minus Insurance Company', naicCode: null, amBestId: null },
        coverages: [{ type: 'flood' }, { type: 'other' }],
        auditable: null,
        documentType: null,
        policyNumber: '',
      },
    ],
  });
});

test('a minimum earned rate keeps every digit that was sent', () => {
  const rate = '2.50000000000000000000000001e-1';
  const deal = readDeal(withPolicy((policy) => (policy.minimumEarned = { case: 'minimumEarnedRate', value: rate })));
  assert.deepEqual(deal.policies[0]?.minimumEarned, { kind: 'rate', rate });
});

test('a minimum earned amount may be the whole premium', () => {
  const whole = withPolicy((policy) => (policy.minimumEarned = { case: 'minimumEarnedAmount', value: '20000.00' }));
  assert.deepEqual(readDeal(whole).policies[0]?.minimumEarned, { kind: 'amount', amount: 2_000_000n });
});

const FAULTS: readonly { name: string; deal: Deal | undefined; problems: readonly string[] }[] = [
  {
    name: 'nothing at all',
    deal: undefined,
    problems: ['INVALID_FORMAT today', 'REQUIRED insured.address.state', 'TOO_FEW policies'],
  },
  {
    name: 'an unreal date of pricing',
    deal: { ...workedExample(), today: '2026-02-29' },
    problems: ['INVALID_FORMAT today'],
  },
  {
    name: '26 policies',
    deal: { ...workedExample(), policies: Array.from({ length: 26 }, () => workedExample().policies).flat() },
    problems: ['TOO_MANY policies'],
  },
  {
    name: 'an empty policy',
    deal: { ...workedExample(), policies: [create(PolicySchema)] },
    problems: [
      'INVALID_FORMAT policies[0].premium',
      'REQUIRED policies[0].minimum_earned',
      'INVALID_FORMAT policies[0].effective_date',
      'INVALID_FORMAT policies[0].expiration_date',
      'REQUIRED policies[0].carrier.name',
      'TOO_FEW policies[0].coverages',
    ],
  },
  ...['0.00', '-1.00'].map((premium) => ({
    name: `a premium of ${premium}`,
    deal: withPolicy((policy) => (policy.premium = premium)),
    problems: ['OUT_OF_RANGE policies[0].premium'],
  })),
  ...['100', '1e3', '1,000.00', '1000000000.00'].map((premium) => ({
    name: `a premium spelled ${premium}`,
    deal: withPolicy((policy) => (policy.premium = premium)),
    problems: ['INVALID_FORMAT policies[0].premium'],
  })),
  {
    name: 'a fee below zero',
    deal: withPolicy((policy) => (policy.fees = [{ $typeName: 'pfq.pricing.v1.Fee', amount: '-0.01' }])),
    problems: ['OUT_OF_RANGE policies[0].taxes_and_fees[0].amount'],
  },
  ...['1.01', '-0.1', '25', 'x', '', '1e400'].map((value) => ({
    name: `a minimum earned rate of "${value}"`,
    deal: withPolicy((policy) => (policy.minimumEarned = { case: 'minimumEarnedRate', value })),
    problems: ['OUT_OF_RANGE policies[0].minimum_earned.rate'],
  })),
  {
    name: 'a minimum earned amount above the premium',
    deal: withPolicy((policy) => (policy.minimumEarned = { case: 'minimumEarnedAmount', value: '20000.01' })),
    problems: ['OUT_OF_RANGE policies[0].minimum_earned.amount'],
  },
  {
    name: 'an unknown coverage type',
    deal: withPolicy((policy) => (policy.coverageTypes = ['flood', 'Flood', 'unspecified'])),
    problems: ['INVALID_VALUE policies[0].coverages[1].type', 'INVALID_VALUE policies[0].coverages[2].type'],
  },
  {
    name: 'an unknown document type',
    deal: withPolicy((policy) => (policy.documentType = 'draft')),
    problems: ['INVALID_VALUE policies[0].document_type'],
  },
];

for (const { name, deal, problems } of FAULTS) {
  test(`${name} is refused, with every problem named`, () => assert.deepEqual(problemsOf(deal), problems));
}

test('a deal that was only just created is refused like one that is missing', () => {
  assert.deepEqual(problemsOf(create(DealSchema)), problemsOf(undefined));
});
