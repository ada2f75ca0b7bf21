import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DETAIL_CODES } from '@pfq/kit/detail-codes';
import fc from 'fast-check';
import type { JsonSchema } from './json-schema.ts';
import { quoteRequest } from './quote-request.ts';
import { changed, fullRequest, parse, problemsOf, SAMPLE_COVERAGE_TYPES } from './sample-request.test-support.ts';
import type { Sendable, SendableObject } from './sample-request.test-support.ts';

const FIRST = 'policies[0]';
const SCHEMA = quoteRequest(SAMPLE_COVERAGE_TYPES).toJsonSchema();

/** Faults that fit into any valid request. `unseen`: what JSON Schema cannot say. */
const FAULTS: readonly { path: string; sent?: Sendable; code: string; at?: string; unseen?: true }[] = [
  { path: 'broker_email', sent: ' ', code: 'INVALID_VALUE' },
  { path: 'client_reference_id', sent: 'x'.repeat(256), code: 'TOO_LONG' },
  { path: 'client_reference_id', sent: '\0', code: 'INVALID_VALUE', unseen: true },
  { path: 'metadata', sent: { a: 1 }, code: 'INVALID_TYPE', at: 'metadata.a' },
  { path: 'insured', code: 'REQUIRED' },
  { path: 'insured.name', sent: '', code: 'INVALID_VALUE' },
  { path: 'insured.address.state', sent: 'Texas', code: 'INVALID_FORMAT' },
  { path: 'insured.agent', sent: 'x', code: 'UNKNOWN_FIELD' },
  { path: 'policies', sent: [], code: 'TOO_FEW' },
  { path: 'policies', sent: Array.from({ length: 26 }, () => ({})), code: 'TOO_MANY' },
  { path: `${FIRST}.premium`, sent: '1', code: 'INVALID_FORMAT' },
  { path: `${FIRST}.premium`, sent: '0.00', code: 'OUT_OF_RANGE' },
  {
    path: `${FIRST}.taxes_and_fees`,
    sent: [{ amount: 5 }],
    code: 'INVALID_TYPE',
    at: `${FIRST}.taxes_and_fees[0].amount`,
  },
  { path: `${FIRST}.minimum_earned`, sent: {}, code: 'EXACTLY_ONE_OF' },
  { path: `${FIRST}.minimum_earned`, sent: { rate: 0.1, amount: '0.01' }, code: 'EXACTLY_ONE_OF' },
  { path: `${FIRST}.minimum_earned`, sent: { rate: 25 }, code: 'OUT_OF_RANGE', at: `${FIRST}.minimum_earned.rate` },
  { path: `${FIRST}.effective_date`, sent: '2027-1-1', code: 'INVALID_FORMAT' },
  { path: `${FIRST}.expiration_date`, sent: '2027-02-30', code: 'INVALID_FORMAT', unseen: true },
  { path: `${FIRST}.carrier.naic_code`, sent: '123', code: 'INVALID_FORMAT' },
  { path: `${FIRST}.coverages`, sent: [{ type: 'umbrela' }], code: 'INVALID_VALUE', at: `${FIRST}.coverages[0].type` },
  { path: `${FIRST}.auditable`, sent: 'no', code: 'INVALID_TYPE' },
  { path: `${FIRST}.document_type`, sent: 'draft', code: 'INVALID_VALUE' },
  { path: `${FIRST}.policy_number`, sent: [], code: 'INVALID_TYPE' },
  { path: 'colour', sent: null, code: 'UNKNOWN_FIELD' },
];

describe('any request', () => {
  it('that is valid is read, and the documents say that it may be sent', () => {
    fc.assert(
      fc.property(requests(), (request) => {
        assert.deepEqual(problemsOf(request), []);
        assert.equal(allows(SCHEMA, request), true);
      }),
    );
  });

  it('that is valid reads the same however its members are ordered', () => {
    fc.assert(
      fc.property(requests(), (request) => {
        const reversed = Object.fromEntries(Object.entries(request).reverse());
        assert.deepEqual(parse(reversed), parse(request));
      }),
    );
  });

  it('with one fault gets exactly that one detail', () => {
    fc.assert(
      fc.property(requests(), fc.constantFrom(...FAULTS), (request, { path, sent, code, at = path }) => {
        const found = problemsOf(changed(request, path, sent));
        assert.deepEqual(
          found.map((detail) => [detail.code, detail.param]),
          [[code, at]],
        );
      }),
      { numRuns: 500 },
    );
  });

  it('has faults of every code', () => {
    assert.deepEqual(new Set(FAULTS.map(({ code }) => code)), new Set(Object.keys(DETAIL_CODES)));
  });
});

