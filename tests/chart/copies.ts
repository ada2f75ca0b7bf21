import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { parse } from 'yaml';
import { EVENT_TOPICS } from '../../proto/topics.ts';
import { OPERATIONS_PORT, SERVICES } from './services.ts';
import { CHART, render } from './render.ts';
import { selects } from './reach.ts';

const OBSERVABILITY = path.resolve(import.meta.dirname, '../../deploy/observability');
const RUNBOOKS = '{{ $externalLabels.docs_url }}';
const ON = { values: { prometheusRule: { enabled: true }, dashboards: { enabled: true } } };

/** What the chart has from elsewhere in the project is what is there. */
export function copies(): void {
  it('alerts are those of deploy/observability, whose runbooks are where the documentation is', async () => {
    const { one } = await render(ON);
    const alerts = readFileSync(path.join(OBSERVABILITY, 'alerts.yaml'), 'utf8');
    assert.ok(alerts.includes(RUNBOOKS));
    const expected = parse(alerts.replaceAll(RUNBOOKS, 'https://api.agency.example/docs'));
    assert.deepEqual(parse(JSON.stringify(one('PrometheusRule', '').spec)), expected);
  });

  it('dashboards are those of deploy/observability, and lead to the documentation', async () => {
    const { of } = await render(ON);
    const shown = of('ConfigMap').filter(({ metadata }) => metadata.labels?.['grafana_dashboard'] === '1');
    assert.deepEqual(shown.length, 4);
    for (const { data } of shown) {
      const [[file, text] = ['', '']] = Object.entries(data);
      const own = readFileSync(path.join(OBSERVABILITY, 'dashboards', file.replace(/^pfq-/, '')), 'utf8');
      const expected = own.replaceAll('http://127.0.0.1:8080/docs', 'https://api.agency.example/docs');
      assert.deepEqual(JSON.parse(text), JSON.parse(expected));
    }
  });

  it('topics are those that services use, with what is said of them', async () => {
    const kafka = { enabled: true, topics: { create: true, cluster: 'kafka', partitions: 24, replicas: 3 } };
    const { of } = await render({ values: { kafka } });
    const expected = EVENT_TOPICS.flatMap((topic) => [topic, topic.deadLetter]).map(
      ({ name, partitions, retentionMs, maxMessageBytes }) => ({
        topicName: name,
        // More than one: as many as the platform says.
        partitions: partitions === 1 ? 1 : 24,
        'retention.ms': retentionMs,
        'max.message.bytes': maxMessageBytes,
      }),
    );
    const made = of('KafkaTopic').map(({ metadata, spec: { topicName, partitions, config } }) => {
      assert.equal(metadata.labels?.['strimzi.io/cluster'], 'kafka');
      assert.equal(metadata.annotations?.['helm.sh/resource-policy'], 'keep');
      return {
        topicName,
        partitions,
        'retention.ms': config['retention.ms'],
        'max.message.bytes': config['max.message.bytes'],
      };
    });
    assert.deepEqual(made, expected);
  });

  it('Prometheus finds the metrics of every service once, under the name that alerts know it by', async () => {
    const { of, one } = await render({ shape: 'production' });
    const { selector, endpoints } = one('ServiceMonitor', '').spec;
    const [endpoint] = endpoints;
    assert.equal(endpoint?.path, '/metrics');
    assert.partialDeepStrictEqual(endpoint.relabelings, [{ targetLabel: 'job', replacement: 'pfq/$1' }]);
    const found = of('Service').filter(
      ({ metadata, spec }) =>
        selects(selector, metadata.labels ?? {}) && spec.ports.some(({ targetPort }) => targetPort === endpoint.port),
    );
    const components = found.map(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] ?? '');
    assert.deepEqual(components.sort(), SERVICES);
    assert.ok(found.every(({ spec }) => spec.ports.some(({ port }) => port === OPERATIONS_PORT)));
  });

  it('the version of the chart, of what it installs, and of the project are one', () => {
    const { version, appVersion } = parse(readFileSync(path.join(CHART, 'Chart.yaml'), 'utf8'));
    const project = JSON.parse(readFileSync(path.resolve(CHART, '../../package.json'), 'utf8'));
    assert.deepEqual([version, appVersion], [project.version, project.version]);
  });
}
