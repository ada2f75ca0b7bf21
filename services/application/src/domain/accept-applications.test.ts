import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
import type { ErrorDetail } from '@pfq/kit/errors';
import { newId } from '@pfq/kit/ids';
import fc from 'fast-check';
import { anyApplication, applicationOf, CREATED_AT, newAgencyId, newApplication } from '../samples.test-support.ts';
import { acceptApplications, idsOf, requireCount } from './accept-applications.ts';
import { BLOCKING_CODES, CREATED_VIA, STATUSES } from './application.ts';
import type { Application, KnownApplication, Pricing } from './application.ts';
import type { Draft, IncomingDraft } from './draft.ts';

const AGENCY_ID = newAgencyId();
const ASTRAL = '\u{1F600}';
const LONE_SURROGATE = '\ud800';
const whole = newApplication();
const [policy] = whole.policies;
const [blocking] = whole.blocking;
const [outstanding] = whole.outstanding;
assert.ok(policy && blocking && outstanding && whole.pricing);
const pricing: Pricing = whole.pricing;

test('any application that is fit to be stored is accepted as it is', () => {
  fc.assert(
    fc.property(anyApplication, (application) => {
      assert.deepEqual(acceptApplications([draft(application)], []), [draft(application)]);
    }),
  );
});

const ACCEPTED: Readonly<Record<string, Partial<Draft<Application>>>> = {
  ...Object.fromEntries(STATUSES.map((status) => [`the status ${status}`, { status }])),
  ...Object.fromEntries(CREATED_VIA.map((createdVia) => [`one created via ${createdVia}`, { createdVia }])),
  ...Object.fromEntries(BLOCKING_CODES.map((code) => [`a block by ${code}`, { blocking: [{ ...blocking, code }] }])),
  'nothing but what must be there': {
    quoteId: null,
    pricing: null,
    policies: [],
    blocking: [],
    outstanding: [],
    insured: { name: null, line1: null, city: null, state: null, postalCode: null },
  },
  'what is owed under a code of 64 characters': { outstanding: [{ ...outstanding, code: 'A'.repeat(64) }] },
  'a name of 200 characters outside the basic plane': { insured: { ...whole.insured, name: ASTRAL.repeat(200) } },
  'optional texts that are empty': { clientReferenceId: '', policies: [{ ...policy, policyNumber: '' }] },
  'twenty pairs of metadata of full length': {
    metadata: Array.from({ length: 20 }, (_, index) => ({
      name: ASTRAL.repeat(39) + String.fromCharCode(65 + index),
      value: ASTRAL.repeat(500),
    })),
  },
  'metadata under names that programs trip over': {
    metadata: ['__proto__', 'constructor', '2', '1', '$set', 'a.b', ''].map((name) => ({ name, value: '' })),
  },
  'rates of nothing and of everything': { pricing: { ...pricing, downPaymentRate: 0, apr: 1, optionId: null } },
  'a negative amount': { policies: [{ ...policy, total: '-1.00' }] },
  'a down payment of the whole as an option': { acceptedOptionId: 'opt_100_12' },
  'a whole of 65,536 bytes': applicationOf(65_536),
  'a leap day': { policies: [{ ...policy, effectiveDate: '2028-02-29' }] },
  'the last millisecond of the year 9999': { createdAt: new Date('9999-12-31T23:59:59.999Z') },
};
for (const [what, changes] of Object.entries(ACCEPTED)) {
  test(`${what} is accepted`, () => {
    assert.equal(acceptApplications([draft(changes)], []).length, 1);
  });
}

