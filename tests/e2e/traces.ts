import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { errorOf } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { exampleBody } from '../support/examples.ts';
import { confirm, reviewChoice } from '../support/insured.ts';
import { awaitTrace, beginTrace } from '../support/otlp-trace.ts';
import type { Trace } from '../support/otlp-trace.ts';
import { pfqOf } from '../support/pfq.ts';
import { linesWith } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { tapEdges } from './tap-trace.ts';
import { offer } from './telemetry-scene.ts';
import type { Scene } from './telemetry-scene.ts';

const SECONDS = 10_000;
const BODY = exampleBody('roofing-contractor');

const QUOTE_EDGES = [
  'gateway → pricing: PricingService/PriceDeal',
  'gateway → quote-store: QuoteStoreService/CreateQuote',
];

/** What a caller does, and what its trace says: that of the request itself, and where else it led. */
type Row = {
  readonly name: string;
  readonly ask: (scene: Scene) => Promise<Answer>;
  readonly root: string;
  readonly status: number;
  readonly errorType: string | undefined;
  readonly edges: readonly string[];
};

const REFUSALS: readonly Row[] = [
  {
    name: 'a quote that cannot be read goes nowhere',
    ask: ({ api }) => api().post({ insured: 7 }),
    root: 'POST /v1/quotes',
    status: 422,
    errorType: 'VALIDATION_FAILED',
    edges: [],
  },
  {
    name: 'a quote that is not there is looked for in the quote store',
    ask: ({ api }) => api().get('qte_0000000000000000000000'),
    root: 'GET /v1/quotes/{id}',
    status: 404,
    errorType: 'NOT_FOUND',
    edges: ['gateway → quote-store: QuoteStoreService/GetQuote'],
  },
  {
    name: 'a key that nobody was given',
    ask: ({ api }) => api().ask('GET', '/v1/whoami', { headers: { Authorization: 'Bearer nobody' } }),
    root: 'GET /v1/whoami',
    status: 401,
    errorType: 'INVALID_API_KEY',
    edges: [],
  },
  {
    name: 'a path that is none',
    ask: ({ api }) => api().ask('GET', '/v1/nothing'),
    root: 'GET unmatched',
    status: 404,
    errorType: 'NOT_FOUND',
    edges: [],
  },
];

