import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { unavailable } from '@pfq/kit/errors';
import type { Access } from '../domain/access.ts';
import { makeApiKey } from '../domain/api-key.ts';
import { windowsOf } from '../domain/rate-limits.ts';
import type { RateWindow } from '../domain/rate-limits.ts';
import { changed, fullRequest } from '../requests/sample-request.test-support.ts';
import {
  accessStore,
  accessWith,
  askRaw,
  DOCS_URL,
  errorOf,
  outcomeOf,
  startGateway,
  TEST_KEY,
} from '../running-gateway.test-support.ts';
import type { Answered, GatewayParts, RunningGateway } from '../running-gateway.test-support.ts';

const UNKNOWN_ID = `qte_${'0'.repeat(22)}`;
const BODY = JSON.stringify(changed(fullRequest(), 'broker_email'));
const MINUTE_START = new Date('2026-11-20T23:58:00Z');
const NOW = new Date('2026-11-20T23:58:17.001Z');

/** The windows of a request that is the so manieth of its minute. */
function nth(used: number): readonly RateWindow[] {
  return windowsOf({ minute: { startedAt: MINUTE_START, used } }, 'test');
}

async function startFor(t: TestContext, changes: Partial<Access>, parts: GatewayParts = {}): Promise<RunningGateway> {
  const { store } = accessStore({ [TEST_KEY]: accessWith({ windows: nth(18), now: NOW, ...changes }) });
  return startGateway(t, { access: store, ...parts });
}

function limitsIn({ headers }: Answered): readonly (string | undefined)[] {
  return ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join() : value;
  });
}

type Asked = {
  readonly outcome: string;
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly changes?: Partial<Access>;
  readonly parts?: GatewayParts;
};

const AUTHENTICATED: readonly Asked[] = [
  { outcome: '201' },
  { outcome: '200', method: 'GET', path: '/v1/whoami' },
  { outcome: '200', method: 'HEAD', path: '/v1/coverage-types' },
  { outcome: '404 NOT_FOUND', method: 'GET', path: `/v1/quotes/${UNKNOWN_ID}` },
  { outcome: '404 NOT_FOUND', path: '/v1/nothing' },
  { outcome: '405 empty', method: 'PUT' },
  { outcome: '400 INVALID_API_VERSION', headers: { 'service-version': 'v1' } },
  { outcome: '400 IDEMPOTENCY_KEY_INVALID', headers: { 'idempotency-key': '' } },
  { outcome: '400 INVALID_REQUEST', headers: { 'content-encoding': 'gzip' } },
  { outcome: '400 INVALID_JSON', body: '{' },
  { outcome: '422 VALIDATION_FAILED', body: '{}' },
  { outcome: '403 MISSING_SCOPE', changes: { scopes: [] } },
  { outcome: '403 TEST_MODE_NOT_ENABLED', changes: { enabled: false } },
  { outcome: '429 RATE_LIMITED', changes: { windows: nth(61) } },
  {
    outcome: '503 SERVICE_UNAVAILABLE',
    parts: { priceDeal: () => Promise.reject(unavailable(new Error('no rate sheet'))) },
  },
  { outcome: '500 INTERNAL', parts: { priceDeal: () => Promise.reject(new TypeError('a bug')) } },
];
for (const { outcome, method = 'POST', path = '/v1/quotes', body = BODY, headers, changes, parts } of AUTHENTICATED) {
  test(`${method} ${path}, answered ${outcome}, tells how near its limit the key is`, async (t) => {
    const gateway = await startFor(t, changes ?? {}, parts);
    const content = method === 'POST' ? { body } : {};
    const answer = await gateway.ask(method, path, { key: TEST_KEY, ...content, ...(headers && { headers }) });
    assert.equal(answer.status < 300 ? String(answer.status) : outcomeOf(answer), outcome);
    assert.deepEqual(limitsIn(answer), ['60', answer.status === 429 ? '0' : '42', '43']);
  });
}

const UNAUTHENTICATED: readonly (readonly [what: string, changes: Partial<Access>, key?: string])[] = [
  ['a mistyped key', {}, 'pfq_test_x'],
  ['an unknown key', {}, makeApiKey('test', 'x'.repeat(43))],
  ['a revoked key', { revoked: true, windows: [] }],
  ['an expired key', { expiresOn: '2000-01-01', windows: [] }],
];
for (const [what, changes, key = TEST_KEY] of UNAUTHENTICATED) {
  test(`${what} is told nothing of limits`, async (t) => {
    const gateway = await startFor(t, changes);
    const answer = await gateway.ask('GET', '/v1/whoami', { key });
    assert.equal(answer.status, 401);
    assert.deepEqual(limitsIn(answer), [undefined, undefined, undefined]);
  });
}

