import type { AttributeValue } from './attributes.ts';
import type { Metric } from './metric.ts';
import { OWN_METRICS } from './own-metrics.ts';
import { STANDARD_METRICS } from './standard-metrics.ts';

export { ATTRIBUTES } from './attributes.ts';
export type { AttributeName, Attributes, DependencyName } from './attributes.ts';

/** Every metric that is emitted. Prometheus knows them by the names of `prometheusName`. */
export const METRICS = { ...STANDARD_METRICS, ...OWN_METRICS } as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;
export type MetricOf<I extends Metric['instrument']> = {
  [N in MetricName]: (typeof METRICS)[N]['instrument'] extends I ? N : never;
}[MetricName];

/** What a reading of a metric may carry. */
export type AttributesOf<N extends MetricName> = {
  readonly [A in (typeof METRICS)[N]['attributes'][number]]?: AttributeValue | undefined;
};
