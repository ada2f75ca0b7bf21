import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { tapEdges } from '../e2e/tap-trace.ts';
import { isAllowed, type Party } from './reach.ts';
import { render, type Choices, type Rendered } from './render.ts';
import { HTTP_PORT, OPERATED, OPERATIONS_PORT, PUBLIC, RPC_PORT, SERVICES } from './services.ts';

const END_TO_END = path.resolve(import.meta.dirname, '../e2e');
const EDGE = /\b([a-z]+(?:-[a-z]+)?) → ([a-z]+(?:-[a-z]+)?): \w+Service\//g;
const PLACES = { databases: 5432, mongodb: 27_017, kafka: 9093, mail: 587, collector: 4318, elsewhere: 443 };
const WITH_ALL = { shape: 'production' };
/** Without Kafka and MongoDB, and with a collector. */
const WITH_POSTGRESQL = { shape: 'postgresql-only', values: { telemetry: { endpoint: 'http://collector:4318' } } };

/** Who may speak to whom: what NetworkPolicies come to, tried for each pair. */
export function network(): void {
  it('services call each other as the traces show, and no other way', async () => {
    const traced = [...tracedEdges(), ...tapEdges('NotificationService/').map(withoutWork)];
    assert.deepEqual(await edges(WITH_POSTGRESQL, RPC_PORT), [...new Set(traced)].sort());
  });

  it('with Kafka the quote store does not call notification', async () => {
    const [with_, without] = await Promise.all([edges(WITH_ALL, RPC_PORT), edges(WITH_POSTGRESQL, RPC_PORT)]);
    assert.deepEqual(
      without.filter((edge) => !with_.includes(edge)),
      ['quote-store → notification'],
    );
    assert.deepEqual(
      with_.filter((edge) => !without.includes(edge)),
      [],
    );
  });

  it('services are told of those alone whom they may call', async () => {
    for (const choices of [WITH_ALL, WITH_POSTGRESQL]) {
      const rendered = await render(choices);
      const told = SERVICES.flatMap((service) => {
        const { data } = rendered.one('ConfigMap', service);
        const called = Object.values(data).flatMap((value) => /^grpc:\/\/pfq-([a-z-]+):9090$/.exec(value)?.[1] ?? []);
        return called.map((other) => `${service} → ${other}`);
      });
      assert.deepEqual(told.sort(), await edges(choices, RPC_PORT));
    }
  });

  it('nobody in the release calls the public or the operations port of another', async () => {
    for (const port of [HTTP_PORT, OPERATIONS_PORT]) {
      for (const choices of [{}, WITH_ALL]) assert.deepEqual(await edges(choices, port), []);
    }
  });

  it('pfq and the test reach the services that they ask, and the public ports that both try', async () => {
    const rendered = await render(WITH_ALL);
    for (const component of ['operator', 'smoke']) {
      const from = ownParty(rendered, component);
      const reached = SERVICES.filter((to) =>
        isAllowed(rendered, { from, to: ownParty(rendered, to), port: RPC_PORT }),
      );
      assert.deepEqual(reached, OPERATED, component);
      const shown = SERVICES.filter((to) => isAllowed(rendered, { from, to: ownParty(rendered, to), port: HTTP_PORT }));
      assert.deepEqual(shown, PUBLIC, component);
    }
  });

  it('each pod reaches those places outside the release that it works with', async () => {
    assert.deepEqual(await places(WITH_ALL), {
      application: ['mongodb', 'collector'],
      gateway: ['databases', 'collector'],
      'hosted-page': ['collector'],
      notification: ['databases', 'kafka', 'collector'],
      pricing: ['databases', 'collector'],
      'quote-store': ['databases', 'kafka', 'collector'],
      'migrate-application': ['mongodb'],
      'migrate-gateway': ['databases'],
      'migrate-notification': ['databases'],
      'migrate-pricing': ['databases'],
      'migrate-quote-store': ['databases'],
      smoke: [],
    });
  });

  it('the mail server is an address that notification alone may reach', async () => {
    const { of } = await render(WITH_ALL);
    const mailing = of('NetworkPolicy').filter(({ spec }) =>
      JSON.stringify(spec.egress ?? []).includes('192.0.2.0/24'),
    );
    assert.deepEqual(
      mailing.map(({ metadata }) => metadata.name),
      ['pfq-notification'],
    );
  });

  it('strangers in the cluster reach what values allow, and nothing else', async () => {
    const rendered = await render({
      ...WITH_ALL,
      values: { networkPolicy: { operatorFrom: [{ namespaceSelector: { matchLabels: nameOf('operators') } }] } },
    });
    const ports = (namespace: string, to: string) =>
      [HTTP_PORT, RPC_PORT, OPERATIONS_PORT].filter((port) =>
        isAllowed(rendered, { from: stranger(namespace), to: ownParty(rendered, to), port }),
      );
    for (const service of SERVICES) {
      assert.deepEqual(ports('default', service), []);
      assert.deepEqual(ports('monitoring', service), [OPERATIONS_PORT]);
      assert.deepEqual(ports('gateways', service), PUBLIC.includes(service) ? [HTTP_PORT] : []);
      assert.deepEqual(ports('operators', service), OPERATED.includes(service) ? [RPC_PORT] : []);
    }
    for (const { component } of rendered.pods) {
      const from = stranger('default');
      const entered = [HTTP_PORT, RPC_PORT, OPERATIONS_PORT].filter((port) =>
        isAllowed(rendered, { from, to: ownParty(rendered, component), port }),
      );
      assert.deepEqual(entered, [], component);
    }
  });

  it('every pod may ask for names', async () => {
    const rendered = await render(WITH_ALL);
    for (const { component } of rendered.pods) {
      const from = ownParty(rendered, component);
      for (const protocol of ['UDP', 'TCP'])
        assert.ok(isAllowed(rendered, { from, to: stranger('kube-system'), port: 53, protocol }), component);
    }
  });

  it('without networkPolicy.enabled there is none', async () => {
    const { of } = await render({ values: { networkPolicy: { enabled: false } } });
    assert.deepEqual(of('NetworkPolicy'), []);
  });
}

