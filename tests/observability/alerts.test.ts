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
    const given = { rule_files: [RULES], evaluation_interval: evaluatedEvery, tests: [test] };
    // Alerts look at what was recorded at the same moment; without an order promtool takes groups as they come.
    const inOrder = { ...given, group_eval_order: GROUPS.map((group) => group.name) };
    // JSON is YAML too.
    writeFileSync(file, JSON.stringify(inOrder));
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
    const alert = ALERTS.find((one) => one.alert === 'DependencyAway' && one.severity === 'page');
    const example = CASES.find(({ name }) => name === 'nobody reaches the mail server');
    assert.ok(alert && example);
    const exp_annotations = {
      summary: 'pfq/notification does not reach smtp',
      description: alert.description,
      runbook_url: `${DOCS_URL}/runbooks/${runbookOf(alert)}`,
    };
    const exp_labels = { severity: 'page', job: 'pfq/notification', pfq_dependency: 'smtp' };
    const expected = { eval_time: '15m', alertname: alert.alert, exp_alerts: [{ exp_labels, exp_annotations }] };
    const words = { interval: '1m', input_series: toSeries(example.series), alert_rule_test: [expected] };
    await prove('words', { ...words, external_labels: { docs_url: DOCS_URL } }, '1m');
  });
});

it('every alert fires in a case, is silent before, and clears in it', () => {
  const unproven = ALERTS.map(({ alert, severity }) => `${alert} ${severity}`).filter(
    (firing) => !CASES.some(({ checks }) => isSilentThenFiresThenClears(firing, checks)),
  );
  assert.deepEqual(unproven, []);
});

function isSilentThenFiresThenClears(firing: string, checks: AlertCase['checks']): boolean {
  const fires = checks.map((check) => check.firing.includes(firing));
  return fires[0] === false && fires.includes(true) && fires.at(-1) === false;
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
