import { context, diag, logs, metrics, trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { NodeSDK } from '@opentelemetry/sdk-node';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { SpanProcessor } from '@opentelemetry/sdk-trace';
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import type { Dependency } from '../health.ts';
import type { Logger } from '../log.ts';
import { watchCollector } from './collector.ts';
import type { Collector } from './collector.ts';
import { logDiagnostics } from './diagnostics.ts';
import { metricsPage, PassiveReader, temporalityOf } from './metrics-page.ts';
import { observeProcess } from './process-metrics.ts';
import type { telemetrySettings } from './settings.ts';
import { STOP_MS } from '../stop-times.ts';

export type Telemetry = {
  /** Answers Prometheus; null where telemetry is disabled. */
  readonly metricsPage: RequestListener | null;
  /** How the collector is; null where there is none. */
  readonly dependency: Dependency | null;
  /** Sends what is left, for at most two seconds. */
  stop(): Promise<void>;
};

type TelemetryConfig = Config<typeof telemetrySettings>;
type TelemetryOptions = {
  readonly service: string;
  readonly config: TelemetryConfig;
  readonly logger: Pick<Logger, 'debug' | 'info' | 'warn'>;
};

/** One attempt and one more, and all of it below the time after which the next batch is due. */
const SEND_TIMEOUT_MS = 2_500;
const EXPORT_TIMEOUT_MS = 3_000;
const SPAN_DELAY_MS = 1_000;
/** Of the longest burst that is kept while the collector is away, about 4 MB; what is over it is lost. */
const MOST_SPANS_WAITING = 4_096;
/** Our values are ids and codes; the bound holds whatever a mistake might put there. */
const SPAN_LIMITS = { attributeValueLengthLimit: 256, attributeCountLimit: 64, eventCountLimit: 8, linkCountLimit: 8 };

/** Starts the traces and metrics of a process, once, before anything that makes them. */
export function startTelemetry({ service, config, logger }: TelemetryOptions): Telemetry {
  if (config.telemetryDisabled) return { metricsPage: null, dependency: null, stop: async () => {} };
  const { otlpEndpoint: endpoint } = config;
  const collector = endpoint === null ? null : watchCollector(logger);
  const { reader, ...traces } =
    endpoint !== null && collector ? exporting({ ...config, endpoint }, collector) : keeping();
  logDiagnostics(logger);
  const sdk = new NodeSDK({
    resource: resourceFromAttributes({
      'service.version': manifest.version,
      'service.instance.id': randomUUID(),
      ...config.resourceAttributes,
      'service.namespace': 'pfq',
      'service.name': service,
    }),
    autoDetectResources: false,
    instrumentations: [],
    logRecordProcessors: [],
    textMapPropagator: null,
    metricReaders: [reader],
    spanLimits: SPAN_LIMITS,
    ...traces,
  });
  sdk.start();
  const forgetProcess = observeProcess();
  return {
    metricsPage: metricsPage(reader),
    dependency: collector?.dependency ?? null,
    async stop() {
      forgetProcess();
      // An export that fails now has been told like any other.
      const sent = sdk.shutdown().catch(() => {});
      await Promise.race([sent, wait(STOP_MS.telemetry, undefined, { ref: false })]);
      for (const api of [trace, metrics, logs, context, diag]) api.disable();
    },
  };
}

/** Every trace of which a caller, or else chance, decided so, and all metrics. */
function exporting(
  { endpoint, otlpHeaders, traceSampleRatio, metricIntervalMs }: TelemetryConfig & { readonly endpoint: string },
  collector: Collector,
) {
  const settings = { headers: { ...otlpHeaders }, timeoutMillis: SEND_TIMEOUT_MS };
  const spans = collector.watch('traces', new OTLPTraceExporter({ ...settings, url: `${endpoint}/v1/traces` }));
  const readings = collector.watch('metrics', new OTLPMetricExporter({ ...settings, url: `${endpoint}/v1/metrics` }));
  const processor = new BatchSpanProcessor({
    exporter: spans,
    maxQueueSize: MOST_SPANS_WAITING,
    scheduledDelayMillis: SPAN_DELAY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  return {
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(traceSampleRatio) }),
    spanProcessors: [processor],
    reader: new PeriodicExportingMetricReader({
      exporter: { ...readings, selectAggregationTemporality: temporalityOf },
      exportIntervalMillis: metricIntervalMs,
      exportTimeoutMillis: EXPORT_TIMEOUT_MS,
    }),
  };
}

/** No trace is kept; but each has an id, which the log lines of all services show. */
function keeping() {
  return { sampler: new AlwaysOffSampler(), spanProcessors: [NO_SPANS], reader: new PassiveReader() };
}

const NO_SPANS: SpanProcessor = {
  onStart() {},
  onEnd() {},
  forceFlush: async () => {},
  shutdown: async () => {},
};