/** What one trace tells of a request, from the first service to the last. */
export function traces(scene: Scene): void {
  const traceOf = ({ headers }: Pick<Answer, 'headers'>, has: (trace: Trace) => boolean) =>
    awaitTrace(scene.receiver(), { requestId: headers.get('request-id') ?? '', has });

  it("a quote is one trace, its caller's, that leads to pricing and the quote store, to their databases, and nowhere else", async () => {
    const { traceId, spanId, traceparent } = beginTrace();
    const answer = await scene.api().post(BODY, { traceparent, tracestate: 'caller=1' });
    assert.equal(answer.status, 201);
    const trace = await traceOf(answer, ({ edges }) => edges.length >= QUOTE_EDGES.length);
    assert.deepEqual(trace.edges, QUOTE_EDGES);
    assert.deepEqual(trace.orphans, []);
    assert.equal(trace.id, traceId);
    const root = rootOf(trace);
    assert.equal(root.parentSpanId, spanId);
    assert.equal(root.isError, false);
    assert.partialDeepStrictEqual(root.attributes, { 'http.response.status_code': 201, 'pfq.mode': 'test' });
    assert.deepEqual(databasesOf(trace), ['gateway: gateway', 'pricing: pricing', 'quote-store: quote_store']);
    assert.deepEqual(trace.failed, []);
  });

  it('a list of applications comes from the application service alone', async () => {
    const answer = await scene.api('live').ask('GET', '/v1/applications');
    assert.equal(answer.status, 200);
    const trace = await traceOf(answer, ({ edges }) => edges.length > 0);
    assert.deepEqual(trace.edges, ['gateway → application: ApplicationService/ListApplications']);
    assert.deepEqual(trace.failed, []);
  });

  it('a trace id leads through the logs of every service that had a part in a request', async () => {
    const { traceId, traceparent } = beginTrace();
    await scene.api().post(BODY, { traceparent });
    for (const service of ['gateway', 'pricing', 'quote-store']) {
      await until(() => linesWith(scene.stack(), traceId).some((line) => line.startsWith(service)), SECONDS);
    }
  });

  it('a caller who sends no trace, or none that can be read, gets a new one', async () => {
    const unreadable = { traceparent: '00-00000000000000000000000000000000-0000000000000000-01' };
    for (const headers of [{}, unreadable]) {
      const trace = await traceOf(await scene.api().ask('GET', '/v1/whoami', { headers }), () => true);
      assert.match(trace.id, /^(?!0+$)[0-9a-f]{32}$/);
      assert.equal(rootOf(trace).parentSpanId, null);
    }
  });

  it('a caller who decided against a trace gets none, and its id leads through the logs all the same', async () => {
    const { traceId, traceparent } = beginTrace({ isSampled: false });
    assert.equal((await scene.api().post(BODY, { traceparent })).status, 201);
    const later = await scene.api().post(BODY);
    await traceOf(later, ({ edges }) => edges.length >= QUOTE_EDGES.length);
    assert.deepEqual(
      scene
        .receiver()
        .spans()
        .filter((span) => span.traceId === traceId),
      [],
    );
    await until(() => linesWith(scene.stack(), traceId).some((line) => line.startsWith('quote-store')), SECONDS);
  });

  describe('a refusal is told with its code, and is no error of ours', { concurrency: true }, () => {
    for (const { name, ask, root, status, errorType, edges } of REFUSALS) {
      it(`${name}: ${status}`, async () => {
        const answer = await ask(scene);
        assert.equal(answer.status, status);
        const trace = await traceOf(answer, (one) => one.edges.length >= edges.length);
        assert.deepEqual(trace.edges, edges);
        const span = rootOf(trace);
        assert.equal(span.name, root);
        assert.partialDeepStrictEqual(span.attributes, {
          'http.response.status_code': status,
          'error.type': errorType,
        });
        assert.equal(span.isError, false);
      });
    }
  });

  it('a 503 is an error, and so is the call that it came from', async () => {
    await withoutRates(scene, async () => {
      const answer = await scene.api().post(BODY);
      assert.equal(answer.status, 503);
      assert.equal(errorOf(answer).code, 'SERVICE_UNAVAILABLE');
      const trace = await traceOf(answer, ({ edges }) => edges.length > 0);
      assert.deepEqual(trace.edges, ['gateway → pricing: PricingService/PriceDeal']);
      const span = rootOf(trace);
      assert.equal(span.isError, true);
      assert.partialDeepStrictEqual(span.attributes, {
        'http.response.status_code': 503,
        'error.type': 'SERVICE_UNAVAILABLE',
      });
      assert.deepEqual(
        trace.failed.filter((line) => line.startsWith('pricing')),
        ['pricing: PricingService/PriceDeal'],
      );
    });
  });

  it('a tap on the hosted page and the email to the broker are one trace', async () => {
    const { hostedUrl, optionId } = await offer(scene.api('live'));
    const answer = await confirm(await reviewChoice(hostedUrl, optionId), 'Please call.');
    assert.equal(answer.status, 303);
    const edges = tapEdges('NotificationService/AcceptEvent');
    const trace = await traceOf(answer, (one) => one.edges.length >= edges.length);
    assert.deepEqual(trace.edges, edges);
    assert.deepEqual(trace.orphans, []);
    assert.ok(trace.leaves.includes('notification: SMTP send'), trace.leaves.join());
    assert.equal(rootOf(trace).name, 'POST /q/{token}/interest');
    assert.deepEqual(trace.failed, []);
  });
}

function rootOf({ spans }: Trace) {
  const [root, ...others] = spans.filter(({ attributes }) => 'http.request.method' in attributes);
  assert.ok(root && others.length === 0, `${others.length + 1} requests in one trace`);
  return root;
}

/** Which databases services spoke to, each once: `gateway: gateway`. */
function databasesOf({ spans }: Trace): readonly string[] {
  const spoken = spans.flatMap(({ service, attributes }) => {
    const database = attributes['db.namespace'];
    return typeof database === 'string' ? [`${service}: ${database}`] : [];
  });
  return [...new Set(spoken)].sort();
}

/** Does something while the rate sheet is older than the settings allow, so that nothing can be priced. */
async function withoutRates({ stack, api }: Scene, work: () => Promise<void>): Promise<void> {
  const pfq = async (...words: readonly string[]) => {
    const { code, output, errors } = await pfqOf(stack())(words);
    assert.equal(code, 0, errors);
    return JSON.parse(output);
  };
  const write = (name: string, content: object) => {
    const file = path.join(stack().folder, name);
    writeFileSync(file, JSON.stringify(content));
    return file;
  };
  const settings = await pfq('settings', 'show');
  const { as_of, source, rates } = await pfq('rates', 'show');
  await pfq('rates', 'load', write('old.json', { as_of: '2020-01-01', source, rates }));
  await pfq('settings', 'set', write('strict.json', { ...settings, rate_sheet_max_age_days: 7 }));
  await until(async () => (await api().post(BODY)).status === 503, SECONDS);
  await work();
  await pfq('settings', 'set', write('settings.json', settings));
  await pfq('rates', 'load', write('rates.json', { as_of, source, rates }));
  await until(async () => (await api().post(BODY)).status === 201, SECONDS);
}
