import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../../tests/support/until.ts';
import { readConfig } from '../config.ts';
import { count } from './metrics.ts';
import { telemetrySettings } from './settings.ts';
import { currentIds, currentTrace, inSpan, SpanKind } from './spans.ts';
import { startTelemetry } from './start.ts';

const SECONDS = 5_000;
const KIND = { kind: SpanKind.INTERNAL };
const TRACE = 'a'.repeat(32);
const work = async () => currentTrace().traceparent;

type Taken = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** A collector that answers as the test says; null answers nothing at all. */
async function startCollector(t: TestContext, answer: () => number | null = () => 200) {
  const taken: Taken[] = [];
  const take: RequestListener = (request, response) => {
    const status = answer();
    const keep = async () => {
      taken.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
      if (status !== null) response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
    };
    void keep();
  };
  const server = createServer(take).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  return { taken, environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}` } };
}

function start(t: TestContext, environment: Readonly<Record<string, string>> = {}) {
  const lines: string[] = [];
  const toLine = (line: string) => {
    const { msg, reason } = JSON.parse(line);
    const { trace_id: trace = '' } = currentIds();
    lines.push([msg, reason, trace].join(' ').trim());
  };
  const logger = pino({ level: 'info' }, { write: toLine });
  const telemetry = startTelemetry({ service: 'pricing', config: readConfig(telemetrySettings, environment), logger });
  t.after(() => telemetry.stop());
  return { telemetry, lines };
}

test('without a collector nothing is sampled; ids go from service to service all the same', async (t) => {
  const { telemetry } = start(t);
  assert.match((await inSpan('one', KIND, work)) ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  const parent = { traceparent: `00-${TRACE}-${'b'.repeat(16)}-01` };
  assert.match((await inSpan('one', { ...KIND, parent }, work)) ?? '', new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
  assert.notEqual(telemetry.metricsPage, null);
  assert.equal(telemetry.dependency, null);
});

test('where telemetry is disabled there is no trace, no page and no collector, and work is done', async (t) => {
  const { taken, environment } = await startCollector(t);
  const { telemetry } = start(t, { ...environment, OTEL_SDK_DISABLED: 'true', OTEL_TRACES_SAMPLER_ARG: '1' });
  count('pfq.interests', { 'pfq.mode': 'test' });
  assert.equal(await inSpan('one', KIND, work), undefined);
  assert.deepEqual([telemetry.metricsPage, telemetry.dependency], [null, null]);
  await telemetry.stop();
  assert.deepEqual(taken, []);
});

test('the collector gets spans and metrics with the headers it wants, and whose they are', async (t) => {
  const { taken, environment } = await startCollector(t);
  const { telemetry } = start(t, {
    ...environment,
    OTEL_TRACES_SAMPLER_ARG: '1',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-tenant=pfq',
    OTEL_RESOURCE_ATTRIBUTES: 'service.version=9.9.9,deployment.environment.name=a%2Cb,service.name=other',
  });
  await inSpan('one of ours', KIND, work);
  count('pfq.interests', { 'pfq.mode': 'test' });
  await telemetry.stop();
  for (const [path, name] of [
    ['/v1/traces', 'one of ours'],
    ['/v1/metrics', 'pfq.interests'],
  ] as const) {
    const sent = taken.find((one) => one.path === path);
    assert.deepEqual([sent?.headers['authorization'], sent?.headers['x-tenant']], ['Bearer abc', 'pfq']);
    for (const part of [`"${name}"`, '"pricing"', '"9.9.9"', '"a,b"', '"service.instance.id"'])
      assert.ok(sent?.body.includes(part), `${part} in ${path}`);
    assert.ok(!sent?.body.includes('other'));
  }
});

for (const [ratio, flags, sampled] of [
  ['1', '00', false],
  ['0', '01', true],
  ['1', undefined, true],
  ['0', undefined, false],
] as const) {
  test(`with a share of ${ratio} a trace that ${flags ? `came with ${flags}` : 'begins here'} is ${sampled ? 'sampled' : 'not'}`, async (t) => {
    const { taken, environment } = await startCollector(t);
    const { telemetry } = start(t, { ...environment, OTEL_TRACES_SAMPLER_ARG: ratio });
    const parent = { traceparent: flags && `00-${TRACE}-${'b'.repeat(16)}-${flags}` };
    const traceparent = await inSpan('one', { ...KIND, parent }, work);
    assert.equal(traceparent?.endsWith('-01'), sampled);
    await telemetry.stop();
    assert.equal(
      taken.some(({ path }) => path === '/v1/traces'),
      sampled,
    );
  });
}

test('a collector that fails is told once and is seen as a dependency, until it takes what it is sent', async (t) => {
  let status = 500;
  const { taken, environment } = await startCollector(t, () => status);
  const { telemetry, lines } = start(t, { ...environment, OTEL_TRACES_SAMPLER_ARG: '1' });
  const { check, isVital } = telemetry.dependency ?? assert.fail();
  assert.equal(isVital, false);
  await check();
  // The lines about it belong to no trace, though it is the end of a span in one that makes the export begin.
  const seen = async (times: number) => {
    await inSpan('around', KIND, () => inSpan('one', KIND, work));
    await until(() => taken.length >= times, SECONDS);
  };
  await seen(1);
  await seen(2);
  await until(() => isAway(check), SECONDS);
  assert.deepEqual(lines, ['telemetry cannot be exported Internal Server Error']);
  status = 200;
  await seen(3);
  await until(async () => !(await isAway(check)), SECONDS);
  assert.deepEqual(lines.slice(1), ['telemetry is exported again']);
});

for (const [name, listens] of [
  ['is not there', false],
  ['takes everything and answers nothing', true],
] as const) {
  test(`a collector that ${name} holds up neither work nor, for over two seconds, the end`, async (t) => {
    const { environment } = await startCollector(t, () => null);
    const nowhere = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    const { telemetry } = start(t, { ...(listens ? environment : nowhere), OTEL_TRACES_SAMPLER_ARG: '1' });
    const began = performance.now();
    for (let span = 0; span < 10_000; span += 1) await inSpan('one', KIND, work);
    const worked = performance.now();
    await telemetry.stop();
    const stopped = performance.now();
    assert.ok(worked - began < 5_000, `${worked - began} ms of work`);
    assert.ok(stopped - worked < 3_500, `${stopped - worked} ms to stop`);
  });
}

for (const [variable, given] of [
  ['OTEL_EXPORTER_OTLP_HEADERS', 'no pair'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'name=%zz'],
  ['OTEL_RESOURCE_ATTRIBUTES', '=value'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
] as const) {
  test(`${variable} that is ${given} is refused, without being shown where it is secret`, () => {
    const isSecret = variable === 'OTEL_EXPORTER_OTLP_HEADERS';
    assert.throws(
      () => readConfig(telemetrySettings, { [variable]: given }),
      (error) =>
        error instanceof Error && error.message.startsWith(variable) && !(isSecret && error.message.includes(given)),
    );
  });
}

async function isAway(check: () => Promise<void>): Promise<boolean> {
  return check().then(
    () => false,
    () => true,
  );
}
