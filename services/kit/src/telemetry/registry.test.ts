import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { prometheusName } from './metrics.ts';
import { ATTRIBUTES, METRICS } from './registry.ts';
import type { MetricName } from './registry.ts';

const FOLDER = path.dirname(fileURLToPath(import.meta.resolve('@opentelemetry/semantic-conventions')));
const FILES = ['stable_attributes', 'experimental_attributes', 'stable_metrics', 'experimental_metrics'];

/** Every name of OpenTelemetry's conventions, and whether it is deprecated. */
const conventions = new Map(FILES.flatMap((file) => namesIn(readFileSync(path.join(FOLDER, `${file}.d.mts`), 'utf8'))));
const attributes = Object.entries(ATTRIBUTES);
const metricNames = Object.keys(METRICS) as MetricName[];

function namesIn(declarations: string): readonly (readonly [string, boolean])[] {
  const declared = /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\s*declare const (?:ATTR|METRIC)_\w+: "([^"]+)"/g;
  return [...declarations.matchAll(declared)].map(([, doc = '', name = '']) => [name, doc.includes('@deprecated')]);
}

test('the conventions are read: there are hundreds, and some are deprecated', () => {
  assert.ok(conventions.size > 500);
  assert.equal(conventions.get('http.method'), true);
  assert.equal(conventions.get('http.request.method'), false);
});

test('every name is one of the conventions that is not deprecated, or one of ours', () => {
  const names = [...attributes.map(([name]) => name), ...metricNames];
  const wrong = names.filter((name) => !name.startsWith('pfq.') && conventions.get(name) !== false);
  assert.deepEqual(wrong, []);
  assert.deepEqual(
    names.filter((name) => !/^[a-z0-9_]+(\.[a-z0-9_]+)+$/.test(name)),
    [],
  );
});

test('every attribute and metric says in a sentence what it is', () => {
  const briefs = [
    ...attributes.map(([name, { brief }]) => [name, brief]),
    ...metricNames.map((name) => [name, METRICS[name].brief]),
  ];
  assert.deepEqual(
    briefs.filter(([, brief = '']) => !/^\S.+\.$/s.test(brief)),
    [],
  );
});

test('a metric carries registered attributes, and a histogram alone has buckets, which ascend', () => {
  for (const name of metricNames) {
    const metric = METRICS[name];
    assert.deepEqual(
      metric.attributes.filter((attribute) => !(attribute in ATTRIBUTES)),
      [],
      name,
    );
    assert.equal('buckets' in metric, metric.instrument === 'histogram', name);
    const buckets = 'buckets' in metric ? [...metric.buckets] : [];
    assert.deepEqual(
      buckets,
      buckets.toSorted((a, b) => a - b),
      name,
    );
  }
});

test('no metric carries what differs from request to request', () => {
  const ids = new Set<string>([
    'pfq.request.id',
    'pfq.quote.id',
    'pfq.event.id',
    'pfq.key.id',
    'pfq.agency.id',
    'server.port',
  ]);
  const carried = metricNames.flatMap((name) => METRICS[name].attributes);
  assert.deepEqual(
    carried.filter((attribute) => ids.has(attribute)),
    [],
  );
});

test('no two metrics have one name for Prometheus, a series of a histogram included', () => {
  const series = metricNames.flatMap((name) => {
    const base = prometheusName(name);
    return METRICS[name].instrument === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => base + part) : [base];
  });
  assert.equal(new Set(series).size, series.length);
});