describe('the JSON Schema of the request', () => {
  for (const { path, sent, code, unseen } of FAULTS) {
    it(`${unseen ? 'cannot say that' : 'forbids what gets'} ${code} at ${path} ${unseen ? 'is wrong' : ''}`, () => {
      assert.equal(allows(SCHEMA, changed(fullRequest(), path, sent)), unseen === true);
    });
  }

  it('names every field, in schema order, and the required ones', () => {
    const policy = SCHEMA.properties?.['policies']?.items;
    assert.deepEqual(Object.keys(SCHEMA.properties ?? {}), Object.keys(fullRequest()));
    assert.deepEqual(SCHEMA.required, ['insured', 'policies']);
    assert.deepEqual(policy?.required, [
      'premium',
      'minimum_earned',
      'effective_date',
      'expiration_date',
      'carrier',
      'coverages',
    ]);
  });

  it('carries descriptions and limits for the documents', () => {
    const { metadata, policies } = SCHEMA.properties ?? {};
    assert.equal(policies?.maxItems, 25);
    assert.equal(metadata?.maxProperties, 20);
    assert.match(policies?.items?.properties?.['premium']?.description ?? '', /without taxes/);
  });
});

/** Valid requests of every shape: optional fields absent, null or sent, any text that may be sent. */
function requests(): fc.Arbitrary<SendableObject> {
  const text = (most: number) => fc.string({ unit: 'binary', maxLength: most }).filter((one) => !one.includes('\0'));
  const filled = (most: number) => text(most).map((one) => (one.trim() === '' ? 'x' : one));
  const cents = fc.integer({ min: 1, max: 99_999_999_999 });
  const money = (amount: number) => `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
  const day = fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const metadata = fc.dictionary(text(40), text(500), { maxKeys: 20 });
  const maybe = <T extends Sendable>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
  const policy = cents.chain((premium) =>
    fc.record(
      {
        premium: fc.constant(money(premium)),
        taxes_and_fees: maybe(
          fc.array(
            fc.record(
              { amount: fc.nat().map(money), description: maybe(text(500)), earned: maybe(fc.boolean()) },
              { requiredKeys: ['amount'] },
            ),
            { maxLength: 3 },
          ),
        ),
        minimum_earned: fc.oneof(
          fc.record({ rate: fc.double({ min: 0, max: 1, noNaN: true }) }),
          fc.record({ amount: fc.integer({ min: 0, max: premium }).map(money), rate: fc.constant(null) }),
        ),
        effective_date: day,
        expiration_date: day,
        carrier: fc.record(
          { name: filled(200), naic_code: fc.constantFrom('12345', '', null), am_best_id: maybe(text(255)) },
          { requiredKeys: ['name'] },
        ),
        coverages: fc.array(
          fc.record(
            { type: fc.constantFrom(...SAMPLE_COVERAGE_TYPES), description: maybe(text(500)) },
            { requiredKeys: ['type'] },
          ),
          { minLength: 1, maxLength: 3 },
        ),
        auditable: maybe(fc.boolean()),
        document_type: fc.constantFrom('quote', 'binder', 'policy', '', null),
        policy_number: maybe(text(255)),
        metadata: maybe(metadata),
      },
      { requiredKeys: ['premium', 'minimum_earned', 'effective_date', 'expiration_date', 'carrier', 'coverages'] },
    ),
  );
  const address = fc.record(
    {
      line1: maybe(text(200)),
      city: maybe(text(200)),
      state: fc.constantFrom('TX', 'PR'),
      postal_code: maybe(text(255)),
    },
    { requiredKeys: ['state'] },
  );
  return fc.record(
    {
      broker_email: maybe(filled(255)),
      client_reference_id: maybe(text(255)),
      metadata: maybe(metadata),
      insured: fc.record(
        { name: filled(200), dba: maybe(text(200)), fein: maybe(text(255)), address },
        { requiredKeys: ['name', 'address'] },
      ),
      policies: fc.array(policy, { minLength: 1, maxLength: 4 }),
    },
    { requiredKeys: ['insured', 'policies'] },
  );
}

/** Whether a JSON Schema allows a value, by the keywords that requests use. */
function allows(schema: JsonSchema, value: unknown): boolean {
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
  if (types && !types.includes(typeOf(value))) return false;
  if (schema.not && allows(schema.not, value)) return false;
  if (schema.oneOf && schema.oneOf.filter((one) => allows(one, value)).length !== 1) return false;
  if (schema.enum && !schema.enum.some((one) => one === value)) return false;
  if (typeof value === 'string') {
    const { pattern, maxLength = Infinity } = schema;
    return (pattern === undefined || new RegExp(pattern, 'u').test(value)) && Array.from(value).length <= maxLength;
  }
  if (typeof value === 'number') return value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity);
  if (Array.isArray(value)) {
    const { items = {}, minItems = 0, maxItems = Infinity } = schema;
    return value.length >= minItems && value.length <= maxItems && value.every((item) => allows(items, item));
  }
  return typeof value !== 'object' || value === null || allowsMembers(schema, value);
}

function allowsMembers(schema: JsonSchema, value: object): boolean {
  const {
    properties = {},
    required = [],
    maxProperties = Infinity,
    propertyNames = {},
    additionalProperties = {},
  } = schema;
  const members: [string, unknown][] = Object.entries(value);
  if (members.length > maxProperties || required.some((name) => !Object.hasOwn(value, name))) return false;
  return members.every(([name, member]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return own !== undefined && own !== false && allows(propertyNames, name) && allows(own, member);
  });
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
