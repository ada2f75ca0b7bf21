import assert from 'node:assert/strict';
import { it } from 'node:test';
import { refusalOf, render, type Choices } from './render.ts';

const TYPOS: readonly { readonly values: object; readonly said: readonly string[] }[] = [
  { values: { gatway: { replicas: 3 } }, said: ["additional properties 'gatway' not allowed"] },
  { values: { gateway: { replica: 3 } }, said: ["at '/gateway': additional properties 'replica' not allowed"] },
  {
    values: { secrets: { keys: { peper: 'x' } }, mail: { form: 'x' } },
    said: [
      "at '/secrets/keys': additional properties 'peper' not allowed",
      "at '/mail': additional properties 'form' not allowed",
    ],
  },
  { values: { defaults: { replicas: '2' } }, said: ["at '/defaults/replicas': got string, want integer"] },
  { values: { mail: { tls: 'sometimes' } }, said: ["at '/mail/tls': value must be one of 'required', 'never'"] },
  { values: { migrations: { mode: 'hok' } }, said: ["at '/migrations/mode': value must be one of"] },
  { values: { image: { digest: 'latest' } }, said: ["at '/image/digest'"] },
  { values: { public: { apiUrl: 'api.agency.example' } }, said: ["at '/public/apiUrl'"] },
  { values: { public: { apiUrl: 'https://api.agency.example:https' } }, said: ["at '/public/apiUrl'"] },
  { values: { fullnameOverride: '1abc' }, said: ["at '/fullnameOverride': '1abc' does not match"] },
  { values: { fullnameOverride: 'a.b' }, said: ["at '/fullnameOverride': 'a.b' does not match"] },
  { values: { nameOverride: 'a.b' }, said: ["at '/nameOverride': 'a.b' does not match"] },
  { values: { nameOverride: 'a'.repeat(64) }, said: ["at '/nameOverride': maxLength: got 64, want 63"] },
  {
    values: { defaults: { resources: { requests: { cpu: 'abc' } }, podLabels: { team: 'of quotes' } } },
    said: ["at '/defaults/resources/requests/cpu': 'abc' does not match", "at '/defaults/podLabels/team'"],
  },
  { values: { gateway: null }, said: ["at '': missing property 'gateway'"] },
  { values: { networkPolicy: { to: null } }, said: ["at '/networkPolicy': missing property 'to'"] },
  { values: { defaults: { autoscaling: null } }, said: ["at '/defaults': missing property 'autoscaling'"] },
  { values: { gateway: { autoscaling: {} } }, said: ["at '/gateway/autoscaling': minProperties: got 0, want 1"] },
  { values: { gateway: { replicas: null } }, said: ["at '/gateway/replicas': got null, want integer"] },
];

const ROUTED = { httpRoute: { enabled: true, parentRefs: [{ name: 'public' }] } };
const DIGEST = `sha256:${'a'.repeat(64)}`;

