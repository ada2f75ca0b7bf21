import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Access } from '../domain/access.ts';
import {
  accessStore,
  accessWith,
  errorOf,
  outcomeOf,
  startGateway,
  TEST_KEY,
} from '../running-gateway.test-support.ts';
import type { GatewayParts } from '../running-gateway.test-support.ts';

const PATH = '/v1/whoami';

/** The gateway of a caller whose key may what `changes` say, and whose other services must not be asked. */
function partsOf(changes: Partial<Access>): GatewayParts {
  return { access: accessStore({ [TEST_KEY]: accessWith(changes) }).store, getQuote: () => assert.fail('asked') };
}

test('a test key of the whole agency is told its mode, agency, broker, scopes and version, and nothing else', async (t) => {
  const gateway = await startGateway(t, partsOf({}));
  const { status, body } = await gateway.ask('GET', PATH, { key: TEST_KEY });
  assert.equal(status, 200);
  assert.deepEqual(JSON.parse(body), {
    object: 'whoami',
    livemode: false,
    brokerage: { name: 'Lone Star Insurance' },
    acting_broker: { email: 'Ana@Agency.example', name: 'Ana Ruiz' },
    api_key: { type: 'agency', scopes: ['quotes:write', 'quotes:read'] },
    api_version: '2026-09-23',
  });
});

test('a live key of one broker, without any scope, is told so', async (t) => {
  const gateway = await startGateway(t, partsOf({ mode: 'live', type: 'broker', scopes: [] }));
  const { status, body } = await gateway.ask('GET', PATH, { key: TEST_KEY });
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(JSON.parse(body), { livemode: true, api_key: { type: 'broker', scopes: [] } });
});

for (const [pinned, served] of [
  ['2026-09-23', '2026-09-23'],
  ['2031-01-01', '2026-09-23'],
  ['2020-02-29', '2026-09-23'],
] as const) {
  test(`the version that serves a request pinned to ${pinned} is told in the body as in the header`, async (t) => {
    const gateway = await startGateway(t, partsOf({}));
    const headers = { 'service-version': pinned };
    const answer = await gateway.ask('GET', PATH, { key: TEST_KEY, headers });
    assert.equal(answer.headers['service-version'], served);
    assert.partialDeepStrictEqual(JSON.parse(answer.body), { api_version: served });
  });
}

for (const status of ['inactive', 'invited'] as const) {
  test(`it acts as the default broker, and is refused while that broker is ${status}`, async (t) => {
    const broker = { id: 'brk_ana', email: 'ana@agency.example', name: 'Ana Ruiz', status };
    const gateway = await startGateway(t, partsOf({ defaultBroker: broker }));
    const answer = await gateway.ask('GET', PATH, { key: TEST_KEY });
    assert.equal(outcomeOf(answer), '403 DEFAULT_BROKER_INACTIVE');
    assert.match(String(errorOf(answer)['message']), /ana@agency\.example/);
  });
}

test('HEAD is answered as GET is, without the body', async (t) => {
  const gateway = await startGateway(t, partsOf({}));
  const get = await gateway.ask('GET', PATH, { key: TEST_KEY });
  const head = await gateway.ask('HEAD', PATH, { key: TEST_KEY });
  assert.deepEqual([head.status, head.body], [200, '']);
  for (const name of ['content-type', 'content-length', 'service-version', 'ratelimit-limit'])
    assert.equal(head.headers[name], get.headers[name], name);
});