/** Which services may call which on a port: `gateway → pricing`, sorted. */
async function edges(choices: Choices, port: number): Promise<readonly string[]> {
  const rendered = await render(choices);
  const pairs = SERVICES.flatMap((from) => SERVICES.filter((to) => to !== from).map((to) => ({ from, to })));
  const allowed = pairs.filter(({ from, to }) =>
    isAllowed(rendered, { from: ownParty(rendered, from), to: ownParty(rendered, to), port }),
  );
  return allowed.map(({ from, to }) => `${from} → ${to}`).sort();
}

/** Which places outside the release each pod may reach. */
async function places(choices: Choices) {
  const namespaces = {
    databases: 'postgresql',
    mongodb: 'mongodb',
    kafka: 'kafka',
    mail: 'mail',
    collector: 'monitoring',
    elsewhere: 'default',
  };
  const rendered = await render(choices);
  const reached = rendered.pods.map(({ component }) => {
    const from = ownParty(rendered, component);
    const found = Object.entries(PLACES).filter(([place, port]) =>
      isAllowed(rendered, { from, to: stranger(namespaces[place as keyof typeof PLACES]), port }),
    );
    return [component, found.map(([place]) => place)];
  });
  return Object.fromEntries(reached);
}

/** What the end-to-end tests expect of traces: `gateway → pricing`. */
function tracedEdges(): readonly string[] {
  const texts = globSync('*.ts', { cwd: END_TO_END }).map((file) => readFileSync(path.join(END_TO_END, file), 'utf8'));
  return texts.flatMap((text) => [...text.matchAll(EDGE)].map(([, from, to]) => `${from} → ${to}`));
}

function withoutWork(edge: string): string {
  return edge.replace(/: .*/, '');
}

/** A pod of the release; that in which people run pfq is none of the chart's, and has the labels that it is told to have. */
function ownParty({ pods }: Rendered, component: string): Party {
  const labels = pods.find((pod) => pod.component === component)?.labels ?? {
    'app.kubernetes.io/name': 'pfq',
    'app.kubernetes.io/instance': 'pfq',
    'app.kubernetes.io/component': component,
  };
  return { labels, namespace: nameOf('quotes'), isOwn: true };
}

function stranger(namespace: string): Party {
  return { labels: {}, namespace: nameOf(namespace), isOwn: false };
}

function nameOf(namespace: string): Party['namespace'] {
  return { 'kubernetes.io/metadata.name': namespace };
}