test('a path that needs no key is not counted and tells nothing of limits', async (t) => {
  const { store, asked } = accessStore({ [TEST_KEY]: accessWith() });
  const gateway = await startGateway(t, { access: store });
  const answer = await gateway.ask('GET', '/elsewhere', { key: TEST_KEY });
  assert.equal(outcomeOf(answer), '404 NOT_FOUND');
  assert.deepEqual(limitsIn(answer), [undefined, undefined, undefined]);
  assert.deepEqual(asked, []);
});

test('the day counts POST /v1/quotes alone, whatever it comes to', async (t) => {
  const counted: string[] = [];
  let asking = '';
  const access = {
    async admit(_key: string, { isNewQuote }: { isNewQuote: boolean }) {
      if (isNewQuote) counted.push(asking);
      return accessWith();
    },
    findActiveBroker: () => assert.fail('nobody is named'),
  };
  const gateway = await startGateway(t, { access });
  const requests: readonly (readonly [method: string, path: string, body?: string])[] = [
    ['POST', '/v1/quotes?from=crm', BODY],
    ['POST', '/v1/quotes', '{}'],
    ['POST', '/v1/quotes/'],
    ['POST', '/v1/quotes%2F'],
    ['POST', '/v1/Quotes'],
    ['GET', '/v1/quotes'],
    ['PUT', '/v1/quotes', BODY],
    ['GET', `/v1/quotes/${UNKNOWN_ID}`],
    ['POST', `/v1/quotes/${UNKNOWN_ID}`],
    ['POST', `/v1/quotes/${UNKNOWN_ID}/hosted-link`],
    ['POST', `/v1/test_helpers/quotes/${UNKNOWN_ID}/interest`],
    ['GET', '/v1/coverage-types'],
    ['HEAD', '/v1/whoami'],
    ['POST', '/v1/whoami'],
  ];
  for (const [method, path, body] of requests) {
    asking = `${method} ${path}`;
    await gateway.ask(method, path, { key: TEST_KEY, ...(body !== undefined && { body }) });
  }
  assert.deepEqual(counted, ['POST /v1/quotes?from=crm', 'POST /v1/quotes']);
});

test('the refusal says which limit, and when to come back', async (t) => {
  const gateway = await startFor(t, { windows: nth(61) });
  const answer = await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, body: BODY });
  assert.equal(answer.status, 429);
  assert.equal(answer.headers['retry-after'], '43');
  assert.deepEqual(errorOf(answer), {
    type: 'rate_limit',
    code: 'RATE_LIMITED',
    message:
      'Over the limit of 60 requests a minute for one API key. Nothing was done: send the same request again in 43 seconds.',
    doc_url: `${DOCS_URL}/errors#RATE_LIMITED`,
    request_id: answer.headers['request-id'],
  });
});

test('a request over a daily limit alone is told to come back at midnight UTC, though its minute has room', async (t) => {
  const midnight = new Date('2026-11-20T00:00:00Z');
  const days = { key: { startedAt: midnight, used: 201 }, agency: { startedAt: midnight, used: 300 } };
  const gateway = await startFor(t, {
    windows: windowsOf({ minute: { startedAt: MINUTE_START, used: 2 }, days }, 'test'),
  });
  const answer = await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, body: BODY });
  assert.equal(outcomeOf(answer), '429 RATE_LIMITED');
  assert.deepEqual([answer.headers['retry-after'], ...limitsIn(answer)], ['103', '200', '0', '103']);
});

test('a switch that is off is told before a limit that is exceeded', async (t) => {
  const gateway = await startFor(t, { enabled: false, windows: nth(61) });
  assert.equal(outcomeOf(await gateway.ask('GET', '/v1/whoami', { key: TEST_KEY })), '403 TEST_MODE_NOT_ENABLED');
});

test('over a limit nothing else is looked at: no path, method, version, scope, broker, idempotency key or body', async (t) => {
  const inactive = { id: 'brk_ana', email: 'ana@agency.example', name: 'Ana Ruiz', status: 'inactive' } as const;
  const changes = { windows: nth(61), scopes: [], defaultBroker: inactive };
  const gateway = await startFor(t, changes, { priceDeal: () => assert.fail('priced') });
  const headers = { 'service-version': 'v1', 'idempotency-key': '' };
  for (const [method, path] of [
    ['GET', '/v1/nothing'],
    ['DELETE', '/v1/quotes'],
    ['POST', '/v1/quotes'],
    ['GET', '/v1/whoami'],
  ] as const) {
    assert.equal(outcomeOf(await gateway.ask(method, path, { key: TEST_KEY, headers })), '429 RATE_LIMITED');
  }
  const head = ['POST /v1/quotes HTTP/1.1', 'Host: x', `Authorization: Bearer ${TEST_KEY}`, 'Content-Length: 9000000'];
  assert.match(
    await askRaw(gateway.port, `${head.join('\r\n')}\r\n\r\n`),
    /^HTTP\/1\.1 429 .*Retry-After: 43.*RATE_LIM/s,
  );
  assert.deepEqual(gateway.stored, []);
});
