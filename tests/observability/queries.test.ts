import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prometheusName } from '@pfq/kit/telemetry/metrics';
import { ATTRIBUTES, METRICS } from '@pfq/kit/telemetry/registry';
import type { MetricName } from '@pfq/kit/telemetry/registry';
import { writtenBoards, writtenRules, writtenRunbooks } from './observability-files.ts';
import { readQuery } from './read-query.ts';

const PROMQL = /^```promql\n(.*?)^```/gms;
/** What Prometheus adds to every series that it reads. */
const ADDED = ['job', 'instance', 'namespace'];
const OF_A_LABEL = /\$labels\.(\w+)|\{\{(\w+)\}\}/g;

const label = (attribute: string) => attribute.replaceAll('.', '_');

/** The labels that each series may have, by its name. */
const KNOWN: ReadonlyMap<string, readonly string[]> = new Map([
  ['up', ADDED],
  ...writtenRules().flatMap(({ record }) => (record === undefined ? [] : [[record, ['namespace']] as const])),
  ...(Object.keys(METRICS) as MetricName[]).flatMap(namesOf),
]);

function namesOf(name: MetricName): readonly (readonly [string, readonly string[]])[] {
  const { instrument, attributes } = METRICS[name];
  const labels = [...ADDED, ...attributes.map(label)];
  const base = prometheusName(name);
  if (instrument !== 'histogram') return [[base, labels]];
  return [
    [`${base}_bucket`, [...labels, 'le']],
    [`${base}_count`, labels],
    [`${base}_sum`, labels],
  ];
}

/** What a query names that nobody emits. */
function unknownIn(expr: string): readonly string[] {
  const { selections, groupedBy } = readQuery(expr);
  const unknown = selections.flatMap(({ metric, labels }) => {
    const known = KNOWN.get(metric);
    return known === undefined
      ? [metric]
      : labels.filter((name) => !known.includes(name)).map((name) => `${metric}{${name}}`);
  });
  const possible = new Set(selections.flatMap(({ metric }) => KNOWN.get(metric) ?? []));
  return [...unknown, ...groupedBy.filter((name) => !possible.has(name)).map((name) => `by (${name})`)];
}

/** Labels that words fill in and that the query's results do not have. */
function unfilledIn(words: string, expr: string): readonly string[] {
  const { selections, groupedBy } = readQuery(expr);
  const isWhole = groupedBy.length === 0;
  const has = new Set(isWhole ? selections.flatMap(({ metric }) => KNOWN.get(metric) ?? []) : groupedBy);
  return [...words.matchAll(OF_A_LABEL)]
    .map(([, first, second]) => first ?? second ?? '')
    .filter((name) => !has.has(name));
}

describe('a query asks for nothing that is not in the registry', () => {
  for (const { alert, record, expr } of writtenRules()) {
    it(`of the rule ${alert ?? record}`, () => assert.deepEqual(unknownIn(expr), []));
  }
  for (const { file, panels } of writtenBoards()) {
    it(`of ${file}`, () => {
      const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
      assert.ok(queries.length > 0);
      assert.deepEqual(queries.flatMap(unknownIn), []);
    });
  }
  for (const [name, text] of writtenRunbooks()) {
    it(`of the runbook ${name}`, () => {
      const queries = [...text.matchAll(PROMQL)].map(([, query = '']) => query.trim());
      assert.ok(queries.length > 0, 'a runbook shows what to ask');
      assert.deepEqual(queries.flatMap(unknownIn), []);
    });
  }
});

it('words of alerts and legends of panels fill in labels that the results of their queries have', () => {
  const alerts = writtenRules().flatMap(({ alert, expr, annotations = {} }) =>
    unfilledIn(Object.values(annotations).join(' '), expr).map((name) => `${alert}: ${name}`),
  );
  const panels = writtenBoards().flatMap((board) =>
    board.panels.flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ expr, legendFormat }) => unfilledIn(legendFormat, expr).map((name) => `${title}: ${name}`)),
    ),
  );
  assert.deepEqual([...alerts, ...panels], []);
});

describe('this test', () => {
  it('notices what is no query, no metric and no label', () => {
    assert.throws(() => readQuery('sum(rate(up[5m])'), /no PromQL/);
    assert.deepEqual(unknownIn('rate(pfq_nothing_total[5m])'), ['pfq_nothing_total']);
    assert.deepEqual(unknownIn('sum by (pfq_mode) (up{pfq_limit="x"})'), ['up{pfq_limit}', 'by (pfq_mode)']);
    assert.deepEqual(unfilledIn('{{job}} {{pfq_mode}}', 'sum by (job) (up)'), ['pfq_mode']);
  });

  it('knows attributes by labels of which no two are one', () => {
    const labels = Object.keys(ATTRIBUTES).map(label);
    assert.equal(new Set(labels).size, labels.length);
  });
});
