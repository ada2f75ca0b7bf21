import { Code, ConnectError } from '@connectrpc/connect';
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { failureOf } from '../../../../tests/support/failures.ts';
import { callerHeaders, callerOf } from '../caller.ts';
import { OutcomeUnknownError, ServiceError } from '../errors.ts';
import { isId } from '../ids.ts';
import { recordTelemetry } from '../telemetry/recording.test-support.ts';
import { currentIds, currentTrace, inSpan, SpanKind } from '../telemetry/spans.ts';
import { operatorHeaders } from './operator-credential.ts';
import {
  agenciesOn,
  connectNodeTransport,
  OPERATOR_TOKEN,
  ourTransport,
  quoteStoreOn,
  startConnectNodeServer,
  startServer,
} from './rpc.test-support.ts';

const recording = recordTelemetry();
const GET_QUOTE = 'pfq.quotestore.v1.QuoteStoreService/GetQuote';
const TRACE = 'a'.repeat(32);
const CALLER = 'b'.repeat(16);
const TENANT = { agencyId: 'agy_1', mode: 'test' as const };
const SERVED = { 'rpc.system.name': 'grpc', 'rpc.method': GET_QUOTE, 'rpc.status_code': 'OK' };

beforeEach(() => recording.forgetSpans());

test('a call is a client span, a server span inside it, and a reading on either side', async (t) => {
  let inside = {};
  const server = await startServer(t, {
    getQuote() {
      inside = currentIds();
      return {};
    },
  });
  const headers = callerHeaders({ requestId: 'req_1', tenant: TENANT });
  await inSpan('root', { kind: SpanKind.INTERNAL }, async () => {
    await quoteStoreOn(ourTransport(t, server.port)).getQuote({}, { headers });
  });
  const [served, made, root] = recording.spans();
  assert.deepEqual([served?.name, made?.name, root?.name], [GET_QUOTE, GET_QUOTE, 'root']);
  assert.deepEqual([served?.kind, made?.kind], [SpanKind.SERVER, SpanKind.CLIENT]);
  assert.deepEqual([served?.parentId, made?.parentId, root?.parentId], [made?.id, root?.id, undefined]);
  assert.equal(new Set([served?.traceId, made?.traceId, root?.traceId]).size, 1);
  assert.deepEqual(inside, { trace_id: served?.traceId, span_id: served?.id });
  assert.deepEqual(made?.attributes, { ...SERVED, 'server.address': '127.0.0.1', 'server.port': server.port });
  const ids = { 'pfq.request.id': 'req_1', 'pfq.agency.id': 'agy_1', 'pfq.mode': 'test' };
  assert.deepEqual(served?.attributes, { ...SERVED, ...ids });
  for (const metric of ['rpc.client.call.duration', 'rpc.server.call.duration'] as const) {
    assert.deepEqual(await recording.readings(metric), [{ value: 1, attributes: SERVED }]);
  }
});

test("Connect's client is continued, and Connect's server gets the trace", async (t) => {
  const seen: (string | null)[] = [];
  const ours = await startServer(t, { getQuote: () => ({}) });
  const theirs = await startConnectNodeServer(t, {
    getQuote(_request, { requestHeader }) {
      seen.push(requestHeader.get('traceparent'));
      return {};
    },
  });
  const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };
  await quoteStoreOn(connectNodeTransport(t, ours.port)).getQuote({}, { headers });
  await quoteStoreOn(ourTransport(t, theirs.port)).getQuote({});
  const [served, made] = recording.spans();
  assert.deepEqual([served?.traceId, served?.parentId], [TRACE, CALLER]);
  assert.deepEqual(seen, [`00-${made?.traceId}-${made?.id}-01`]);
});

for (const { name, flags, spans } of [
  { name: 'a sampled trace', flags: '01', spans: 3 },
  { name: 'a trace that is not sampled', flags: '00', spans: 0 },
]) {
  test(`${name} is carried from service to service with its state and its decision`, async (t) => {
    const seen: (string | undefined)[] = [];
    const inner = await startServer(t, {
      getQuote() {
        const { traceparent, tracestate } = currentTrace();
        seen.push(traceparent?.slice(0, 35), traceparent?.slice(-2), tracestate);
        return {};
      },
    });
    const innerClient = quoteStoreOn(ourTransport(t, inner.port));
    const outer = await startServer(t, { getQuote: () => innerClient.getQuote({}) });
    const headers = { traceparent: `00-${TRACE}-${CALLER}-${flags}`, tracestate: 'one=1,two=2' };
    await quoteStoreOn(connectNodeTransport(t, outer.port)).getQuote({}, { headers });
    assert.deepEqual(seen, [`00-${TRACE}`, flags, 'one=1,two=2']);
    assert.equal(recording.spans().length, spans);
  });
}

