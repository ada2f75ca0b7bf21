import { prometheusName } from './metrics.ts';
import { ATTRIBUTES, METRICS } from './registry.ts';
import type { MetricName } from './registry.ts';

/** The page for those who look at traces and metrics: what there is, and by which names. */
export function telemetryPage(): string {
  const metrics = Object.keys(METRICS).filter(isMetric).toSorted();
  const attributes = Object.entries(ATTRIBUTES).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `# Traces and metrics

What every service tells of itself, by the names of OpenTelemetry's conventions; ours begin with \`pfq.\`. Written by \`npm run generate\`.
Why it is so: [decision 10](decisions/0010-traces-and-metrics-are-our-own.md).

Where \`OTEL_EXPORTER_OTLP_ENDPOINT\` is set, traces and metrics go to that collector as OTLP (JSON over HTTP). Prometheus reads the
same metrics at \`/metrics\` of each service's \`OPERATIONS_PORT\`. Log lines hold \`trace_id\` and \`span_id\` either way.

## Spans

| Span | Kind | Is |
|---|---|---|
| \`POST /v1/quotes\` | server | a public request, by method and route |
| \`pfq.pricing.v1.PricingService/PriceDeal\` | client | a call to another service, with all its attempts |
| \`pfq.pricing.v1.PricingService/PriceDeal\` | server | the same call where it was answered |
| \`INSERT quotes\` | client | a statement, or an operation of MongoDB, by what it does to what |
| \`wait for connection\` | internal | a statement that had to wait for one of its pool |
| \`send …\` | producer | an event, sent to the topic that is named |
| \`process …\` | consumer | an event of the topic, or a background job of the task that is named, in the trace of what made it necessary |
| \`SMTP send\` | client | an attempt to hand a mail to its server |

A span has failed where the fault is ours. What was refused as it should be has an \`error.type\` and has not failed.

## Metrics

| Metric | For Prometheus | Kind | Unit | Attributes | Is |
|---|---|---|---|---|---|
${metrics.map(metricRow).join('\n')}

A histogram has the series \`…_bucket\`, \`…_sum\` and \`…_count\`. Prometheus writes an attribute's name with \`_\` for each dot.

## Attributes

| Attribute | Is |
|---|---|
${attributes.map(([name, attribute]) => `| \`${name}\` | ${attribute.brief}${valuesOf(attribute)} |`).join('\n')}
`;
}

function metricRow(name: MetricName): string {
  const { instrument, unit, attributes, brief } = METRICS[name];
  const carried = attributes.map((attribute) => `\`${attribute}\``).join(', ');
  return `| \`${name}\` | \`${prometheusName(name)}\` | ${instrument} | \`${unit}\` | ${carried || 'none'} | ${brief} |`;
}

function valuesOf(attribute: { readonly brief: string; readonly values?: readonly string[] }): string {
  return attribute.values ? ` One of ${attribute.values.map((value) => `\`${value}\``).join(', ')}.` : '';
}

function isMetric(name: string): name is MetricName {
  return name in METRICS;
}
