import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { INTEREST_EXPRESSED } from '../../proto/topics.ts';
import { selects } from './reach.ts';
import { CHART, EVERY_SHAPE, PROFILES, render, type Rendered } from './render.ts';
import { SERVICES } from './services.ts';

const NOWHERE = {
  nodeSelector: undefined,
  tolerations: undefined,
  affinity: undefined,
  priorityClassName: undefined,
};
const BY_CPU = SERVICES.filter((service) => service !== 'notification');

/** How many pods of a service there are, how they are found, and which may be away. */
export function scaling(): void {
  for (const shape of EVERY_SHAPE) {
    it(`${shape}: whatever selects pods selects those of one service`, async () => {
      const rendered = await render({ shape });
      const { of, pods } = rendered;
      const selectors = [
        ...of('Deployment').map(({ metadata, spec }) => ({ metadata, selector: spec.selector })),
        ...of('PodDisruptionBudget').map(({ metadata, spec }) => ({ metadata, selector: spec.selector })),
        ...of('Service').map(({ metadata, spec }) => ({ metadata, selector: { matchLabels: spec.selector } })),
        ...of('Deployment').flatMap(({ metadata, spec }) =>
          (spec.template.spec.topologySpreadConstraints ?? []).map(({ labelSelector }) => ({
            metadata,
            selector: labelSelector,
          })),
        ),
      ];
      for (const { metadata, selector } of selectors) {
        const chosen = pods.filter(({ labels }) => selects(selector, labels)).map(({ component }) => component);
        assert.deepEqual(chosen, [metadata.labels?.['app.kubernetes.io/component']], metadata.name);
      }
    });
  }

  it('callers see every pod of a service, because its Service has no address of its own', async () => {
    const { one, of } = await render();
    for (const service of SERVICES) {
      const { clusterIP, ports } = one('Service', service).spec;
      assert.equal(clusterIP, 'None');
      assert.deepEqual(
        ports.map(({ port, targetPort }) => `${port} ${targetPort}`),
        ['9090 grpc', '9464 operations'],
      );
    }
    const published = of('Service').filter(({ spec }) => spec.clusterIP !== 'None');
    assert.deepEqual(
      published.map(({ metadata, spec }) => [
        metadata.name,
        ...spec.ports.map(({ port, targetPort }) => `${port} ${targetPort}`),
      ]),
      [
        ['pfq-gateway-public', '80 http'],
        ['pfq-hosted-page-public', '80 http'],
      ],
    );
  });

  for (const shape of EVERY_SHAPE) {
    it(`${shape}: a Service leads to ports that its pods have`, async () => {
      const { of, pods } = await render({ shape });
      for (const { metadata, spec } of of('Service')) {
        const pod = pods.find(({ labels }) => selects({ matchLabels: spec.selector }, labels));
        const named = new Set(pod?.container.ports?.map(({ name }) => name));
        for (const { targetPort } of spec.ports) assert.ok(named.has(targetPort), `${metadata.name}: ${targetPort}`);
      }
    });
  }

  it('every port says that it is TCP', async () => {
    for (const { spec } of (await render({ shape: 'production' })).of('Service'))
      assert.ok(spec.ports.every(({ protocol }) => protocol === 'TCP'));
  });

  it('pods are spread over zones and nodes, or as values say', async () => {
    const keysOf = ({ pods }: Rendered) =>
      pods
        .filter(({ component }) => SERVICES.includes(component))
        .map(({ spec }) => spec.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey).join());
    const own = { maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} };
    const [usual, chosen] = await Promise.all([
      render(),
      render({ values: { defaults: { topologySpreadConstraints: [own] } } }),
    ]);
    assert.deepEqual(new Set(keysOf(usual)), new Set(['topology.kubernetes.io/zone,kubernetes.io/hostname']));
    assert.deepEqual(new Set(keysOf(chosen)), new Set(['rack']));
  });

  it('a rollout takes no pod away before another is ready, and at most one is away at a time otherwise', async () => {
    const { one } = await render();
    for (const service of SERVICES) {
      assert.equal(one('Deployment', service).spec.strategy.rollingUpdate.maxUnavailable, 0);
      assert.equal(one('PodDisruptionBudget', service).spec.maxUnavailable, 1);
    }
  });

  for (const shape of PROFILES) {
    it(`${shape}: a Deployment says how many pods it has, unless another does`, async () => {
      const { of } = await render({ shape });
      const scaled = [...of('HorizontalPodAutoscaler'), ...of('ScaledObject')].map(
        ({ spec }) => spec.scaleTargetRef.name,
      );
      assert.equal(new Set(scaled).size, scaled.length);
      for (const { metadata, spec } of of('Deployment')) {
        assert.equal(spec.replicas === undefined, scaled.includes(metadata.name), metadata.name);
      }
    });
  }

  it('production scales services on CPU, and notification on what waits for it in Kafka', async () => {
    const { of, one } = await render({ shape: 'production' });
    assert.deepEqual(
      of('HorizontalPodAutoscaler').map(({ metadata }) => metadata.name),
      BY_CPU.map((service) => `pfq-${service}`),
    );
    const [trigger] = one('ScaledObject', 'notification').spec.triggers;
    assert.equal(trigger?.type, 'kafka');
    assert.partialDeepStrictEqual(trigger.metadata, { topic: INTEREST_EXPRESSED.name, consumerGroup: 'notification' });
  });

  it('Kafka is asked over TLS by a host that is found from the namespace of KEDA too', async () => {
    const files = globSync('{profiles,examples}/*.yaml', { cwd: CHART });
    const told = files.flatMap((file) => {
      const [document] = parseAllDocuments(readFileSync(path.join(CHART, file), 'utf8')).map((one) => one.toJS());
      return document?.keda?.enabled ? [{ file, ...document.keda }] : [];
    });
    assert.ok(told.length >= 2);
    for (const { file, bootstrapServers, authenticationRef } of told) {
      for (const server of bootstrapServers.split(',')) assert.match(server, /^[a-z-]+\.[a-z-]+\.svc:\d+$/, file);
      assert.ok(authenticationRef, `${file}: without it KEDA speaks no TLS`);
    }
    const { one } = await render({ shape: 'production' });
    assert.deepEqual(one('ScaledObject', 'notification').spec.triggers[0]?.authenticationRef, { name: 'kafka' });
  });

  it("a service's own values win over those for all, one by one", async () => {
    const values = {
      defaults: { replicas: 4, resources: { requests: { cpu: '300m' } }, podLabels: { team: 'quotes' } },
      pricing: { replicas: 7, resources: { requests: { cpu: '900m' } } },
    };
    const { one } = await render({ values });
    assert.equal(one('Deployment', 'pricing').spec.replicas, 7);
    assert.equal(one('Deployment', 'gateway').spec.replicas, 4);
    const { metadata, spec } = one('Deployment', 'pricing').spec.template;
    assert.equal(metadata.labels?.['team'], 'quotes');
    assert.partialDeepStrictEqual(spec.containers[0]?.resources, {
      requests: { cpu: '900m' },
      limits: { memory: '384Mi' },
    });
  });

  it('a service may have nothing of what all others have: an empty map or list, null for one of them or for all', async () => {
    const defaults = {
      nodeSelector: { pool: 'quotes', disk: 'fast' },
      tolerations: [{ key: 'quotes', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      priorityClassName: 'high',
      podLabels: { team: 'quotes' },
      environment: { LOG_FORMAT: 'pretty' },
      replicas: 3,
      minReadySeconds: 30,
      disruptionBudget: { enabled: true },
    };
    const nothing = { nodeSelector: {}, tolerations: [], affinity: {}, podLabels: {}, environment: {} };
    const nulls = { nodeSelector: null, tolerations: null, affinity: null, podLabels: null, environment: null };
    const values = {
      defaults,
      pricing: {
        ...nothing,
        priorityClassName: '',
        replicas: 0,
        minReadySeconds: 0,
        disruptionBudget: { enabled: false },
      },
      application: { ...nulls, priorityClassName: null, resources: { limits: { memory: null } } },
      gateway: { nodeSelector: { disk: null, zone: 'a' } },
    };
    const { one, of } = await render({ values });
    for (const service of ['pricing', 'application']) {
      const { metadata, spec } = one('Deployment', service).spec.template;
      const { nodeSelector, tolerations, affinity, priorityClassName } = spec;
      assert.deepEqual({ nodeSelector, tolerations, affinity, priorityClassName }, NOWHERE);
      assert.equal(metadata.labels?.['team'], undefined);
      assert.equal(one('ConfigMap', service).data['LOG_FORMAT'], undefined);
    }
    assert.deepEqual(one('Deployment', 'gateway').spec.template.spec.nodeSelector, { pool: 'quotes', zone: 'a' });
    assert.deepEqual(one('Deployment', 'notification').spec.template.spec.nodeSelector, defaults.nodeSelector);
    const [container] = one('Deployment', 'application').spec.template.spec.containers;
    assert.deepEqual(container?.resources.limits, { 'ephemeral-storage': '64Mi' });
    assert.partialDeepStrictEqual(one('Deployment', 'pricing').spec, { replicas: 0, minReadySeconds: 0 });
    assert.ok(of('PodDisruptionBudget').every(({ metadata }) => metadata.name !== 'pfq-pricing'));
  });
}