const REFUSED: readonly (readonly [param: string, code: string, changes: Partial<Draft<Application>>])[] = [
  ['id', 'INVALID_FORMAT', { id: newId('qte_', 0) }],
  ['id', 'INVALID_FORMAT', { id: '' }],
  ['id', 'INVALID_FORMAT', { id: `${whole.id}\n` }],
  ['status', 'INVALID_VALUE', { status: 'Active' }],
  ['status', 'INVALID_VALUE', { status: '' }],
  ['created_via', 'INVALID_VALUE', { createdVia: 'fax' }],
  ['quote_id', 'INVALID_FORMAT', { quoteId: 'qte_1' }],
  ['accepted_option_id', 'INVALID_FORMAT', { acceptedOptionId: 'opt_25.5_10' }],
  ['pricing.option_id', 'INVALID_FORMAT', { pricing: { ...pricing, optionId: '25_10' } }],
  ['pricing.down_payment_rate', 'OUT_OF_RANGE', { pricing: { ...pricing, downPaymentRate: 25 } }],
  ['pricing.down_payment_rate', 'OUT_OF_RANGE', { pricing: { ...pricing, downPaymentRate: -0.01 } }],
  ['pricing.apr', 'OUT_OF_RANGE', { pricing: { ...pricing, apr: Number.NaN } }],
  ['pricing.apr', 'OUT_OF_RANGE', { pricing: { ...pricing, apr: Infinity } }],
  ['pricing.term_months', 'OUT_OF_RANGE', { pricing: { ...pricing, termMonths: 0 } }],
  ['pricing.term_months', 'OUT_OF_RANGE', { pricing: { ...pricing, termMonths: 121 } }],
  ['pricing.down_payment', 'INVALID_FORMAT', { pricing: { ...pricing, downPayment: '3000' } }],
  ['pricing.amount_financed', 'INVALID_FORMAT', { pricing: { ...pricing, amountFinanced: '9,000.00' } }],
  ['pricing.monthly_payment', 'INVALID_FORMAT', { pricing: { ...pricing, monthlyPayment: '$966.00' } }],
  ['pricing.finance_charge', 'INVALID_FORMAT', { pricing: { ...pricing, financeCharge: '' } }],
  ['pricing.total_of_payments', 'INVALID_FORMAT', { pricing: { ...pricing, totalOfPayments: '1e3' } }],
  ['pricing.total_cost', 'INVALID_FORMAT', { pricing: { ...pricing, totalCost: '12660.000' } }],
  ['pricing.selected_by', 'INVALID_VALUE', { pricing: { ...pricing, selectedBy: 'insured' } }],
  ['insured.name', 'TOO_LONG', { insured: { ...whole.insured, name: ASTRAL.repeat(201) } }],
  ['insured.name', 'INVALID_VALUE', { insured: { ...whole.insured, name: 'a\0' } }],
  ['insured.address.line1', 'TOO_LONG', { insured: { ...whole.insured, line1: 'x'.repeat(201) } }],
  ['insured.address.city', 'INVALID_VALUE', { insured: { ...whole.insured, city: LONE_SURROGATE } }],
  ['insured.address.state', 'TOO_LONG', { insured: { ...whole.insured, state: 'x'.repeat(256) } }],
  ['insured.address.postal_code', 'TOO_LONG', { insured: { ...whole.insured, postalCode: 'x'.repeat(256) } }],
  ['broker.email', 'INVALID_FORMAT', { brokerEmail: 'Ana <ana@agency.example>' }],
  ['broker.email', 'INVALID_FORMAT', { brokerEmail: `${'a'.repeat(241)}@agency.example` }],
  ['policies', 'TOO_MANY', { policies: Array.from({ length: 51 }, () => ({ ...policy, id: 'wrong' })) }],
  ['policies[0].id', 'INVALID_FORMAT', { policies: [{ ...policy, id: 'pol_12345678' }] }],
  ['policies[0].carrier.name', 'TOO_LONG', { policies: [{ ...policy, carrierName: 'x'.repeat(201) }] }],
  ['policies[0].carrier.match', 'INVALID_VALUE', { policies: [{ ...policy, carrierMatch: 'maybe' }] }],
  ['policies[0].total', 'INVALID_FORMAT', { policies: [{ ...policy, total: '12000' }] }],
  ['policies[0].effective_date', 'INVALID_FORMAT', { policies: [{ ...policy, effectiveDate: '2027-02-29' }] }],
  ['policies[0].expiration_date', 'INVALID_FORMAT', { policies: [{ ...policy, expirationDate: '2027-1-1' }] }],
  ['policies[0].document_type', 'INVALID_VALUE', { policies: [{ ...policy, documentType: 'invoice' }] }],
  ['policies[0].policy_number', 'INVALID_VALUE', { policies: [{ ...policy, policyNumber: LONE_SURROGATE }] }],
  ['requirements.blocking[0].code', 'INVALID_VALUE', { blocking: [{ ...blocking, code: 'POLICY_NUMBER' }] }],
  ['requirements.blocking[0].description', 'INVALID_VALUE', { blocking: [{ ...blocking, description: ' \t' }] }],
  ['requirements.blocking[0].due_by', 'INVALID_VALUE', { blocking: [{ ...blocking, dueBy: '2026-12-20' }] }],
  ['requirements.blocking', 'TOO_MANY', { blocking: Array.from({ length: 51 }, () => blocking) }],
  ['requirements.outstanding[0].code', 'INVALID_FORMAT', { outstanding: [{ ...outstanding, code: 'policy_number' }] }],
  ['requirements.outstanding[0].code', 'INVALID_FORMAT', { outstanding: [{ ...outstanding, code: 'A__B' }] }],
  ['requirements.outstanding[0].code', 'INVALID_FORMAT', { outstanding: [{ ...outstanding, code: 'A'.repeat(65) }] }],
  ['requirements.outstanding[0].param', 'TOO_LONG', { outstanding: [{ ...outstanding, param: 'x'.repeat(256) }] }],
  [
    'requirements.outstanding[0].description',
    'TOO_LONG',
    { outstanding: [{ ...outstanding, description: 'x'.repeat(501) }] },
  ],
  ['requirements.outstanding[0].due_by', 'INVALID_FORMAT', { outstanding: [{ ...outstanding, dueBy: '20.12.2026' }] }],
  ['portal_url', 'INVALID_FORMAT', { portalUrl: 'javascript:alert(1)' }],
  ['portal_url', 'INVALID_FORMAT', { portalUrl: 'https://' }],
  ['portal_url', 'INVALID_FORMAT', { portalUrl: 'https://portal.example/a b' }],
  ['portal_url', 'INVALID_FORMAT', { portalUrl: `https://portal.example/${'x'.repeat(255)}` }],
  ['client_reference_id', 'TOO_LONG', { clientReferenceId: 'x'.repeat(256) }],
  ['client_reference_id', 'INVALID_VALUE', { clientReferenceId: '\0' }],
  [
    'metadata.a',
    'INVALID_VALUE',
    {
      metadata: [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
    },
  ],
  ['metadata.a', 'TOO_LONG', { metadata: [{ name: 'a', value: 'x'.repeat(501) }] }],
  ['metadata["a\\u0000"]', 'INVALID_VALUE', { metadata: [{ name: 'a\0', value: '' }] }],
  [`metadata["${'x'.repeat(39)}…"]`, 'TOO_LONG', { metadata: [{ name: 'x'.repeat(41), value: '' }] }],
  ['metadata', 'TOO_MANY', { metadata: Array.from({ length: 21 }, (_, index) => ({ name: `n${index}`, value: '' })) }],
  ['created_at', 'INVALID_VALUE', { createdAt: null }],
  ['created_at', 'INVALID_VALUE', { createdAt: new Date(-1) }],
  ['created_at', 'INVALID_VALUE', { createdAt: new Date('+010000-01-01T00:00:00Z') }],
];
for (const [index, [param, code, changes]] of REFUSED.entries()) {
  test(`what is wrong with ${param} is told at its place as ${code} (row ${index + 1})`, () => {
    const [problem, ...others] = problemsOf([draft(changes)]);
    assert.deepEqual([problem?.param, problem?.code], [`applications[0].${param}`, code]);
    assert.ok(problem?.message.startsWith(`applications[0].${param} `), problem?.message);
    assert.deepEqual(others, []);
  });
}

test('an application that is too long as a whole, though no part of it is, is told so with what to do', () => {
  const param = 'applications[1]';
  const message = `${param} must take at most 65536 bytes as JSON, and takes 65537: shorten its texts, or send fewer requirements, policies or metadata.`;
  assert.deepEqual(problemsOf([draft(), draft(applicationOf(65_537))]), [{ code: 'TOO_LONG', param, message }]);
});

test('every problem of every application is told at once, in the order of the public object', () => {
  const wrong = draft({
    id: 'app_1',
    policies: [policy, { ...policy, total: '1', documentType: 'x' }],
    blocking: [{ ...blocking, code: 'x', dueBy: 'x' }],
    createdAt: null,
  });
  const problems = problemsOf([
    draft(),
    { ...wrong, agencyId: 'agy_1', livemode: false },
    { ...draft(), application: null },
  ]);
  assert.deepEqual(
    problems.map(({ param, code }) => `${param}: ${code}`),
    [
      'applications[1].agency_id: INVALID_FORMAT',
      'applications[1].livemode: INVALID_VALUE',
      'applications[1].id: INVALID_FORMAT',
      'applications[1].policies[1].total: INVALID_FORMAT',
      'applications[1].policies[1].document_type: INVALID_VALUE',
      'applications[1].requirements.blocking[0].code: INVALID_VALUE',
      'applications[1].requirements.blocking[0].due_by: INVALID_VALUE',
      'applications[1].created_at: INVALID_VALUE',
      'applications[2]: REQUIRED',
    ],
  );
});

test('the first problem is the headline', () => {
  assert.throws(() => acceptApplications([draft({ status: 'x', portalUrl: 'x' })], []), {
    code: 'VALIDATION_FAILED',
    param: 'applications[0].status',
    message: /^applications\[0\]\.status must be one of processing, .*; "x" was sent\.$/,
  });
});

test('a percentage is met with the fraction that was likely meant', () => {
  const [problem] = problemsOf([draft({ pricing: { ...pricing, downPaymentRate: 25 } })]);
  assert.match(problem?.message ?? '', /For 25 % send 0\.25\.$/);
});

test('an id that is sent twice is refused the second time', () => {
  const problems = problemsOf([draft(), draft({ status: 'active' }), draft({ id: newId('app_', 0) })]);
  assert.deepEqual(
    problems.map(({ param, code }) => [param, code]),
    [['applications[1].id', 'INVALID_VALUE']],
  );
});

test('an application that is known must keep its agency and its time of creation', () => {
  const known = { id: whole.id, agencyId: AGENCY_ID, createdAt: CREATED_AT };
  assert.equal(acceptApplications([draft()], [known]).length, 1);
  const stranger = { ...known, agencyId: newAgencyId() };
  assert.deepEqual(
    problemsOf([draft({ createdAt: new Date(0) })], [stranger]).map(({ param }) => param),
    ['applications[0].id'],
  );
  const [problem] = problemsOf([draft({ createdAt: new Date(0) })], [known]);
  assert.equal(problem?.param, 'applications[0].created_at');
  assert.match(problem.message, /2026-11-20T10:00:00\.123Z/);
});

test('only ids that something can be stored under are looked up', () => {
  const ids = ['app_1', whole.id, `${whole.id.slice(0, -1)}\0`].map((id) => draft({ id }));
  assert.deepEqual(idsOf([...ids, { ...draft(), application: null }]), [whole.id]);
});

test('one call takes from 1 to 500 applications', () => {
  const many = (length: number) => Array.from({ length }, () => draft());
  for (const count of [1, 500]) requireCount(many(count));
  for (const [count, code] of [
    [0, 'TOO_FEW'],
    [501, 'TOO_MANY'],
  ] as const) {
    const problems = problemsIn(() => requireCount(many(count)));
    assert.deepEqual(
      problems.map((problem) => [problem.param, problem.code]),
      [['applications', code]],
    );
  }
});

function problemsOf(drafts: readonly IncomingDraft[], known: readonly KnownApplication[] = []) {
  return problemsIn(() => acceptApplications(drafts, known));
}

function problemsIn(refusing: () => unknown): readonly ErrorDetail[] {
  try {
    refusing();
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === 'VALIDATION_FAILED', String(error));
    return error.details;
  }
  return assert.fail('it should have been refused');
}

function draft(changes: Partial<Draft<Application>> = {}): IncomingDraft {
  return { agencyId: AGENCY_ID, livemode: true, application: { ...whole, ...changes } };
}
