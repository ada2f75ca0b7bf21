import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { count, observe, prometheusName, record } from './metrics.ts';
import { metricsPage, PassiveReader } from './metrics-page.ts';
import { recordTelemetry } from './recording.test-support.ts';
import { METRICS } from './registry.ts';
import type { MetricName, MetricOf } from './registry.ts';

const reader = new PassiveReader();
const recording = recordTelemetry({ reader });

test('what is counted and recorded is read with its attributes, those that are undefined left out', async () => {
  count('pfq.interests', { 'pfq.mode': 'test' });
  count('pfq.interests', { 'pfq.mode': 'test' }, 2);
  count('pfq.interests', { 'pfq.mode': undefined });
  record('pfq.mail.delay', 2.5, {});
  assert.deepEqual(await recording.readings('pfq.interests'), [
    { value: 3, attributes: { 'pfq.mode': 'test' } },
    { value: 1, attributes: {} },
  ]);
  assert.deepEqual(await recording.readings('pfq.mail.delay'), [{ value: 1, attributes: {} }]);
});

test('several observers of one metric are all read, and none that has been forgotten', async () => {
  const one = (task: string) => observe('pfq.jobs.waiting', () => [{ value: 1, attributes: { 'pfq.job.task': task } }]);
  const forget = [one('a'), one('b')];
  const tasks = async () => (await recording.readings('pfq.jobs.waiting')).map(({ attributes }) => attributes);
  assert.deepEqual(await tasks(), [{ 'pfq.job.task': 'a' }, { 'pfq.job.task': 'b' }]);
  forget[0]?.();
  assert.deepEqual(await tasks(), [{ 'pfq.job.task': 'b' }]);
  forget[1]?.();
  assert.deepEqual(await tasks(), []);
});

test('a gauge that has nothing to say any more says nothing', async () => {
  const partitions = ['0', '1'];
  const forget = observe('pfq.events.consumer.lag', () =>
    partitions.map((id) => ({ value: 5, attributes: { 'messaging.destination.partition.id': id } })),
  );
  assert.equal((await recording.readings('pfq.events.consumer.lag')).length, 2);
  partitions.pop();
  assert.equal((await recording.readings('pfq.events.consumer.lag')).length, 1);
  forget();
});

test('an observer that fails takes nothing from the others', async () => {
  const forget = [
    observe('pfq.ready', () => {
      throw new Error('no');
    }),
    observe('pfq.rate_sheet.age', () => Promise.reject(new Error('no'))),
    observe('pfq.rate_sheet.age.limit', async () => [{ value: 7, attributes: {} }]),
  ];
  assert.deepEqual(await recording.readings('pfq.rate_sheet.age.limit'), [{ value: 7, attributes: {} }]);
  assert.deepEqual(await recording.readings('pfq.ready'), []);
  for (const each of forget) each();
});

test('a total that is observed is that total', async () => {
  let total = 5;
  const forget = observe('process.cpu.time', () => [{ value: total, attributes: {} }]);
  assert.deepEqual(await recording.readings('process.cpu.time'), [{ value: 5, attributes: {} }]);
  total = 7;
  assert.deepEqual(await recording.readings('process.cpu.time'), [{ value: 7, attributes: {} }]);
  forget();
});

test('the page for Prometheus prints every metric under the name that is told of it, with its kind', async (t) => {
  const names = Object.keys(METRICS) as MetricName[];
  const forget = names.map(make);
  const page = await pageOf(t);
  for (const name of names) {
    const type = METRICS[name].instrument;
    assert.ok(page.includes(`# TYPE ${prometheusName(name)} ${type}\n`), name);
    const sample = type === 'histogram' ? `${prometheusName(name)}_bucket{le="+Inf"} ` : `${prometheusName(name)} `;
    assert.ok(page.includes(`\n${sample}`), `${name} as ${sample}`);
  }
  for (const each of forget) each();
});

/** One reading without attributes. */
function make(name: MetricName): () => void {
  if (isHistogram(name)) record(name, 1, {});
  else if (isGauge(name)) return observe(name, () => [{ value: 1, attributes: {} }]);
  else if (isCounter(name)) count(name, {});
  return () => {};
}

function isHistogram(name: MetricName): name is MetricOf<'histogram'> {
  return METRICS[name].instrument === 'histogram';
}

function isGauge(name: MetricName): name is MetricOf<'gauge'> {
  return METRICS[name].instrument === 'gauge';
}

function isCounter(name: MetricName): name is MetricOf<'counter'> {
  return METRICS[name].instrument === 'counter';
}

async function pageOf(t: { after(end: () => void): void }): Promise<string> {
  const server = createServer(metricsPage(reader)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  const answer = await fetch(`http://127.0.0.1:${address.port}/metrics`, { headers: { connection: 'close' } });
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  return answer.text();
}
