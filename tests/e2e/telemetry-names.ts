import assert from 'node:assert/strict';
import { it } from 'node:test';
import { prometheusName } from '@pfq/kit/telemetry/metrics';
import { METRICS } from '@pfq/kit/telemetry/registry';
import type { MetricName } from '@pfq/kit/telemetry/registry';
import type { ReceivedSpan } from '../support/otlp-messages.ts';
import { tracesOf } from '../support/otlp-trace.ts';
import { isMetricName, METRIC_NAMES, strangeMetrics, strangeSpans } from '../support/registered.ts';
import { FAILING, WELL_AGAIN } from './collector-away.ts';
import type { Scene } from './telemetry-scene.ts';

/** Metrics that a stack without Kafka has only where something goes wrong, or not at all. */
const UNSEEN: Partial<Readonly<Record<MetricName, string>>> = {
  'messaging.client.operation.duration': 'there is no Kafka',
  'messaging.process.duration': 'there is no Kafka',
  'pfq.events.consumer.lag': 'there is no Kafka',
  'pfq.events.dead_letters': 'there is no Kafka',
  'pfq.request_log.dropped': 'every request could be kept',
  'pfq.tls.certificate.expiry': 'services speak without TLS',
  'pfq.tls.certificate.lifetime': 'services speak without TLS',
  'pfq.rate_sheet.age.limit': 'the demo prices with rates of any age',
};

/** What was made shortly before the collector failed may have been lost with it. */
const ON_THE_WAY_MS = 5_000;

/** Everything that was sent to the collector or shown to Prometheus is whole, and what the registry says. */
export function telemetryNames(scene: Scene): void {
  const inTheEnd = async () => {
    const told = await scene.end();
    const { spans, metrics, wasTaking } = scene.receiver();
    return { ...told, spans: spans(), metrics: metrics().filter(({ points }) => points.length > 0), wasTaking };
  };

  it('every attribute of every span is registered, with one of its values; nothing else hangs on a span', async () => {
    const { spans } = await inTheEnd();
    assert.ok(spans.length > 100, `${spans.length} spans`);
    assert.deepEqual(strangeSpans(spans), []);
  });

  it('every trace is whole: each span has an end, and a parent that came in, unless a request began it', async () => {
    const { spans, wasTaking } = await inTheEnd();
    assert.deepEqual(namesOf(spans.filter(({ startedMs, endedMs }) => endedMs < startedMs)), []);
    const isWhole = ({ endedMs }: ReceivedSpan) => wasTaking(endedMs, endedMs + ON_THE_WAY_MS);
    const whole = tracesOf(spans).filter((trace) => trace.spans.every(isWhole));
    assert.ok(whole.length > 50, `${whole.length} traces`);
    assert.deepEqual(namesOf(whole.flatMap((trace) => trace.orphans)), []);
  });

  it('what goes on behind an answer is no part of the request that happened to set it off', async () => {
    const { spans } = await inTheEnd();
    assert.deepEqual(namesOf(tracesOf(spans).flatMap((trace) => trace.strays)), []);
  });

  it('every metric is registered, with its instrument, unit, description, bounds and attributes', async () => {
    const { metrics } = await inTheEnd();
    assert.deepEqual(strangeMetrics(metrics), []);
  });

  it('every registered metric is emitted, but for those that need what is not there', async () => {
    const { metrics } = await inTheEnd();
    const seen = new Set(metrics.map(({ name }) => name));
    assert.deepEqual(
      METRIC_NAMES.filter((name) => !seen.has(name) && !(name in UNSEEN)),
      [],
    );
  });

  it('Prometheus is shown the same metrics by each service, with the same labels', async () => {
    const { pages, metrics } = await inTheEnd();
    for (const [service, page] of pages) {
      const shown = readPage(page);
      assert.deepEqual(strangeSeries(shown), [], service);
      // A gauge tells of the moment; all else stays from the first time on.
      const sent = metrics.filter((metric) => metric.service === service && metric.instrument !== 'gauge');
      const names = new Set(shown.map(({ metric }) => metric));
      assert.deepEqual(
        sent.map(({ name }) => name).filter((name) => !names.has(name)),
        [],
        service,
      );
    }
  });

  it('each service tells once that its telemetry is not taken, and once that it is again', async () => {
    const { lines, pages } = await inTheEnd();
    for (const service of pages.keys()) {
      const told = [FAILING, WELL_AGAIN].map(
        (text) => lines.filter((line) => line.startsWith(`${service} `) && line.includes(text)).length,
      );
      assert.deepEqual(told, told[0] === 0 ? [0, 0] : [1, 1], service);
    }
  });
}

function namesOf(spans: readonly ReceivedSpan[]): readonly string[] {
  return [...new Set(spans.map(({ service, name }) => `${service}: ${name}`))];
}

type Series = { readonly metric: string; readonly series: string; readonly labels: readonly string[] };

/** `name{label="value",…} 1`: series of a page, with the registered metric that each belongs to, else the empty text. */
function readPage(page: string): readonly Series[] {
  return page.split('\n').flatMap((line) => {
    const [, series, labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? [^ ]+( \d+)?$/.exec(line) ?? [];
    if (series === undefined) return [];
    const names = Array.from(labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g), ([, label = '']) => label);
    return [{ metric: metricOf(series), series, labels: names }];
  });
}

function metricOf(series: string): string {
  const isPart = (name: MetricName) => {
    const base = prometheusName(name);
    const isHistogram = METRICS[name].instrument === 'histogram';
    return isHistogram ? [`${base}_bucket`, `${base}_sum`, `${base}_count`].includes(series) : series === base;
  };
  return METRIC_NAMES.find(isPart) ?? '';
}

/** About the process as a whole. */
const TARGET = 'target_info';

function strangeSeries(shown: readonly Series[]): readonly string[] {
  return shown.flatMap(({ metric, series, labels }) => {
    if (series === TARGET) return [];
    if (!isMetricName(metric)) return [`${series} is not registered`];
    const known = new Set([...METRICS[metric].attributes.map((name) => name.replaceAll('.', '_')), 'le']);
    return labels.filter((label) => !known.has(label)).map((label) => `${series} has the label ${label}`);
  });
}
