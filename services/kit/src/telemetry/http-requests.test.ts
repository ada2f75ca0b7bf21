import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as openRequest } from 'node:http';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { observeRequest } from './http-requests.ts';
import type { RequestSpan } from './http-requests.ts';
import { recordTelemetry } from './recording.test-support.ts';
import { currentIds, currentTrace, SpanKind } from './spans.ts';

const recording = recordTelemetry();
const TRACE = 'a'.repeat(32);
const CALLER = 'b'.repeat(16);
const TRACEPARENT = `00-${TRACE}-${CALLER}-01`;

type Asked = { readonly method?: string; readonly headers?: Readonly<Record<string, string | string[]>> };

/** One request to a server that tells `tell` of it, and the span that it left. */
async function observed(t: TestContext, tell: (seen: RequestSpan) => void, asked: Asked = {}) {
  const { spans, failures } = await observedSpans(t, tell, asked);
  const [span, ...others] = spans;
  assert.ok(span && others.length === 0);
  return { span, failures };
}

async function observedSpans(
  t: TestContext,
  tell: (seen: RequestSpan) => void,
  { method = 'POST', headers = {} }: Asked,
) {
  recording.forgetSpans();
  const failures: unknown[] = [];
  const server = createServer((request, response) => {
    observeRequest(request, async (seen) => tell(seen))
      .catch((error: unknown) => failures.push(error))
      .finally(() => response.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  const asked = openRequest({ port: address.port, method, path: '/v1/quotes/secret', headers, agent: false }).end();
  const [answer] = await once(asked, 'response');
  answer.resume();
  await once(answer, 'end');
  return { spans: recording.spans(), failures };
}

test('a request is a server span named after method and route, and one reading of the duration', async (t) => {
  const { span } = await observed(t, (seen) =>
    seen.answered({ route: '/v1/things/{id}', status: 201, attributes: { 'pfq.request.id': 'req_1' } }),
  );
  assert.deepEqual([span.name, span.kind, span.hasFailed], ['POST /v1/things/{id}', SpanKind.SERVER, false]);
  const attributes = {
    'http.request.method': 'POST',
    'http.route': '/v1/things/{id}',
    'http.response.status_code': 201,
  };
  assert.deepEqual(span.attributes, { ...attributes, 'pfq.request.id': 'req_1' });
  const readings = await recording.readings('http.server.request.duration');
  assert.deepEqual(
    readings.filter((reading) => JSON.stringify(reading).includes('/v1/things/{id}')),
    [{ value: 1, attributes }],
  );
});

test('nothing of the path is in the span', async (t) => {
  const { span } = await observed(t, (seen) => seen.answered({ route: 'unmatched', status: 404 }));
  assert.doesNotMatch(JSON.stringify(span), /secret/);
});

for (const [status, errorType, expected, hasFailed] of [
  [422, 'VALIDATION_FAILED', 'VALIDATION_FAILED', false],
  [404, undefined, undefined, false],
  [503, 'SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE', true],
  [500, undefined, '500', true],
] as const) {
  test(`an answer with ${status} and ${errorType ?? 'no code'} is ${hasFailed ? 'a' : 'no'} failed span`, async (t) => {
    const { span } = await observed(t, (seen) => seen.answered({ route: '/r', status, errorType }));
    assert.equal(span.hasFailed, hasFailed);
    assert.equal(span.attributes['error.type'], expected);
  });
}

test('a request whose caller went away has no status, and is no fault of ours', async (t) => {
  const { span } = await observed(t, (seen) => seen.brokenOff({ route: '/gone' }));
  assert.equal(span.hasFailed, false);
  const told = { 'http.request.method': 'POST', 'http.route': '/gone', 'error.type': 'RequestAborted' };
  assert.deepEqual(span.attributes, told);
  const readings = await recording.readings('http.server.request.duration');
  assert.ok(readings.some(({ attributes }) => JSON.stringify(attributes).includes('RequestAborted')));
});

test('a request that nobody told the end of is counted as failed, and what was thrown is thrown on', async (t) => {
  const { span, failures } = await observed(t, () => {
    throw new RangeError('with something secret');
  });
  assert.deepEqual([span.name, span.hasFailed, span.attributes['error.type']], ['POST', true, 'RangeError']);
  assert.ok(failures[0] instanceof RangeError);
  const readings = await recording.readings('http.server.request.duration');
  assert.ok(readings.some(({ attributes }) => JSON.stringify(attributes).includes('RangeError')));
});

test('methods that nobody knows are one', async (t) => {
  const { span } = await observed(t, (seen) => seen.answered({ route: '/r', status: 405 }), { method: 'PURGE' });
  assert.deepEqual([span.name, span.attributes['http.request.method']], ['HTTP /r', '_OTHER']);
});

test("the caller's trace goes on, and is what goes on inside", async (t) => {
  let inside = {};
  const tell = (seen: RequestSpan) => {
    inside = currentIds();
    seen.answered({ route: '/r', status: 200 });
  };
  const { span } = await observed(t, tell, { headers: { traceparent: TRACEPARENT } });
  assert.deepEqual([span.traceId, span.parentId], [TRACE, CALLER]);
  assert.deepEqual(inside, { trace_id: TRACE, span_id: span.id });
});

for (const flags of ['01', '00']) {
  test(`what a caller keeps in its tracestate goes no further, in a trace with the flags ${flags}`, async (t) => {
    let handedOn = {};
    const tell = (seen: RequestSpan) => {
      handedOn = currentTrace();
      seen.answered({ route: '/r', status: 200 });
    };
    const headers = { traceparent: `00-${TRACE}-${CALLER}-${flags}`, tracestate: 'name=dana-smith' };
    await observedSpans(t, tell, { headers });
    assert.match(JSON.stringify(handedOn), new RegExp(`^\\{"traceparent":"00-${TRACE}-[0-9a-f]{16}-${flags}"\\}$`));
  });
}

for (const traceparent of [
  '',
  'nonsense',
  `ff-${TRACE}-${CALLER}-01`,
  `00-${'0'.repeat(32)}-${CALLER}-01`,
  `00-${TRACE}-${CALLER}-01-more`,
  TRACEPARENT.toUpperCase(),
]) {
  test(`a new trace begins where the traceparent is "${traceparent}"`, async (t) => {
    const { span } = await observed(t, (seen) => seen.answered({ route: '/r', status: 200 }), {
      headers: { traceparent },
    });
    assert.notEqual(span.traceId, TRACE);
    assert.equal(span.parentId, undefined);
  });
}

test('of two traceparents none is taken', async (t) => {
  const headers = { traceparent: [TRACEPARENT, TRACEPARENT] };
  const { span } = await observed(t, (seen) => seen.answered({ route: '/r', status: 200 }), { headers });
  assert.equal(span.parentId, undefined);
});
