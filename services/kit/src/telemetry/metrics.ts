import { metrics } from '@opentelemetry/api';
import type { Counter, Histogram, Meter, ObservableResult } from '@opentelemetry/api';
import { given } from './given.ts';
import { METRICS } from './registry.ts';
import type { AttributesOf, MetricName, MetricOf } from './registry.ts';

/** One reading of a metric. */
export type Reading<N extends MetricName> = { readonly value: number; readonly attributes: AttributesOf<N> };

const METER = 'pfq';

/** Made when first needed: before the telemetry of a process has started there is nothing to make them of. */
const instruments = new Map<string, { readonly meter: Meter; readonly instrument: Counter | Histogram }>();

/** Counts `by` more. */
export function count<N extends MetricOf<'counter'>>(name: N, attributes: AttributesOf<N>, by = 1): void {
  const counter = instrumentOf(name, (meter) => meter.createCounter(name, optionsOf(name)));
  counter.add(by, given(attributes));
}

/** Adds a reading to a histogram; durations are seconds. */
export function record<N extends MetricOf<'histogram'>>(name: N, value: number, attributes: AttributesOf<N>): void {
  const histogram = instrumentOf(name, (meter) => meter.createHistogram(name, optionsOf(name)));
  histogram.record(value, given(attributes));
}

/**
 * Reads a gauge, or the total of a counter, whenever metrics are collected, until the function that it returns is called. A
 * reading of a gauge that is not there any more is gone; so are those that cannot be read within three seconds.
 */
export function observe<N extends MetricOf<'gauge' | 'counter'>>(
  name: N,
  read: () => readonly Reading<N>[] | Promise<readonly Reading<N>[]>,
): () => void {
  const meter = metrics.getMeter(METER);
  const options = optionsOf(name);
  const observable =
    METRICS[name].instrument === 'counter'
      ? meter.createObservableCounter(name, options)
      : meter.createObservableGauge(name, options);
  const callback = async (result: ObservableResult) => {
    for (const { value, attributes } of await read()) result.observe(value, given(attributes));
  };
  observable.addCallback(callback);
  return () => observable.removeCallback(callback);
}

/** The name under which Prometheus knows a metric: `http_server_request_duration_seconds`. A histogram's series add `_bucket`, `_sum` and `_count`. */
export function prometheusName(name: MetricName): string {
  return METRICS[name].instrument === 'counter' ? `${withUnit(name)}_total` : withUnit(name);
}

/** As a collector turns our names into those of Prometheus, but for the `_total` of counters. */
export function withUnit(name: MetricName): string {
  const { instrument, unit } = METRICS[name];
  const base = name.replaceAll(/[^a-zA-Z0-9_]/g, '_');
  const suffix = unit === '1' && instrument === 'gauge' ? 'ratio' : UNIT_SUFFIXES[unit];
  return suffix === undefined || base.endsWith(`_${suffix}`) ? base : `${base}_${suffix}`;
}

const UNIT_SUFFIXES: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes' };

function instrumentOf<I extends Counter | Histogram>(name: string, make: (meter: Meter) => I): I {
  const meter = metrics.getMeter(METER);
  const known = instruments.get(name);
  if (known?.meter === meter) return known.instrument as I;
  const instrument = make(meter);
  instruments.set(name, { meter, instrument });
  return instrument;
}

function optionsOf(name: MetricName) {
  const metric = METRICS[name];
  const { unit, brief: description } = metric;
  return {
    unit,
    description,
    ...('buckets' in metric && { advice: { explicitBucketBoundaries: [...metric.buckets] } }),
  };
}
