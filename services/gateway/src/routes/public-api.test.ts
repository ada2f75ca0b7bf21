import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isId } from '@pfq/kit/ids';
import { unavailable } from '@pfq/kit/errors';
import type { Access } from '../domain/access.ts';
import { makeApiKey } from '../domain/api-key.ts';
import { fullRequest } from '../requests/sample-request.test-support.ts';
import {
  accessStore,
  accessWith,
  askRaw,
  DOCS_URL,
  errorOf,
  LIVE_KEY,
  outcomeOf,
  startGateway,
  TEST_KEY,
} from '../running-gateway.test-support.ts';

const INACTIVE = { id: 'brk_ana', email: 'ana@agency.example', name: 'Ana Ruiz', status: 'inactive' } as const;
const OWN_FIELDS = JSON.stringify({ ...fullRequest(), broker_email: null });
const ID = `qte_${'0'.repeat(22)}`;
const TOO_LARGE = Buffer.alloc(2 * 1024 * 1024 + 1, ' ');

type Step = {
  readonly refusal: string;
  readonly access?: Partial<Access>;
  readonly path?: string;
  readonly method?: string;
  readonly version?: string;
  readonly body?: string | Buffer;
  readonly key?: string;
  readonly idempotencyKey?: string;
};

/** Each request has the fault of its step and every later fault too: the earliest is told. */
const LATER_FAULTS = { scopes: [], defaultBroker: INACTIVE } as const;
const STEPS: readonly Step[] = [
  { refusal: '401 INVALID_API_KEY', key: 'pfq_test_x', path: '/v1/nothing', method: 'DELETE', version: 'v1' },
  {
    refusal: '401 KEY_REVOKED',
    access: { revoked: true, expiresOn: '2000-01-01', enabled: false },
    path: '/v1/nothing',
  },
  { refusal: '401 KEY_EXPIRED', access: { expiresOn: '2000-01-01', enabled: false }, path: '/v1/nothing' },
  { refusal: '403 TEST_MODE_NOT_ENABLED', access: { enabled: false }, path: '/v1/nothing' },
  { refusal: '403 API_ACCESS_NOT_ENABLED', access: { enabled: false, mode: 'live' }, path: '/v1/nothing' },
  { refusal: '404 NOT_FOUND', path: '/v1/nothing', version: 'v1' },
  { refusal: '405 empty', method: 'DELETE', version: 'v1' },
  { refusal: '400 INVALID_API_VERSION', version: 'v1', access: LATER_FAULTS, idempotencyKey: '', body: TOO_LARGE },
  { refusal: '403 MISSING_SCOPE', access: LATER_FAULTS, idempotencyKey: '', body: TOO_LARGE },
  {
    refusal: '400 IDEMPOTENCY_KEY_INVALID',
    access: { defaultBroker: INACTIVE },
    idempotencyKey: '',
    body: TOO_LARGE,
  },
  { refusal: '400 INVALID_REQUEST', access: { defaultBroker: INACTIVE }, body: TOO_LARGE },
  { refusal: '400 INVALID_JSON', access: { defaultBroker: INACTIVE }, body: '{"policies":' },
  { refusal: '422 VALIDATION_FAILED', access: { defaultBroker: INACTIVE }, body: '{"policies":[]}' },
  { refusal: '403 DEFAULT_BROKER_INACTIVE', access: { defaultBroker: INACTIVE }, body: OWN_FIELDS },
];

