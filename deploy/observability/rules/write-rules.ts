import { BURN_ALERTS, RECORDINGS } from './burn-rates.ts';
import { JOURNEY_ALERTS } from './journey-alerts.ts';
import { runbookOf } from './rule.ts';
import type { Alert, Group, Recording } from './rule.ts';
import { SERVICE_ALERTS } from './service-alerts.ts';

/** Every rule, in the order in which Prometheus has to evaluate them. */
export const GROUPS: readonly Group[] = [RECORDINGS, BURN_ALERTS, JOURNEY_ALERTS, SERVICE_ALERTS];

const HEAD = `# Written by npm run generate from deploy/observability/rules. For Prometheus 2.42 and newer.
# Prometheus needs the external label docs_url, the public address of the documentation: runbooks are below it.
`;

/** The rules as Prometheus reads them. */
export function rulesFile(): string {
  return `${HEAD}groups:\n${GROUPS.map(writeGroup).join('')}`;
}

function writeGroup({ name, rules }: Group): string {
  return `  - name: ${name}\n    rules:\n${rules.map((rule) => ('alert' in rule ? writeAlert(rule) : writeRecording(rule))).join('')}`;
}

function writeRecording({ record, expr }: Recording): string {
  return `      - record: ${record}\n${writeExpression(expr)}`;
}

function writeAlert(alert: Alert): string {
  const { severity, expr, summary, description } = alert;
  return `      - alert: ${alert.alert}
${writeExpression(expr)}${alert.for === undefined ? '' : `        for: ${alert.for}\n`}        labels:
          severity: ${severity}
        annotations:
          summary: ${quoted(summary)}
          description: ${quoted(description)}
          runbook_url: '{{ $externalLabels.docs_url }}/runbooks/${runbookOf(alert)}'
`;
}

function writeExpression(expr: string): string {
  return `        expr: |\n${expr.replaceAll(/^/gm, '          ')}\n`;
}

function quoted(words: string): string {
  return `'${words.replaceAll("'", "''")}'`;
}
