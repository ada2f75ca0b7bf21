import { flag, optional, publicUrl, ratio, secret, text, wholeNumber } from '../config.ts';
import type { Setting } from '../config.ts';

type Pairs = Readonly<Record<string, string>>;

/** Names of OpenTelemetry where it has one. */
export const telemetrySettings = {
  telemetryDisabled: flag('OTEL_SDK_DISABLED', {
    doc: 'Make no traces and no metrics at all.',
    fallback: 'false',
  }),
  otlpEndpoint: optional(
    publicUrl('OTEL_EXPORTER_OTLP_ENDPOINT', {
      doc: 'Base address of an OpenTelemetry collector (OTLP over HTTP, such as http://collector:4318) that gets traces and metrics; without one no trace is made, and metrics are for Prometheus alone.',
    }),
  ),
  otlpHeaders: optional(
    pairs(
      secret('OTEL_EXPORTER_OTLP_HEADERS', {
        doc: 'Headers for the collector, name=value with commas between, values percent-encoded.',
        minLength: 3,
      }),
    ),
  ),
  traceSampleRatio: ratio('OTEL_TRACES_SAMPLER_ARG', {
    doc: 'Share of the traces that begin here which are sampled, from 0 to 1; a caller that has decided is followed.',
    fallback: '0.1',
  }),
  metricIntervalMs: wholeNumber('OTEL_METRIC_EXPORT_INTERVAL', {
    doc: 'Time from one export of metrics to the collector to the next, in milliseconds.',
    min: 3_000,
    max: 300_000,
    fallback: '15000',
  }),
  resourceAttributes: pairs(
    text('OTEL_RESOURCE_ATTRIBUTES', {
      doc: 'What traces and metrics say of where they come from beside the name of the service, name=value with commas between, values percent-encoded: service.version=1.4.0,deployment.environment.name=production.',
      fallback: '',
    }),
  ),
};

function pairs(setting: Setting<string>): Setting<Pairs> {
  return { ...setting, parse: (given) => readPairs(setting.parse(given)) };
}

/** As W3C Baggage writes them, without properties. What is wrong is never shown: it may be a secret. */
function readPairs(list: string): Pairs {
  const entries = list.split(',').filter((entry) => entry.trim() !== '');
  return Object.fromEntries(
    entries.map((entry) => {
      const mark = entry.indexOf('=');
      const name = entry.slice(0, Math.max(0, mark)).trim();
      const value = decode(entry.slice(mark + 1).trim());
      if (name === '' || value === null) throw new Error('must be name=value with commas between');
      return [name, value];
    }),
  );
}

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
