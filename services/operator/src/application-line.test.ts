import { create, toBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { IncomingApplicationSchema } from '@pfq/proto/application/v1/application_pb';
import assert from 'node:assert/strict';
import test from 'node:test';
import { inspect } from 'node:util';
import { readApplicationLine } from './application-line.ts';
import { sampleApplication } from '../../../tests/support/sample-application.ts';

function read(line: string | object) {
  return readApplicationLine(Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)));
}

/** What the application service gets of a line. */
function sent(line: string | object) {
  const told = read(line);
  assert.ok('application' in told, inspect(told));
  return create(IncomingApplicationSchema, told.application);
}

/** The sample with the value at one path, such as `pricing.apr`, put in place of its own; undefined leaves it out. */
function withChange(path: string, value: unknown): object {
  const line = structuredClone<object>(sampleApplication());
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  const parent = steps.reduce<object>((object, step) => Reflect.get(object, step), line);
  Reflect.set(parent, last, value);
  return line;
}

test('every field of the public application reaches the application service', () => {
  const { agencyId, livemode, application } = sent(sampleApplication());
  assert.ok(application?.createdAt && application.pricing && application.insured);
  const { createdAt, pricing, insured, ...rest } = application;
  assert.deepEqual(
    [agencyId, livemode, timestampDate(createdAt).toISOString()],
    ['agy_0000000000000000000001', true, '2026-11-20T09:30:00.123Z'],
  );
  assert.partialDeepStrictEqual(rest, {
    id: 'app_0000000000000000000001',
    status: 'pending_activation',
    createdVia: 'email',
    quoteId: 'qte_0000000000000000000001',
    acceptedOptionId: 'opt_25_10',
    brokerEmail: 'ana@lonestar.example',
    portalUrl: 'https://portal.example/applications/1',
    clientReferenceId: 'deal-7',
    policies: [
      {
        id: 'pol_0000000000000000000001',
        carrierName: 'Demo Dewberry Insurance Company',
        carrierMatch: 'matched',
        total: '20000.00',
        effectiveDate: '2026-12-01',
        expirationDate: '2027-12-01',
        documentType: 'binder',
        policyNumber: 'GL-1001',
      },
    ],
    blocking: [{ code: 'AGREEMENT_DECLINED', param: 'borrower', description: 'Call the insured.' }],
    outstanding: [
      { code: 'POLICY_NUMBER', param: 'policies[0].policy_number', description: 'Send it.', dueBy: '2026-12-31' },
    ],
    metadata: [{ name: 'desk', value: 'austin' }],
  });
  assert.partialDeepStrictEqual(pricing, {
    optionId: 'opt_25_10',
    downPaymentRate: 0.25,
    termMonths: 10,
    apr: 0.0986,
    downPayment: '5000.00',
    amountFinanced: '15000.00',
    monthlyPayment: '1568.62',
    financeCharge: '686.20',
    totalOfPayments: '15686.20',
    totalCost: '20686.20',
    selectedBy: 'broker',
  });
  assert.partialDeepStrictEqual(insured, {
    name: 'Hill Country Roofing LLC',
    address: { line1: '410 Congress Ave', city: 'Austin', state: 'TX', postalCode: '78701' },
  });
});

test('what is null, and what is left out where null says the same, is absent', () => {
  const nothing = { quote_id: null, accepted_option_id: null, pricing: null, client_reference_id: null };
  const address = { line1: null, city: null, state: null, postal_code: null };
  const full = sampleApplication({ ...nothing, insured: { name: null, address }, policies: [], metadata: {} });
  const { object: _, quote_id: __, pricing: ___, metadata: ____, ...lean } = full;
  assert.deepEqual(sent({ ...lean, insured: { address: {} } }), sent(full));
  const { application } = sent(full);
  assert.deepEqual(
    [application?.quoteId, application?.pricing, application?.insured?.name],
    [undefined, undefined, undefined],
  );
});

test('metadata keeps its order and spelling, whatever its names', () => {
  const metadata = '{"10":"ten","9":"nine","__proto__":"p","":"","a b":"\\u00e9"}';
  const { application } = sent(JSON.stringify(sampleApplication()).replace('{"desk":"austin"}', metadata));
  assert.deepEqual(
    application?.metadata.map(({ name, value }) => [name, value]),
    [
      ['10', 'ten'],
      ['9', 'nine'],
      ['__proto__', 'p'],
      ['', ''],
      ['a b', 'é'],
    ],
  );
});

