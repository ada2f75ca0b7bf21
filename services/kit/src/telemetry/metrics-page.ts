import { diag } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { AggregationTemporality, InstrumentType, MetricReader } from '@opentelemetry/sdk-metrics';
import type { MetricData } from '@opentelemetry/sdk-metrics';
import type { RequestListener } from 'node:http';
import { withUnit } from './metrics.ts';
import { METRICS } from './registry.ts';
import type { MetricName } from './registry.ts';

const COLLECT_TIMEOUT_MS = 3_000;

/** Collects when it is asked to and only then. */
export class PassiveReader extends MetricReader {
  constructor() {
    super({ aggregationTemporalitySelector: temporalityOf });
  }
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** Totals since the start. A gauge has none: by delta, a reading that was not made again is not told again. */
export function temporalityOf(instrument: InstrumentType): AggregationTemporality {
  return instrument === InstrumentType.OBSERVABLE_GAUGE
    ? AggregationTemporality.DELTA
    : AggregationTemporality.CUMULATIVE;
}

/**
 * Answers Prometheus with what the reader collects. A process has one reader, whoever asks: readings would heap up for a second
 * one that nobody asks.
 */
export function metricsPage(reader: MetricReader): RequestListener {
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true);
  const read = async () => {
    const { resourceMetrics } = await reader.collect({ timeoutMillis: COLLECT_TIMEOUT_MS });
    const { resource, scopeMetrics } = resourceMetrics;
    const named = scopeMetrics.map(({ scope, metrics }) => ({ scope, metrics: metrics.map(withPrometheusName) }));
    return serializer.serialize({ resource, scopeMetrics: named });
  };
  return (_request, response) => {
    response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
    read().then(
      (text) => response.end(text),
      (error: unknown) => {
        diag.warn('metrics cannot be collected', error);
        response.writeHead(503).end();
      },
    );
  };
}

/** The exporter would leave out the unit. */
function withPrometheusName(metric: MetricData): MetricData {
  const { name } = metric.descriptor;
  return isMetric(name) ? { ...metric, descriptor: { ...metric.descriptor, name: withUnit(name) } } : metric;
}

function isMetric(name: string): name is MetricName {
  return name in METRICS;
}
