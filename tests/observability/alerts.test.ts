import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { runbookOf } from '../../deploy/observability/rules/rule.ts';
import { GROUPS } from '../../deploy/observability/rules/write-rules.ts';
import { promtool, WITHOUT_PROMTOOL } from '../support/promtool.ts';
import { BUDGET_CASES } from './alert-cases.ts';
import type { AlertCase } from './alert-case.ts';
import { CONDITION_CASES } from './condition-cases.ts';

const OBSERVABILITY = path.resolve(import.meta.dirname, '../../deploy/observability');
const RULES = path.join(OBSERVABILITY, 'alerts.yaml');
const DOCS_URL = 'https://api.example/docs';
const CASES = [...BUDGET_CASES, ...CONDITION_CASES];
const ALERTS = GROUPS.flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule));

describe('the alert rules', { skip: WITHOUT_PROMTOOL }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfq-alerts-'));
  after(() => rmSync(folder, { recursive: true }));

  async function prove(name: string, test: object, evaluatedEvery: string): Promise<void> {
    const file = path.join(folder, `${name}.yaml`);
    // JSON is YAML too.
    writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: evaluatedEvery, tests: [test] }));
    await promtool('test', 'rules', file);
  }

  it('are rules that Prometheus takes, and so is the configuration that names them', async () => {
    await promtool('check', 'rules', RULES);
    await promtool('check', 'config', path.join(OBSERVABILITY, 'prometheus.yaml'));
  });

  for (const [index, one] of CASES.entries()) {
    it(`fire where they should and nowhere else: ${one.name}`, () =>
      prove(`case-${index}`, toTest(one), one.evaluatedEvery));
  }

  it('say what users notice and where the runbook is', async () => {
    const deadLetters = ALERTS.find(({ alert }) => alert === 'DeadLetters');
    assert.ok(deadLetters);
    const topic = 'pfq.quote.interest-expressed.v1';
    const series = CONDITION_CASES.find(({ name }) => name === 'one more event is set aside')?.series ?? {};
    const annotations = {
      summary: `events of ${topic} were set aside because nobody could read them`,
      description: deadLetters.description.replace('{{ $value | humanize }}', '1'),
      runbook_url: `${DOCS_URL}/runbooks/${runbookOf(deadLetters)}`,
    };
    const labels = { severity: 'page', messaging_destination_name: topic };
    const expected = {
      eval_time: '85m',
      alertname: 'DeadLetters',
      exp_alerts: [{ exp_labels: labels, exp_annotations: annotations }],
    };
    const words = { interval: '1m', input_series: toSeries(series), alert_rule_test: [expected] };
    await prove('words', { ...words, external_labels: { docs_url: DOCS_URL } }, '5m');
  });
});

it('every alert fires in a case, is silent before, and clears in it', () => {
  const unproven = ALERTS.map(({ alert, severity }) => `${alert} ${severity}`).filter(
    (firing) => !CASES.some(({ checks }) => firesAndClears(firing, checks)),
  );
  assert.deepEqual(unproven, []);
});

function firesAndClears(firing: string, checks: AlertCase['checks']): boolean {
  const fires = checks.map((check) => check.firing.includes(firing));
  return fires.includes(true) && fires.at(-1) === false;
}

function toTest({ series, checks }: AlertCase) {
  return {
    interval: '1m',
    input_series: toSeries(series),
    promql_expr_test: checks.map(({ at, firing }) => ({
      eval_time: at,
      expr: 'count by (alertname, severity) (ALERTS{alertstate="firing"}) > bool 0',
      exp_samples: firing.map((name) => {
        const [alert = '', severity = ''] = name.split(' ');
        return { labels: `{alertname="${alert}",severity="${severity}"}`, value: 1 };
      }),
    })),
  };
}

function toSeries(series: AlertCase['series']) {
  return Object.entries(series).map(([name, values]) => ({ series: name, values }));
}
