import { ATTRIBUTES, METRICS } from '@pfq/kit/telemetry/registry';
import type { MetricName } from '@pfq/kit/telemetry/registry';
import type { ReceivedMetric, ReceivedSpan, Values } from './otlp-messages.ts';

type Registered = { readonly brief: string; readonly values?: readonly string[] };

const REGISTERED: ReadonlyMap<string, Registered> = new Map(Object.entries<Registered>(ATTRIBUTES));

export const METRIC_NAMES: readonly MetricName[] = Object.keys(METRICS).filter(isMetricName);

export function isMetricName(name: string): name is MetricName {
  return name in METRICS;
}

/** What spans hold that the registry does not know, each once. */
export function strangeSpans(spans: readonly ReceivedSpan[]): readonly string[] {
  const strange = spans.flatMap(({ service, name, attributes, message, extras }) => [
    ...strangeIn(attributes).map((problem) => `${service}: ${name}: ${problem}`),
    ...(message === '' ? [] : [`${service}: ${name} has a message`]),
    ...(extras === 0 ? [] : [`${service}: ${name} has events or links, or more than its bounds`]),
  ]);
  return [...new Set(strange)];
}

/** How metrics differ from what the registry says of them, each difference once. */
export function strangeMetrics(metrics: readonly ReceivedMetric[]): readonly string[] {
  return [...new Set(metrics.flatMap(problemsOf))];
}

/** What of these attributes the registry does not know. */
function strangeIn(attributes: Values): readonly string[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const known = REGISTERED.get(name);
    if (!known) return [`${name} is not registered`];
    const isOneOf = known.values?.includes(String(value)) ?? true;
    return isOneOf ? [] : [`${name} cannot be ${JSON.stringify(value)}`];
  });
}

function problemsOf({ service, name, unit, description, instrument, points }: ReceivedMetric): readonly string[] {
  if (!isMetricName(name)) return [`${service}: ${name} is not registered`];
  const metric: { readonly buckets?: readonly number[]; readonly attributes: readonly string[] } = METRICS[name];
  const { instrument: wanted, unit: wantedUnit, brief } = METRICS[name];
  const says = [
    instrument === wanted ? '' : `is a ${instrument}`,
    unit === wantedUnit ? '' : `has the unit ${unit}`,
    description === brief ? '' : `has the description ${description}`,
    ...points.flatMap(({ attributes, bounds, value }) => [
      bounds.join() === (metric.buckets ?? []).join() ? '' : `has the bounds ${bounds.join()}`,
      Number.isFinite(value) ? '' : `has the value ${value}`,
      ...Object.keys(attributes)
        .filter((attribute) => !metric.attributes.includes(attribute))
        .map((attribute) => `has the attribute ${attribute}`),
      ...strangeIn(attributes),
    ]),
  ];
  return says.filter((problem) => problem !== '').map((problem) => `${service}: ${name} ${problem}`);
}
