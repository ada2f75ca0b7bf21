import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { CHART, refusalOf, render } from './render.ts';

type Tree = { readonly [name: string]: unknown };

/** Values that hold whatever a platform wants to pass on. */
const FREE =
  /(labels|annotations|Annotations|Labels|nodeSelector|affinity|environment|resourceAttributes|requests|limits)$/;

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
];

const IMPOSSIBLE: readonly {
  readonly values: object;
  readonly said: readonly string[];
  readonly kubernetes?: string;
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
];

/** Values that are wrong are told by their name, before anything is changed, and all at once. */
export function refusals(): void {
  for (const { values, said } of TYPOS) {
    it(`a value that does not exist or is none is told by its name: ${JSON.stringify(values)}`, async () => {
      await assertSaid({ values }, said);
    });
  }
  for (const { values, kubernetes = '1.34.0', said } of IMPOSSIBLE) {
    it(`values that do not go together are told by their names: ${said.join('; ')}`, async () => {
      await assertSaid({ values, kubernetes }, said);
    });
  }

  it('an older Kubernetes than the chart is for is refused', async () => {
    await assertSaid({ kubernetes: '1.19.0' }, ['incompatible with Kubernetes v1.19.0']);
  });

  const { isValid, problemsOf } = schema();

  it('every value of the chart is one that the schema knows', () => {
    assert.ok(isValid(defaults()), problemsOf());
  });

  it('beside every value there is none that it could be misspelt as, but where a platform passes on its own', () => {
    const places = placesOf(defaults()).filter((place) => !FREE.test(place.join('.')));
    assert.ok(places.length > 30);
    const accepted = places.filter((place) => isValid(withMember(defaults(), [...place, 'misspelt'])));
    assert.deepEqual(
      accepted.map((place) => place.join('.')),
      [],
    );
  });

  it('a service takes every value that all services have', async () => {
    const shared: Tree = parse(JSON.stringify(defaults()['defaults']));
    for (const service of ['gateway', 'pricing', 'quoteStore', 'application', 'notification', 'hostedPage']) {
      const own = { [service]: { ...(defaults()[service] as Tree), ...shared } };
      assert.ok(isValid({ ...defaults(), ...own }), `${service}: ${problemsOf()}`);
    }
    await render({ values: { hostedPage: shared } });
  });
}

async function assertSaid(choices: { values?: object; kubernetes?: string }, said: readonly string[]): Promise<void> {
  const refusal = await refusalOf(choices);
  for (const line of said) assert.ok(refusal.includes(line), refusal);
}

function schema() {
  const validate = new Ajv({ allErrors: true, strict: false }).compile(
    JSON.parse(readFileSync(path.join(CHART, 'values.schema.json'), 'utf8')),
  );
  return {
    isValid: (values: object) => validate(values),
    problemsOf: () => JSON.stringify(validate.errors),
  };
}

function defaults(): Tree {
  return parse(readFileSync(path.join(CHART, 'values.yaml'), 'utf8'));
}

/** The path of every map in a tree, its own included. */
function placesOf(tree: Tree, place: readonly string[] = []): readonly (readonly string[])[] {
  const below = Object.entries(tree).flatMap(([name, member]) =>
    isTree(member) ? placesOf(member, [...place, name]) : [],
  );
  return [place, ...below];
}

function withMember(tree: Tree, [name = '', ...others]: readonly string[]): Tree {
  const member = tree[name];
  return { ...tree, [name]: others.length === 0 ? 'x' : withMember(isTree(member) ? member : {}, others) };
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
