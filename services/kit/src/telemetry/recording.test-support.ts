import { SpanStatusCode } from '@opentelemetry/api';
import type { SpanKind } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { PassiveReader } from './metrics-page.ts';
import type { MetricName } from './registry.ts';

export type Recording = {
  /** Spans that have ended, in that order. */
  readonly spans: () => readonly RecordedSpan[];
  /** What a metric reads now: for a histogram, how many readings there were. */
  readonly readings: (name: MetricName) => Promise<readonly RecordedReading[]>;
  readonly forgetSpans: () => void;
};

export type RecordedSpan = {
  readonly name: string;
  readonly id: string;
  readonly traceId: string;
  readonly parentId: string | undefined;
  readonly kind: SpanKind;
  readonly hasFailed: boolean;
  readonly attributes: ReadableSpan['attributes'];
};

type RecordedReading = { readonly value: number; readonly attributes: ReadableSpan['attributes'] };

/** Keeps every span and metric of this test file; to be called once, before any is made. */
export function recordTelemetry({ reader = new PassiveReader() } = {}): Recording {
  const exporter = new InMemorySpanExporter();
  new NodeSDK({
    autoDetectResources: false,
    instrumentations: [],
    logRecordProcessors: [],
    metricReaders: [reader],
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  }).start();
  return {
    spans: () => exporter.getFinishedSpans().map(toRecordedSpan),
    forgetSpans: () => exporter.reset(),
    async readings(name) {
      const { resourceMetrics } = await reader.collect();
      const all = resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics);
      const points = all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
      return points.map(({ value, attributes }) => ({
        value: typeof value === 'number' ? value : value.count,
        attributes,
      }));
    },
  };
}

function toRecordedSpan(span: ReadableSpan): RecordedSpan {
  const { spanId, traceId } = span.spanContext();
  const { name, kind, attributes, parentSpanContext } = span;
  return {
    name,
    id: spanId,
    traceId,
    parentId: parentSpanContext?.spanId,
    kind,
    hasFailed: span.status.code === SpanStatusCode.ERROR,
    attributes: { ...attributes },
  };
}