test('a line is never shorter than the message it becomes', () => {
  const lines = [
    sampleApplication(),
    withChange('metadata', { '': '' }),
    withChange('pricing.term_months', -1),
    withChange('requirements.blocking', [{ code: '', description: '' }]),
  ];
  for (const line of lines) {
    assert.ok(JSON.stringify(line).length > toBinary(IncomingApplicationSchema, sent(line)).length);
  }
});

const REFUSED: readonly (readonly [path: string, value: unknown, problem: string])[] = [
  ['status', undefined, 'status must be a string, and is missing.'],
  ['status', null, 'status must be a string, not null.'],
  ['status', ['active'], 'status must be a string, not an array.'],
  ['status', '\u{D800}', 'status must not hold half of a surrogate pair.'],
  ['status', 'active\0', 'status must not hold the character NUL (U+0000).'],
  ['livemode', 'true', 'livemode must be true or false, not a string.'],
  ['object', 'quote', 'object must be "application".'],
  ['agency_id', 7, 'agency_id must be a string, not a number.'],
  ['created_at', '2026-11-20', 'created_at must be a time such as "2026-11-20T09:30:00.000Z".'],
  ['created_at', '2026-02-30T09:30:00Z', 'created_at must be a time such as "2026-11-20T09:30:00.000Z".'],
  ['created_at', '2026-11-20T09:30:00.1234Z', 'created_at must be a time such as "2026-11-20T09:30:00.000Z".'],
  ['created_at', '2026-11-20T09:30:00+01:00', 'created_at must be a time such as "2026-11-20T09:30:00.000Z".'],
  ['pricing', [], 'pricing must be an object, not an array.'],
  ['pricing.apr', '0.0986', 'pricing.apr must be a number, not a string.'],
  ['pricing.term_months', 10.5, 'pricing.term_months must be a whole number.'],
  ['pricing.term_months', '10', 'pricing.term_months must be a whole number, not a string.'],
  ['pricing.down_payment', 5000, 'pricing.down_payment must be a string such as "1234.50", not a number.'],
  ['policies.0.total', 20000, 'policies[0].total must be a string such as "1234.50", not a number.'],
  ['policies', {}, 'policies must be an array, not an object.'],
  ['policies.0', 'GL', 'policies[0] must be an object, not a string.'],
  ['policies.0.carrier.mach', 'x', 'policies[0].carrier.mach is not known here, where there are name, match.'],
  ['insured.address', undefined, 'insured.address must be an object, and is missing.'],
  ['requirements.blocking.0.code', null, 'requirements.blocking[0].code must be a string, not null.'],
  ['metadata', [], 'metadata must be an object, not an array.'],
  ['metadata.desk', 1, 'metadata.desk must be a string, not a number.'],
  ['metadata.\u{DC00}', 'x', 'metadata["\\udc00"] must not hold half of a surrogate pair.'],
];

for (const [path, value, problem] of REFUSED) {
  test(`refused: ${problem}`, () => {
    assert.deepEqual(read(withChange(path, value)), { problems: [problem] });
  });
}

const NO_OBJECTS: readonly (readonly [line: string | Uint8Array, problem: RegExp])[] = [
  ['[]', /^it must be an object, not an array\.$/],
  ['{"id":1,}', /^it is not valid JSON at character 9: a member name in double quotes was expected, "}" was found\.$/],
  ['{"id":"a","id":"b"}', /^it is not valid JSON at character 11: the member "id" appears twice in one object\.$/],
  [Uint8Array.of(0x22, 0xff, 0x22), /^it is not valid JSON at character 2: the bytes are not valid UTF-8\.$/],
];

for (const [line, problem] of NO_OBJECTS) {
  test(`refused: ${problem.source}`, () => {
    const told = readApplicationLine(Buffer.from(line));
    assert.ok('problems' in told && told.problems.length === 1);
    assert.match(told.problems[0] ?? '', problem);
  });
}

test('a number that no double can hold is refused', () => {
  const line = JSON.stringify(sampleApplication()).replace('0.0986', '1e999');
  assert.deepEqual(read(line), { problems: ['pricing.apr is larger than a number can be.'] });
});

test('every problem of a line is told, up to a bound', () => {
  const two = { ...withChange('pricing.apr', 'x'), id: 7 };
  assert.deepEqual(read(two), {
    problems: ['id must be a string, not a number.', 'pricing.apr must be a number, not a string.'],
  });
  const noise = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x${index}`, index]));
  const told = read(noise);
  assert.ok('problems' in told && told.problems.length === 20);
});
