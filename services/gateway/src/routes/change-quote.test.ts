import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Access } from '../domain/access.ts';
import {
  accessStore,
  accessWith,
  errorOf,
  outcomeOf,
  startGateway,
  TEST_KEY,
} from '../running-gateway.test-support.ts';

const ID = `qte_${'0'.repeat(22)}`;
const INACTIVE = { id: 'brk_ana', email: 'ana@agency.example', name: 'Ana Ruiz', status: 'inactive' } as const;
const TOO_LARGE = Buffer.alloc(2 * 1024 * 1024 + 1, ' ');
const VALID = JSON.stringify({ option_id: 'opt_25_10' });

type Step = {
  readonly refusal: string;
  readonly access: Partial<Access>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};

const HELPER = `/v1/test_helpers/quotes/${ID}/interest`;
const LINK = `/v1/quotes/${ID}/hosted-link`;
const BROKER = { defaultBroker: INACTIVE };

/** Each request has the fault of its step and every later fault too: the earliest is told. The quote is not there. */
const STEPS: readonly Step[] = [
  {
    refusal: '400 INVALID_API_VERSION',
    access: { ...BROKER, mode: 'live', scopes: [] },
    headers: { 'service-version': 'v1', 'idempotency-key': '' },
    body: TOO_LARGE,
  },
  {
    refusal: '403 MISSING_SCOPE',
    access: { ...BROKER, scopes: ['quotes:read'] },
    headers: { 'idempotency-key': '' },
    body: TOO_LARGE,
  },
  { refusal: '400 IDEMPOTENCY_KEY_INVALID', access: BROKER, headers: { 'idempotency-key': '' }, body: TOO_LARGE },
  { refusal: '400 INVALID_REQUEST', access: BROKER, body: TOO_LARGE },
  { refusal: '400 INVALID_JSON', access: BROKER, body: '{' },
  { refusal: '422 VALIDATION_FAILED', access: BROKER, body: '{"colour":"red"}' },
];

describe('a change of a quote is checked in order', () => {
  for (const path of [LINK, HELPER]) {
    for (const { refusal, access, headers, body } of STEPS) {
      it(`${path.replace(ID, '{id}')}: ${refusal} before all that comes later`, async (t) => {
        const { store } = accessStore({ [TEST_KEY]: accessWith(access) });
        const gateway = await startGateway(t, { access: store, getQuote: () => assert.fail('looked for') });
        const answer = await gateway.ask('POST', path, { key: TEST_KEY, body, ...(headers && { headers }) });
        assert.equal(outcomeOf(answer), refusal);
      });
    }
  }

  for (const [path, body] of [
    [LINK, ''],
    [HELPER, VALID],
  ] as const) {
    it(`${path.replace(ID, '{id}')}: the acting broker before the quote`, async (t) => {
      const { store } = accessStore({ [TEST_KEY]: accessWith(BROKER) });
      const gateway = await startGateway(t, { access: store, getQuote: () => assert.fail('looked for') });
      const answer = await gateway.ask('POST', path, { key: TEST_KEY, body });
      assert.equal(outcomeOf(answer), '403 DEFAULT_BROKER_INACTIVE');
      const sound = await startGateway(t);
      assert.equal(outcomeOf(await sound.ask('POST', path, { key: TEST_KEY, body })), '404 NOT_FOUND');
    });
  }

  it('a test helper refuses a live key before it looks at its scopes', async (t) => {
    const { store } = accessStore({ [TEST_KEY]: accessWith({ ...BROKER, mode: 'live', scopes: [] }) });
    const gateway = await startGateway(t, { access: store });
    const headers = { 'idempotency-key': '' };
    const answer = await gateway.ask('POST', HELPER, { key: TEST_KEY, headers, body: TOO_LARGE });
    assert.equal(outcomeOf(answer), '403 TEST_MODE_ONLY');
    assert.equal(outcomeOf(await gateway.ask('POST', LINK, { key: TEST_KEY })), '403 MISSING_SCOPE');
  });
});

describe('a change of a quote acts as the default broker', () => {
  for (const [path, body] of [
    [LINK, { broker_email: 'ben@agency.example' }],
    [HELPER, { option_id: 'opt_25_10', broker_email: 'ben@agency.example' }],
  ] as const) {
    it(`${path.replace(ID, '{id}')} does not know broker_email`, async (t) => {
      const gateway = await startGateway(t);
      const answer = await gateway.ask('POST', path, { key: TEST_KEY, body: JSON.stringify(body) });
      assert.deepEqual(errorOf(answer)['details'], [
        { code: 'UNKNOWN_FIELD', param: 'broker_email', message: 'broker_email is not a known field.' },
      ]);
    });
  }
});
