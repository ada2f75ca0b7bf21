import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { isId } from '@pfq/kit/ids';
import { currentTrace, SpanKind } from '@pfq/kit/telemetry/spans';
import { recordTelemetry } from '@pfq/kit/telemetry/recording.test-support';
import { until } from '../../../../tests/support/until.ts';
import { BODY, startKeyedGateway } from '../keyed-writes.test-support.ts';
import { PRICED_UNDER, pricedDeal } from '../priced-deal.test-support.ts';
import { accessStore, accessWith, startGateway, TEST_KEY } from '../running-gateway.test-support.ts';
import type { GatewayParts } from '../running-gateway.test-support.ts';
import type { AccessStore } from '../storage/store.ts';

const recording = recordTelemetry();
const SECONDS = 5_000;
const QUOTE = `qte_${'0'.repeat(22)}`;
const SENDER = { agencyId: 'agy_1', mode: 'test', keyId: 'key_1' };

/** A gateway, and its one span of a request. */
async function startTelling(t: TestContext, parts: GatewayParts = {}) {
  recording.forgetSpans();
  const gateway = await startGateway(t, parts);
  const onlySpan = () => {
    const [span, ...others] = recording.spans().filter(({ kind }) => kind === SpanKind.SERVER);
    assert.ok(span && others.length === 0);
    return span;
  };
  return { gateway, onlySpan };
}

test('a request that made a quote is told by the same ids in its answer, its span, its log line and what is kept', async (t) => {
  const { gateway, onlySpan } = await startTelling(t);
  const answer = await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, body: BODY });
  const requestId = String(answer.headers['request-id']);
  const quoteId = gateway.stored[0]?.quoteId ?? '';
  const span = onlySpan();
  assert.equal(span.name, 'POST /v1/quotes');
  assert.deepEqual(span.attributes, {
    'http.request.method': 'POST',
    'http.route': '/v1/quotes',
    'http.response.status_code': 201,
    'pfq.request.id': requestId,
    'pfq.agency.id': 'agy_1',
    'pfq.mode': 'test',
    'pfq.key.id': 'key_1',
    'pfq.quote.id': quoteId,
    'pfq.api.version': '2026-09-23',
  });
  const [kept] = gateway.kept;
  const { receivedAt, durationUs, ...rest } = kept ?? assert.fail('nothing was kept');
  assert.deepEqual(rest, {
    requestId,
    method: 'POST',
    path: '/v1/quotes',
    route: '/v1/quotes',
    status: 201,
    errorCode: null,
    sender: SENDER,
    quoteId,
    apiVersion: '2026-09-23',
    hasIdempotencyKey: false,
    replayOf: null,
    traceId: span.traceId,
  });
  assert.ok(Math.abs(receivedAt.getTime() - Date.now()) < SECONDS);
  assert.ok(Number.isInteger(durationUs) && durationUs > 0 && durationUs < 1_000 * SECONDS);
  for (const id of [requestId, quoteId]) assert.ok(gateway.log.join().includes(`'${id}'`), id);
});

test("the caller's trace goes on into what is called, and what is no trace begins another", async (t) => {
  const seen: string[] = [];
  const { gateway } = await startTelling(t, {
    priceDeal() {
      seen.push(currentTrace().traceparent?.slice(3, 35) ?? '');
      return { priced: pricedDeal(), pricedUnder: PRICED_UNDER };
    },
  });
  const trace = 'a'.repeat(32);
  const sent = `00-${trace}-${'b'.repeat(16)}-01`;
  for (const traceparent of [sent, 'é', 'x\ty', `${sent}, ${sent}`]) {
    await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, headers: { traceparent }, body: BODY });
  }
  const [continued, ...begun] = seen;
  assert.equal(continued, trace);
  assert.equal(new Set(begun).size, 3);
  for (const id of begun) assert.ok(/^[0-9a-f]{32}$/.test(id) && id !== trace, id);
  assert.deepEqual(
    gateway.kept.map(({ traceId }) => traceId),
    seen,
  );
});

function unreachable(): AccessStore {
  const fail = () => Promise.reject(new TypeError('inside'));
  return { admit: fail, findActiveBroker: fail };
}

