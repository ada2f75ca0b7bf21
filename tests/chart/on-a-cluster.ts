import assert from 'node:assert/strict';
import { it } from 'node:test';
import { OF_1_20, OF_TODAY, tryOn, type Cluster } from './pretended-cluster.ts';
import { WITH_A_DATABASE } from './services.ts';

const LONG = 'x'.repeat(32);
const DATABASES = WITH_A_DATABASE.flatMap((service) => [
  [`${service}-database-url`, 'postgres://role@database.example/name'],
  [`${service}-migration-url`, 'postgres://owner@database.example/name'],
]);
const SECRET: Readonly<Record<string, string>> = {
  'operator-token': LONG,
  'key-pepper': LONG,
  'answer-secrets': `${LONG},${LONG}`,
  'review-secrets': LONG,
  'smtp-url': 'smtp://user:password@mail.example:587',
  ...Object.fromEntries(DATABASES),
};
const TODAY: Cluster = { version: '1.34.0', kinds: OF_TODAY, secrets: { pfq: SECRET } };
const OLD: Cluster = { ...TODAY, version: '1.20.2', kinds: OF_1_20 };
const SCALED = { values: { defaults: { autoscaling: { enabled: true } } } };

/** What the chart makes of the cluster that it is installed on. */
export function onACluster(): void {
  for (const cluster of [OLD, TODAY]) {
    it(`on Kubernetes ${cluster.version} it asks for what is there, and no other version of it`, async () => {
      const told = await tryOn(cluster, SCALED);
      const served = new Set(cluster.kinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
      const asked = [...told.matchAll(/^apiVersion: (\S+)\nkind: (\S+)/gm)].map(
        ([, apiVersion, kind]) => `${apiVersion} ${kind}`,
      );
      assert.ok(asked.length > 30, told);
      assert.deepEqual(
        asked.filter((one) => !served.has(one)),
        [],
      );
      const newest = cluster === OLD ? 'autoscaling/v1' : 'autoscaling/v2';
      assert.ok(asked.includes(`${newest} HorizontalPodAutoscaler`));
    });
  }

  it('the notes lead on: wait, load rates, make an agency, test; and warn of what is not safe yet', async () => {
    const told = await tryOn(TODAY, {});
    const [, notes = ''] = told.split('\nNOTES:\n');
    const steps = [
      'kubectl -n quotes rollout status deployment -l app.kubernetes.io/instance=pfq',
      'pfq rates load',
      'pfq agency create',
      'pfq key create',
      'helm -n quotes test pfq',
    ];
    for (const step of steps) assert.ok(notes.includes(step), `${step}\n${notes}`);
    assert.match(notes, /Nothing leads here from outside/);
    assert.match(notes, /Calls between services are not encrypted/);
    assert.doesNotMatch(notes, /%!|<no value>|<nil>/);
  });

  it('notes of the smallest release say that one pod is few', async () => {
    assert.match(await tryOn(TODAY, { shape: 'minimal' }), /One pod is too few of application, gateway/);
  });

  it('a Secret that is not there is told by its name, with the keys that it must have', async () => {
    const told = await tryOn({ ...TODAY, secrets: {} }, {});
    assert.match(told, /there is no Secret pfq in namespace quotes/);
    for (const key of Object.keys(SECRET)) assert.ok(told.includes(key), told);
  });

  it('a key that a Secret lacks is told by its name', async () => {
    const { 'key-pepper': _, 'quote-store-migration-url': __, ...others } = SECRET;
    const told = await tryOn({ ...TODAY, secrets: { pfq: others } }, {});
    assert.match(told, /Secret pfq in namespace quotes has no key key-pepper, which holds KEY_PEPPER/);
    assert.match(told, /has no key quote-store-migration-url, which holds DATABASE_URL/);
  });

  it('a text that cannot be what it is for is told by its key, and never shown', async () => {
    const wrong = {
      'operator-token': 'too-short-a-token',
      'pricing-database-url': 'mysql://hidden-host/db',
      'smtp-url': 'hidden-mail:25',
    };
    const told = await tryOn({ ...TODAY, secrets: { pfq: { ...SECRET, ...wrong } } }, {});
    for (const key of Object.keys(wrong))
      assert.match(told, new RegExp(`key ${key} of Secret pfq in namespace quotes is not what`));
    assert.doesNotMatch(told, /too-short-a-token|hidden/);
  });

  it('an operator that values rely on and that the cluster lacks is told by its name', async () => {
    const told = await tryOn(TODAY, { shape: 'production' });
    for (const who of ['the Gateway API', 'cert-manager', 'the Prometheus Operator', 'KEDA', 'Strimzi'])
      assert.ok(told.includes(`needs ${who}, and this cluster has no`), told);
  });

  it('whatever else holds certificates or a password of the registry is told by its name, where it is missing', async () => {
    const values = {
      imagePullSecrets: [{ name: 'registry' }],
      trustedAuthorities: { configMap: 'company' },
      mutualTls: { enabled: true, authorities: { configMap: 'both' } },
    };
    const certManagers = ['Certificate', 'Issuer'].map((kind) => ({ apiVersion: 'cert-manager.io/v1', kind }));
    const cluster = { ...TODAY, kinds: [...OF_TODAY, ...certManagers] };
    const without = await tryOn(cluster, { values });
    assert.match(without, /there is no Secret registry in namespace quotes, which imagePullSecrets names/);
    assert.match(without, /there is no ConfigMap company in namespace quotes: make it, with ca\.crt/);
    assert.match(without, /there is no ConfigMap both in namespace quotes: make it, with ca\.crt/);
    const secrets = { ...TODAY.secrets, registry: { '.dockerconfigjson': '{}' } };
    const certificates = { 'ca.crt': '-----BEGIN CERTIFICATE-----' };
    const wrong = { company: { 'ca.pem': certificates['ca.crt'] }, both: { 'ca.crt': 'none' } };
    const told = await tryOn({ ...cluster, secrets, configMaps: wrong }, { values });
    assert.match(told, /ConfigMap company in namespace quotes has no key ca\.crt, which holds certificates/);
    assert.match(told, /key ca\.crt of ConfigMap both in namespace quotes is not what certificates must be/);
    const right = { company: certificates, both: certificates };
    assert.match(await tryOn({ ...cluster, secrets, configMaps: right }, { values }), /NOTES:/);
  });

  it('with checks: false nothing is looked up, so that whoever may not can install', async () => {
    const closed = { ...TODAY, isOpen: false };
    assert.match(await tryOn(closed, {}), /forbidden/i);
    assert.match(await tryOn(closed, { values: { checks: false } }), /NOTES:/);
  });
}