for (const step of STEPS) {
  const { refusal, access, path = '/v1/quotes', method = 'POST', version, idempotencyKey, body, key = TEST_KEY } = step;
  test(`in the order of checks: ${refusal} before all that comes later`, async (t) => {
    const { store } = accessStore({ [TEST_KEY]: accessWith(access) });
    const gateway = await startGateway(t, { access: store });
    const headers = {
      ...(version !== undefined && { 'service-version': version }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const answer = await gateway.ask(method, path, { key, headers, ...(body !== undefined && { body }) });
    assert.equal(outcomeOf(answer), refusal);
    assert.ok(isId('req_', String(answer.headers['request-id'])), 'a request id');
    assert.equal(answer.headers['service-version'], '2026-09-23');
    assert.equal(answer.headers['www-authenticate'], answer.status === 401 ? 'Bearer' : undefined);
    assert.deepEqual(gateway.stored, []);
  });
}

test('a read with an inactive default broker is refused before the quote is looked for', async (t) => {
  const { store } = accessStore({ [TEST_KEY]: accessWith({ defaultBroker: INACTIVE }) });
  const gateway = await startGateway(t, { access: store, getQuote: () => assert.fail('looked for') });
  assert.equal(
    outcomeOf(await gateway.ask('GET', `/v1/quotes/${ID}`, { key: TEST_KEY })),
    '403 DEFAULT_BROKER_INACTIVE',
  );
});

const MALFORMED_HEADERS: readonly (readonly [what: string, header: string | undefined])[] = [
  ['no header', undefined],
  ['another scheme', `Basic ${TEST_KEY}`],
  ['bearer in lower case', `bearer ${TEST_KEY}`],
  ['the bare key', TEST_KEY],
  ['two spaces', `Bearer  ${TEST_KEY}`],
  ['a truncated key', `Bearer ${TEST_KEY.slice(0, -1)}`],
  ['swapped modes', `Bearer ${TEST_KEY.replace('_test_', '_live_')}`],
  ['the other case', `Bearer ${TEST_KEY.toLowerCase()}`],
];
test('a credential that comes twice is refused, whichever of the two would do', async (t) => {
  const { store, asked } = accessStore({ [TEST_KEY]: accessWith() });
  const gateway = await startGateway(t, { access: store });
  const lines = `Authorization: Bearer ${TEST_KEY}\r\n`.repeat(2);
  const answer = await askRaw(gateway.port, `GET /v1/whoami HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines}\r\n`);
  assert.match(answer, /^HTTP\/1\.1 401 [\s\S]*INVALID_API_KEY/);
  assert.deepEqual(asked, []);
});

for (const [what, authorization] of MALFORMED_HEADERS) {
  test(`a credential with ${what} is refused without asking the database`, async (t) => {
    const { store, asked } = accessStore({ [TEST_KEY]: accessWith() });
    const gateway = await startGateway(t, { access: store });
    const answer = await gateway.ask(
      'POST',
      '/v1/quotes',
      authorization === undefined ? {} : { headers: { authorization } },
    );
    assert.equal(outcomeOf(answer), '401 INVALID_API_KEY');
    assert.deepEqual(asked, []);
  });
}

test('whoever is calling is found with one question to the database', async (t) => {
  const { store, asked } = accessStore({ [TEST_KEY]: accessWith() });
  const gateway = await startGateway(t, { access: store });
  await gateway.ask('GET', `/v1/quotes/${ID}`, { key: TEST_KEY });
  assert.deepEqual(asked, ['access']);
  const unknown = makeApiKey('live', 'u'.repeat(43));
  assert.equal(outcomeOf(await gateway.ask('GET', `/v1/quotes/${ID}`, { key: unknown })), '401 INVALID_API_KEY');
  assert.deepEqual(asked, ['access', 'access']);
});

test('outside /v1 everything is an unknown path, and needs no key', async (t) => {
  const { store, asked } = accessStore({});
  const gateway = await startGateway(t, { access: store });
  for (const path of ['/', '/v1quotes', '/V1/quotes', '//v1/quotes', '/%76%31/quotes', '/v2/quotes', '/../v1/quotes']) {
    assert.equal(outcomeOf(await gateway.ask('GET', path)), '404 NOT_FOUND', path);
  }
  assert.deepEqual(asked, []);
});

test('an unknown path under /v1 tells a caller without a key nothing', async (t) => {
  const gateway = await startGateway(t);
  for (const path of ['/v1', '/v1/', '/v1/nothing', '/v1/quotes/%zz']) {
    assert.equal(outcomeOf(await gateway.ask('GET', path)), '401 INVALID_API_KEY', path);
    assert.equal(outcomeOf(await gateway.ask('GET', path, { key: TEST_KEY })), '404 NOT_FOUND', path);
  }
});

test('a request target in absolute form is answered, and one that is no URL as an unknown path', async (t) => {
  const gateway = await startGateway(t);
  const get = (target: string) =>
    askRaw(gateway.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  assert.match(await get('http://any.example/v1/quotes'), /^HTTP\/1\.1 401 .*INVALID_API_KEY/s);
  for (const target of ['http://[::1', 'foo://x', 'http://h:99999999/', '*']) {
    assert.match(await get(target), /^HTTP\/1\.1 404 .*Request-Id: req_.*"NOT_FOUND"/s, target);
  }
});

test('a 405 has no body and no content type, and names the methods that the path knows', async (t) => {
  const gateway = await startGateway(t);
  for (const [method, path, allow] of [
    ['GET', '/v1/quotes', 'POST'],
    ['OPTIONS', '/v1/quotes', 'POST'],
    ['TRACE', '/v1/quotes', 'POST'],
    ['PATCH', `/v1/quotes/${ID}`, 'GET, HEAD'],
  ] as const) {
    const { status, body, headers } = await gateway.ask(method, path, { key: TEST_KEY });
    assert.deepEqual(
      [status, body, headers.allow, headers['content-type'], headers['content-length']],
      [405, '', allow, undefined, '0'],
    );
  }
});

test('no answer lets a browser in: keys belong on servers', async (t) => {
  const gateway = await startGateway(t);
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
  for (const [method, path, key] of [
    ['OPTIONS', '/v1/quotes', undefined],
    ['OPTIONS', '/v1/quotes', TEST_KEY],
    ['GET', '/v1/whoami', TEST_KEY],
    ['GET', '/elsewhere', undefined],
  ] as const) {
    const headers = { origin: 'https://shop.example', ...(method === 'OPTIONS' && preflight) };
    const answer = await gateway.ask(method, path, { headers, ...(key !== undefined && { key }) });
    const invitations = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
    assert.deepEqual(invitations, [], `${method} ${path}`);
  }
});

test('HEAD is answered as GET is, without the body', async (t) => {
  const gateway = await startGateway(t);
  const created = await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, body: OWN_FIELDS });
  const id = gateway.stored[0]?.quoteId;
  for (const path of [`/v1/quotes/${id}`, '/v1/quotes/none']) {
    const get = await gateway.ask('GET', path, { key: TEST_KEY });
    const head = await gateway.ask('HEAD', path, { key: TEST_KEY });
    assert.deepEqual(
      [head.status, head.body, head.headers['content-type'], head.headers['content-length']],
      [get.status, '', 'application/json', String(Buffer.byteLength(get.body))],
    );
  }
  assert.equal(created.status, 201);
});

test('an error says what it is, where to read about it and under which request it happened', async (t) => {
  const gateway = await startGateway(t);
  const answer = await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, body: '{"policies":[],"metdata":{}}' });
  assert.equal(answer.headers['content-type'], 'application/json');
  const { message, details, ...error } = errorOf(answer);
  assert.deepEqual(error, {
    type: 'invalid_request',
    code: 'VALIDATION_FAILED',
    param: 'insured',
    doc_url: `${DOCS_URL}/errors#VALIDATION_FAILED`,
    request_id: answer.headers['request-id'],
  });
  assert.ok(Array.isArray(details) && details.length === 3 && typeof message === 'string');
});

