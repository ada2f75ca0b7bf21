import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ApplicationSchema, MetadataPairSchema } from '@pfq/proto/application/v1/application_pb';
import type { Application } from '@pfq/proto/application/v1/application_pb';
import { sampleApplication } from '../../../../tests/support/sample-application.ts';
import { renderApplicationList } from './application-object.ts';
import { fullApplication } from './application.test-support.ts';

function render(application: Application): Record<string, unknown> {
  return JSON.parse(renderApplicationList([application], false)).data[0];
}

test('an application has every field of the contract, in its order, spelling and type', () => {
  const rendered = render(fullApplication());
  const { agency_id: _, ...expected } = sampleApplication();
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