const IMPOSSIBLE: readonly {
  readonly values: object;
  readonly said: readonly string[];
  readonly kubernetes?: string;
  readonly release?: string;
}[] = [
  {
    values: {
      public: { apiUrl: '', hostedUrl: '', portalUrl: '' },
      mail: { from: '' },
      secrets: { existingSecret: '' },
    },
    said: [
      'public.apiUrl is not set',
      'public.hostedUrl is not set',
      'public.portalUrl is not set',
      'mail.from is not set',
      'secrets.existingSecret is not set',
    ],
  },
  {
    values: { secrets: { existingSecret: '', external: { enabled: true } } },
    said: ['secrets.external needs storeRef.name and remoteKey'],
  },
  {
    values: { keda: { enabled: true }, kafka: { topics: { create: true } } },
    said: ['keda.enabled needs kafka.enabled', 'kafka.topics.create needs kafka.enabled', 'needs kafka.topics.cluster'],
  },
  {
    values: { shutdown: { delayMs: 10_000 } },
    said: ['shutdown.timeoutMs must be at least 18000 more than shutdown.delayMs'],
  },
  {
    values: { shutdown: { preStopSeconds: 5 } },
    kubernetes: '1.29.0',
    said: ['shutdown.preStopSeconds needs Kubernetes 1.30'],
  },
  { values: { httpRoute: { enabled: true } }, said: ['httpRoute.enabled needs httpRoute.parentRefs'] },
  { values: { telemetry: { hasHeaders: true } }, said: ['telemetry.hasHeaders is for telemetry.endpoint'] },
  { values: { gateway: { serveDocs: false } }, said: ['public.docsUrl must be set where gateway.serveDocs is false'] },
  { values: { serviceMonitor: { enabled: true } }, said: ['networkPolicy.metricsFrom must say where Prometheus is'] },
  {
    values: { gateway: { environment: { RPC_PORT: '1', KEY_PEPPER: 'shown' } } },
    said: ['gateway.environment must not set RPC_PORT', 'gateway.environment must not set KEY_PEPPER'],
  },
  {
    values: { pricing: { autoscaling: { enabled: true, minReplicas: 20 } } },
    said: ['pricing.autoscaling.minReplicas is more than its maxReplicas'],
  },
  {
    values: { databases: { application: { engine: 'mongodb' } }, migrations: { serviceRoles: { application: 'app' } } },
    said: ['migrations.serviceRoles.application is for PostgreSQL'],
  },
  { values: {}, release: 'my.rel', said: ['names of Services cannot begin with "my.rel-pfq"', 'fullnameOverride'] },
  { values: {}, release: '1rel', said: ['names of Services cannot begin with "1rel-pfq"'] },
  { values: {}, release: 'pfq-migrate', said: ['migrations of a release pfq in this namespace'] },
  {
    values: { image: { tag: '1.2.3', digest: DIGEST } },
    said: ['image.tag is set beside image.digest', 'upgrade to the chart of the release', "image.digest to ''"],
  },
  {
    values: {
      defaults: {
        podLabels: { 'app.kubernetes.io/component': 'x', 'pod-template-hash': 'x' },
        podAnnotations: { 'checksum/variables': 'x' },
      },
      hostedPage: { podLabels: { 'app.kubernetes.io/instance': 'x' } },
      prometheusRule: { labels: { 'app.kubernetes.io/name': 'x' } },
    },
    said: [
      'defaults.podLabels must not set app.kubernetes.io/component',
      'defaults.podLabels must not set pod-template-hash',
      'defaults.podAnnotations must not set checksum/variables',
      'hostedPage.podLabels must not set app.kubernetes.io/instance',
      'prometheusRule.labels must not set app.kubernetes.io/name',
    ],
  },
  {
    values: { public: { portalUrl: 'https://user:pw@portal.example' }, telemetry: { endpoint: 'http://u@c:4318' } },
    said: [
      'public.portalUrl must hold neither user nor password',
      'telemetry.endpoint must hold neither user nor password',
    ],
  },
  {
    values: { ...ROUTED, public: { apiUrl: 'https://[::1]:80/', hostedUrl: 'https://192.0.2.7' } },
    said: [
      'public.apiUrl is at [::1], and httpRoute and ingress know names of DNS',
      'public.hostedUrl is at 192.0.2.7',
    ],
  },
  {
    values: { mutualTls: { issuerRef: { kind: 'ClusterIssuer' }, duration: '1h' } },
    said: ['mutualTls.issuerRef needs a name', 'mutualTls.renewBefore, 720h, must be less than mutualTls.duration, 1h'],
  },
  { values: { mutualTls: { renewBefore: '4m59s' } }, said: ['no mutualTls.renewBefore of less than 5m'] },
  {
    values: { mutualTls: { authorities: { configMap: 'a', secret: 'b' } } },
    said: [
      'mutualTls.authorities.secret and mutualTls.authorities.configMap are both set',
      'mutualTls.authorities is for mutualTls.enabled',
    ],
  },
  ...[
    ['https://otlp.vendor.example:443', 443],
    ['https://otlp.vendor.example/v1', 443],
    ['http://[2001:db8::1]', 80],
  ].map(([endpoint, port]) => ({
    values: { telemetry: { endpoint } },
    said: [`networkPolicy.ports.collector must hold ${port}, the port of telemetry.endpoint`, `: [${port}]`],
  })),
  {
    values: { kafka: { enabled: true }, keda: { enabled: true, bootstrapServers: 'kafka.pfq.svc:9093,kafka:9093' } },
    said: ['KEDA looks for "kafka:9093" from its own namespace'],
  },
  {
    values: {
      pricing: { resources: { requests: { memory: '1Gi' } } },
      migrations: { resources: { limits: { cpu: '49m' } } },
    },
    said: [
      'pricing.resources.requests.memory, 1Gi, is more than its limit, 384Mi',
      'migrations.resources.requests.cpu, 50m, is more than its limit, 49m',
    ],
  },
];

/** What looks like one of those, and is possible. */
const POSSIBLE: readonly object[] = [
  { keda: { bootstrapServers: 'kafka:9092' } },
  {
    kafka: { enabled: true },
    keda: { enabled: true, bootstrapServers: 'kafka.kafka.svc.cluster.local.:9093,[fd00::1]:9093' },
  },
  { telemetry: { endpoint: 'https://otlp.vendor.example' }, networkPolicy: { ports: { collector: [4318, 443] } } },
  { telemetry: { endpoint: 'https://otlp.vendor.example' }, networkPolicy: { enabled: false } },
  { public: { apiUrl: 'http://127.0.0.1:8080', hostedUrl: 'http://[::1]:8081' } },
  { mutualTls: { enabled: true, duration: '1h30m', renewBefore: '1h29m59s' } },
  { defaults: { resources: { requests: { cpu: 2, memory: '268435456' }, limits: { cpu: '2000m', memory: '256Mi' } } } },
  { image: { tag: '', digest: DIGEST } },
  { image: { tag: '1.2.3' } },
];

/** Values that are wrong are told by their name, before anything is changed, and all at once. */
export function refusals(): void {
  for (const { values, said } of TYPOS) {
    it(`a value that does not exist or is none is told by its name: ${JSON.stringify(values)}`, async () => {
      await assertSaid({ values }, said);
    });
  }
  for (const { said, ...choices } of IMPOSSIBLE) {
    it(`values that do not go together are told by their names: ${said.join('; ')}`, async () => {
      await assertSaid(choices, said);
    });
  }
  for (const values of POSSIBLE) {
    it(`values that go together are taken: ${JSON.stringify(values)}`, async () => {
      await render({ values });
    });
  }

  it('a host in capitals is known to the Gateway API in small letters, as it wants it', async () => {
    const { of } = await render({ values: { ...ROUTED, public: { apiUrl: 'https://API.Agency.example' } } });
    assert.ok(of('HTTPRoute').some(({ spec }) => spec.hostnames.includes('api.agency.example')));
    assert.ok(of('HTTPRoute').every(({ spec }) => spec.hostnames.every((host) => host === host.toLowerCase())));
  });

  it('an older Kubernetes than the chart is for is refused', async () => {
    await assertSaid({ kubernetes: '1.19.0' }, ['incompatible with Kubernetes v1.19.0']);
  });
}

async function assertSaid(choices: Choices, said: readonly string[]): Promise<void> {
  const refusal = await refusalOf(choices);
  for (const line of said) assert.ok(refusal.includes(line), refusal);
}