test('every request has an id of its own', async (t) => {
  const gateway = await startGateway(t);
  const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.ask('GET', '/')));
  assert.equal(new Set(answers.map(({ headers }) => headers['request-id'])).size, 20);
});

test('a key store that cannot be reached is a 503 that says when to come back', async (t) => {
  const away = {
    admit: () => Promise.reject(unavailable(new Error('db.internal:5432 refused'))),
    findActiveBroker: () => assert.fail(),
  };
  const gateway = await startGateway(t, { access: away });
  const answer = await gateway.ask('POST', '/v1/quotes', { key: LIVE_KEY, body: OWN_FIELDS });
  assert.equal(outcomeOf(answer), '503 SERVICE_UNAVAILABLE');
  assert.equal(answer.headers['retry-after'], '30');
  assert.ok(!answer.body.includes('db.internal'), 'the cause is for the log alone');
  assert.match(
    gateway.log.join('\n'),
    new RegExp(`ERROR request failed .*db\\.internal.*${String(answer.headers['request-id'])}`, 's'),
  );
});

test('a bug is a 500 that tells nothing of itself, and is logged under the request id', async (t) => {
  const broken = {
    admit: () => Promise.reject(new TypeError('secret of the inside')),
    findActiveBroker: () => assert.fail(),
  };
  const gateway = await startGateway(t, { access: broken });
  const answer = await gateway.ask('GET', `/v1/quotes/${ID}`, { key: TEST_KEY });
  assert.equal(outcomeOf(answer), '500 INTERNAL');
  assert.ok(!answer.body.includes('secret of the inside'));
  assert.match(
    gateway.log.join('\n'),
    new RegExp(`secret of the inside.*${String(answer.headers['request-id'])}`, 's'),
  );
});

test('the log tells a request in one line without key, address or body', async (t) => {
  const gateway = await startGateway(t);
  await gateway.ask('POST', '/v1/quotes', {
    key: TEST_KEY,
    body: JSON.stringify({ ...fullRequest(), broker_email: 'ben@agency.example' }),
  });
  await gateway.ask('POST', '/v1/quotes?key=abc', { key: TEST_KEY, body: '{"insured":{"fein":"12-3456789"}}' });
  const log = gateway.log.join('\n');
  assert.equal(gateway.log.length, 2, log);
  for (const secret of [TEST_KEY, 'agency.example', '12-3456789', 'Lone Star', 'key=abc', 'pay.example'])
    assert.ok(!log.includes(secret), secret);
  assert.match(
    log,
    /request_id: 'req_.*method: 'POST'.*route: '\/v1\/quotes'.*agency_id: 'agy_1'.*mode: 'test'.*status: 201/s,
  );
});