for (const { name, thrown, code, errorType, hasFailed } of [
  {
    name: 'a refusal',
    thrown: new ServiceError('NOT_FOUND', { message: 'a text' }),
    code: 'NOT_FOUND',
    errorType: ['NOT_FOUND', 'NOT_FOUND'],
    hasFailed: false,
  },
  {
    name: 'a failure that was foreseen',
    thrown: new ServiceError('SERVICE_UNAVAILABLE', { message: 'a text' }),
    code: 'UNAVAILABLE',
    errorType: ['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'],
    hasFailed: true,
  },
  {
    name: 'an unknown outcome',
    thrown: new OutcomeUnknownError('a text'),
    code: 'UNKNOWN',
    errorType: ['OutcomeUnknownError', 'OutcomeUnknownError'],
    hasFailed: true,
  },
  {
    name: 'a bug',
    thrown: new TypeError('a text'),
    code: 'INTERNAL',
    errorType: ['TypeError', 'INTERNAL'],
    hasFailed: true,
  },
]) {
  test(`${name} is told by its codes on both sides, and by no text`, async (t) => {
    const server = await startServer(t, {
      getQuote() {
        throw thrown;
      },
    });
    await failureOf(quoteStoreOn(ourTransport(t, server.port)).getQuote({}));
    const told = recording.spans().map(({ attributes, ...span }) => [attributes['rpc.status_code'], span.hasFailed]);
    assert.deepEqual(told, [
      [code, hasFailed],
      [code, hasFailed],
    ]);
    assert.deepEqual(
      recording.spans().map(({ attributes }) => attributes['error.type']),
      errorType,
    );
    assert.doesNotMatch(JSON.stringify(recording.spans()), /a text/);
    assert.equal(server.calls[0]?.['status'], code);
  });
}

test('a server that is away is told by the span of the call alone', async (t) => {
  const failure = await failureOf(quoteStoreOn(ourTransport(t, 1)).createQuote({}));
  assert.equal(ConnectError.from(failure).code, Code.Unavailable);
  const [made, ...others] = recording.spans();
  assert.deepEqual(others, []);
  assert.deepEqual([made?.attributes['error.type'], made?.hasFailed], ['SERVICE_UNAVAILABLE', true]);
});

test('a call that was given up is told so, and is no fault of the one who was called', async (t) => {
  const controller = new AbortController();
  const { promise: answered, resolve: answer } = Promise.withResolvers<object>();
  const server = await startServer(t, {
    async createQuote(_request, { signal }) {
      controller.abort();
      signal.addEventListener('abort', () => answer({}));
      return answered;
    },
  });
  const client = quoteStoreOn(ourTransport(t, server.port));
  await failureOf(client.createQuote({}, { signal: controller.signal }));
  await server.stop();
  const served = recording.spans().find((span) => span.kind === SpanKind.SERVER);
  assert.deepEqual([served?.attributes['rpc.status_code'], served?.hasFailed], ['CANCELLED', false]);
});

test('every call is one line, with whose it is and how it ended, and no name; health and reflection are none', async (t) => {
  const server = await startServer(t, { getQuote: () => ({}), listAgencies: () => ({}) });
  const transport = ourTransport(t, server.port);
  await transport.check();
  const headers = callerHeaders({ requestId: 'req_1', tenant: TENANT });
  await quoteStoreOn(transport).getQuote({}, { headers });
  await agenciesOn(transport).listAgencies({}, { headers: operatorHeaders({ token: OPERATOR_TOKEN, actor: 'ann' }) });
  await failureOf(agenciesOn(transport).listAgencies({}, { headers: operatorHeaders({ token: 'x', actor: 'eve' }) }));
  const [ofAgency, ofOperator, ofNobody, ...others] = server.calls.map(
    ({ level, duration_ms: duration, request_id, rpc, status, agency_id, mode }) => {
      assert.equal(level, 'info');
      assert.ok(typeof duration === 'number' && duration >= 0);
      return { request_id, rpc, status, agency_id, mode };
    },
  );
  assert.deepEqual(others, []);
  assert.deepEqual(ofAgency, {
    request_id: 'req_1',
    rpc: GET_QUOTE,
    status: 'OK',
    agency_id: 'agy_1',
    mode: 'test',
  });
  assert.deepEqual([ofOperator?.status, ofNobody?.status], ['OK', 'UNAUTHENTICATED']);
  assert.doesNotMatch(JSON.stringify(server.calls), /"(?:ann|eve)"/);
});

test('a call that comes without a request id gets one, which the handler sees too', async (t) => {
  const seen: string[] = [];
  const server = await startServer(t, {
    getQuote(_request, context) {
      seen.push(callerOf(context).requestId);
      return {};
    },
  });
  await quoteStoreOn(connectNodeTransport(t, server.port)).getQuote({});
  const [id = ''] = seen;
  assert.ok(isId('req_', id));
  assert.equal(server.calls[0]?.['request_id'], id);
  assert.equal(recording.spans()[0]?.attributes['pfq.request.id'], id);
});
