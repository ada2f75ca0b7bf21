import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ApplicationSchema, MetadataPairSchema } from '@pfq/proto/application/v1/application_pb';
import type { Application } from '@pfq/proto/application/v1/application_pb';
import { renderApplicationList } from './application-object.ts';
import { fullApplication } from './application.test-support.ts';

function render(application: Application): Record<string, unknown> {
  return JSON.parse(renderApplicationList([application], false)).data[0];
}

test('an application has every field of the contract, in its order, spelling and type', () => {
  const rendered = render(fullApplication());
  const expected = {
    id: 'app_0000000000000000000001',
    object: 'application',
    livemode: true,
    status: 'pending_activation',
    created_via: 'email',
    quote_id: 'qte_0000000000000000000001',
    accepted_option_id: 'opt_25_10',
    pricing: {
      option_id: 'opt_25_10',
      down_payment_rate: 0.25,
      term_months: 10,
      apr: 0.0986,
      down_payment: '5000.00',
      amount_financed: '15000.00',
      monthly_payment: '1568.62',
      finance_charge: '686.20',
      total_of_payments: '15686.20',
      total_cost: '20686.20',
      selected_by: 'system',
    },
    insured: {
      name: 'Hill Country Roofing LLC',
      address: { line1: '410 Congress Ave', city: 'Austin', state: 'TX', postal_code: '78701' },
    },
    broker: { email: 'Ana@Agency.example' },
    policies: [
      {
        id: 'pol_0000000000000000000001',
        carrier: { name: 'Demo Dewberry Insurance Company', match: 'matched' },
        total: '20000.00',
        effective_date: '2026-12-01',
        expiration_date: '2027-12-01',
        document_type: 'binder',
        policy_number: 'GL-1001',
      },
    ],
    requirements: {
      blocking: [
        {
          code: 'AGREEMENT_DECLINED',
          param: 'borrower',
          description: 'The insured declined the agreement.',
          due_by: null,
        },
      ],
      outstanding: [
        { code: 'POLICY_NUMBER', param: null, description: 'Send the policy number.', due_by: '2026-12-31' },
      ],
    },
    portal_url: 'https://portal.example/applications/1',
    client_reference_id: 'deal-7',
    metadata: { desk: 'austin' },
    created_at: '2026-11-20T23:59:59.120Z',
  };
  assert.deepEqual(rendered, expected);
  assert.deepEqual(Object.keys(rendered), Object.keys(expected));
});

test('what is not known is null, a list that has nothing is empty', () => {
  const { id, status, createdVia, brokerEmail, portalUrl } = fullApplication();
  const known = { id, status, createdVia, brokerEmail, portalUrl, createdAt: timestampFromDate(new Date(0)) };
  const bare = create(ApplicationSchema, { ...known, policies: [{ id: 'pol_1', carrierMatch: 'pending' }] });
  const address = { line1: null, city: null, state: null, postal_code: null };
  assert.partialDeepStrictEqual(render(bare), {
    quote_id: null,
    accepted_option_id: null,
    pricing: null,
    insured: { name: null, address },
    policies: [
      {
        id: 'pol_1',
        carrier: { name: null, match: 'pending' },
        total: null,
        effective_date: null,
        expiration_date: null,
        document_type: null,
        policy_number: null,
      },
    ],
    requirements: { blocking: [], outstanding: [] },
    client_reference_id: null,
    metadata: {},
    created_at: '1970-01-01T00:00:00.000Z',
  });
  const { pricing: full } = fullApplication();
  assert.ok(full);
  const { optionId: _, ...pricing } = full;
  assert.partialDeepStrictEqual(render(fullApplication({ pricing })), { pricing: { option_id: null } });
});

test('metadata keeps its order and spelling, whatever its names', () => {
  const pairs = [
    ['10', 'ten'],
    ['9', 'nine'],
    ['__proto__', 'polluted'],
    ['', 'no name'],
    ['\u{1F600}', '"\\/\b\u{7F}\u{2028}'],
  ];
  const metadata = pairs.map(([name = '', value = '']) => create(MetadataPairSchema, { name, value }));
  const members = pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',');
  assert.ok(renderApplicationList([fullApplication({ metadata })], false).includes(`"metadata":{${members}},`));
});

test('the cursor is the last application where another page follows, else null', () => {
  const page = ['app_2', 'app_1'].map((id) => fullApplication({ id }));
  assert.partialDeepStrictEqual(JSON.parse(renderApplicationList(page, true)), {
    has_more: true,
    next_cursor: 'app_1',
  });
  assert.partialDeepStrictEqual(JSON.parse(renderApplicationList(page, false)), { has_more: false, next_cursor: null });
  assert.equal(renderApplicationList([], false), '{"object":"list","data":[],"has_more":false,"next_cursor":null}');
});