type Case = {
  readonly what: string;
  readonly method?: string;
  readonly path: string;
  readonly key?: string;
  readonly parts?: GatewayParts;
  readonly kept: object;
};
const OVER = { windows: accessWith().windows.map((window) => ({ ...window, used: 61 })) };
const withAccess = (changes: Parameters<typeof accessWith>[0]) => ({
  access: accessStore({ [TEST_KEY]: accessWith(changes) }).store,
});
const CASES: readonly Case[] = [
  {
    what: 'a quote that is not there',
    path: `/v1/quotes/${QUOTE}`,
    kept: { route: '/v1/quotes/{id}', status: 404, errorCode: 'NOT_FOUND', quoteId: QUOTE, sender: SENDER },
  },
  {
    what: 'a quote by what is no id',
    path: `/v1/quotes/${TEST_KEY}`,
    kept: { route: '/v1/quotes/{id}', path: '/v1/quotes/…', status: 404, quoteId: null },
  },
  { what: 'an unknown path', path: '/v1/ana@a.example', kept: { route: 'unmatched', path: '/v1/…', status: 404 } },
  {
    what: 'a quote by a name',
    path: '/v1/quotes/Dana-Smith/hosted-link',
    kept: { route: '/v1/quotes/{id}/hosted-link', path: '/v1/quotes/…/hosted-link', status: 405, quoteId: null },
  },
  { what: 'a path of words', path: '/Dana/Smith', kept: { route: 'unmatched', path: '/…/…', status: 404 } },
  {
    what: 'another method',
    method: 'PATCH',
    path: '/v1/quotes',
    kept: { route: '/v1/quotes', path: '/v1/quotes', status: 405, errorCode: null },
  },
  { what: 'a key that is not known', path: '/v1/whoami', key: 'x', kept: { status: 401, sender: null } },
  {
    what: 'a key that was revoked, by its id',
    path: '/v1/whoami',
    parts: withAccess({ revoked: true, windows: [] }),
    kept: { status: 401, errorCode: 'KEY_REVOKED', sender: SENDER },
  },
  {
    what: 'a key over its limit',
    path: '/v1/whoami',
    parts: withAccess(OVER),
    kept: { status: 429, errorCode: 'RATE_LIMITED', sender: SENDER },
  },
  {
    what: 'a bug',
    path: `/v1/quotes/${QUOTE}`,
    parts: { getQuote: () => Promise.reject(new TypeError('inside')) },
    kept: { status: 500, errorCode: 'INTERNAL', quoteId: QUOTE },
  },
];
for (const { what, method = 'GET', path, key = TEST_KEY, parts, kept } of CASES) {
  test(`of ${what} is told what became of it, in its span and what is kept`, async (t) => {
    const { gateway, onlySpan } = await startTelling(t, parts);
    const answer = await gateway.ask(method, `${path}?note=secret`, { key });
    assert.partialDeepStrictEqual(gateway.kept, [{ requestId: answer.headers['request-id'], method, ...kept }]);
    const { attributes, hasFailed } = onlySpan();
    const [{ route, status, errorCode } = assert.fail('nothing was kept')] = gateway.kept;
    assert.equal(attributes['http.route'], route);
    assert.equal(attributes['http.response.status_code'], status);
    assert.equal(attributes['error.type'], errorCode ?? undefined);
    assert.equal(hasFailed, status >= 500);
    const told = JSON.stringify([attributes, gateway.kept, gateway.log]);
    for (const secret of [TEST_KEY, 'ana@a.example', 'note=secret', 'Dana', 'Smith'])
      assert.ok(!told.includes(secret), secret);
  });
}

for (const [what, parts, sender] of [
  ['a known key, whose it was', { getQuote: () => Promise.reject(new TypeError('inside')) }, SENDER],
  ['a key that could not be looked up, nobody', { access: unreachable() }, undefined],
] as const) {
  test(`the line of a failure tells its cause, the request and, of ${what}`, async (t) => {
    const { gateway } = await startTelling(t, parts);
    const answer = await gateway.ask('GET', `/v1/quotes/${QUOTE}`, { key: TEST_KEY });
    const line = gateway.log.find((each) => each.startsWith('ERROR request failed')) ?? '';
    assert.match(line, /err: \w*Error: /);
    assert.ok(line.includes(`request_id: '${String(answer.headers['request-id'])}'`), line);
    for (const [name, value] of [
      ['agency_id', sender?.agencyId],
      ['mode', sender?.mode],
    ]) {
      assert.ok(line.includes(value === undefined ? `${name}: undefined` : `${name}: '${value}'`), line);
    }
  });
}

test('a caller that goes away while it sends is told as that, without a status', async (t) => {
  const { gateway, onlySpan } = await startTelling(t);
  const socket = connect(gateway.port, '127.0.0.1');
  const head = `POST /v1/quotes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_KEY}\r\nContent-Length: 100\r\n`;
  socket.write(`${head}Expect: 100-continue\r\n\r\n`);
  await once(socket, 'data');
  socket.destroy();
  await until(() => gateway.kept.length === 1, SECONDS);
  assert.partialDeepStrictEqual(gateway.kept, [{ status: 0, route: '/v1/quotes', errorCode: null, sender: SENDER }]);
  assert.match(gateway.log.join(), /broken off.*duration_ms: [\d.]+,\s+status: undefined/s);
  await until(() => recording.spans().length > 0, SECONDS);
  assert.equal(onlySpan().attributes['http.response.status_code'], undefined);
});

test('a replay names the request that it repeats and the quote that this one made, a recorded failure its code', async (t) => {
  const answers = [() => ({}), () => assert.fail('a bug')];
  const { gateway, post } = await startKeyedGateway(t, { createQuote: () => answers.shift()?.() ?? {} });
  for (const key of ['made', 'failed']) {
    const [first, second] = [await post({ key }), await post({ key })];
    assert.equal(second.body, first.body);
    const [original, replay] = gateway.kept.splice(0);
    assert.ok(original && replay);
    assert.partialDeepStrictEqual(original, { replayOf: null, hasIdempotencyKey: true });
    assert.ok(isId('qte_', original.quoteId ?? ''));
    const { status, errorCode, quoteId } = original;
    assert.partialDeepStrictEqual(replay, { replayOf: original.requestId, status, errorCode, quoteId });
    assert.ok(gateway.log.join().includes(`replay_of: '${original.requestId}'`));
  }
});

test('documents have one route for all their pages, and none of their requests is kept', async (t) => {
  const { gateway, onlySpan } = await startTelling(t, {
    documents: {
      '/docs': (_request, response) => void response.writeHead(200).end('a page'),
    },
  });
  assert.equal((await gateway.ask('GET', '/docs/errors?x=1')).body, 'a page');
  await until(() => gateway.log.length === 1, SECONDS);
  assert.match(gateway.log.join(), /^request .*route: '\/docs'.*status: 200/s);
  await until(() => recording.spans().length > 0, SECONDS);
  const { name, attributes } = onlySpan();
  assert.equal(name, 'GET /docs');
  const expected = { 'http.request.method': 'GET', 'http.route': '/docs', 'http.response.status_code': 200 };
  assert.deepEqual(attributes, expected);
  assert.deepEqual(gateway.kept, []);
});
