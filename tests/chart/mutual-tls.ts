import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readText } from '../tidy/sources.ts';
import { operatorPodOf, render } from './render.ts';
import { SERVICES } from './services.ts';
import { variablesOf } from './told.ts';

const ON = { values: { mutualTls: { enabled: true } } };
const FOLDER = '/etc/pfq/tls';

/** Calls between services under certificates, or not at all. */
export function mutualTls(): void {
  it('each service has a certificate for the names by which it is called, and uses it', async () => {
    const rendered = await render(ON);
    for (const service of SERVICES) {
      const { spec } = rendered.one('Certificate', service);
      assert.deepEqual(spec.dnsNames, [
        `pfq-${service}`,
        `pfq-${service}.quotes`,
        `pfq-${service}.quotes.svc`,
        `pfq-${service}.quotes.svc.cluster.local`,
      ]);
      assert.ok(['server auth', 'client auth'].every((usage) => spec.usages.includes(usage)));
      const pod = rendered.pods.find(({ component }) => component === service);
      assert.ok(pod);
      assert.equal(variablesOf(rendered, pod)['RPC_TLS_DIR'], FOLDER);
      const mount = pod.container.volumeMounts.find(({ mountPath }) => mountPath === FOLDER);
      const volume = pod.spec.volumes.find(({ name }) => name === mount?.name);
      assert.equal(volume?.secret?.secretName, spec.secretName);
    }
  });

  it('pfq has one too', async () => {
    const rendered = await render(ON);
    const smoke = rendered.pods.find(({ component }) => component === 'smoke');
    assert.ok(smoke);
    assert.equal(variablesOf(rendered, smoke)['PFQ_OPERATOR_TLS_DIR'], FOLDER);
    const secrets = smoke.spec.volumes.map(({ secret }) => secret?.secretName);
    assert.ok(secrets.includes(rendered.one('Certificate', 'operator').spec.secretName));
  });

  it('whoever asks whether a service is ready needs no certificate for it', async () => {
    const { pods } = await render(ON);
    for (const { component, container } of pods.filter((pod) => SERVICES.includes(pod.component)))
      assert.deepEqual(container.readinessProbe?.httpGet, { path: '/readyz', port: 'operations' }, component);
  });

  it('the authority is made where values name none, and theirs is used where they do', async () => {
    const issuerRef = { name: 'company', kind: 'ClusterIssuer', group: 'cert-manager.io' };
    const [own, given] = await Promise.all([
      render(ON),
      render({ values: { mutualTls: { enabled: true, issuerRef } } }),
    ]);
    assert.equal(own.one('Certificate', 'authority').spec.isCA, true);
    for (const service of SERVICES) {
      assert.equal(own.one('Certificate', service).spec.issuerRef.name, 'pfq-authority');
      assert.deepEqual(given.one('Certificate', service).spec.issuerRef, issuerRef);
    }
    assert.ok(given.of('Certificate').every(({ spec }) => !spec.isCA));
  });

  for (const kind of ['configMap', 'secret'] as const) {
    it(`a bundle of authorities takes the place of ca.crt for everybody, beside a certificate of their own: ${kind}`, async () => {
      const authorities = { [kind]: 'both', key: 'bundle.pem' };
      const rendered = await render({ values: { mutualTls: { enabled: true, authorities } } });
      const podsWithCertificate = rendered.pods.filter(({ component }) => !component.startsWith('migrate-'));
      const specs = podsWithCertificate.map(({ component, spec, container }) => ({
        component: component === 'smoke' ? 'operator' : component,
        volumes: spec.volumes,
        mounts: container.volumeMounts,
      }));
      const { spec: operator } = operatorPodOf(rendered);
      const mounts = operator.containers[0]?.volumeMounts ?? [];
      for (const pod of [...specs, { component: 'operator', volumes: operator.volumes, mounts }]) {
        const mount = pod.mounts.find(({ mountPath }) => mountPath === FOLDER);
        const volume = pod.volumes.find(({ name }) => name === mount?.name);
        const { secretName } = rendered.one('Certificate', pod.component).spec;
        const own = ['tls.crt', 'tls.key'].map((key) => ({ key, path: key }));
        assert.deepEqual(volume?.projected?.sources, [
          { secret: { name: secretName, items: own } },
          { [kind]: { name: 'both', items: [{ key: 'bundle.pem', path: 'ca.crt' }] } },
        ]);
      }
      assert.equal(specs.length, SERVICES.length + 1);
    });
  }

  it('the guide replaces an authority by values that the chart has, and no certificate is left out', async () => {
    const guide = readText('docs/guide/rotate.md');
    const [, chapter = ''] = guide.split('## Certificates between services');
    const given = [...chapter.matchAll(/--set ((?:\w+\.)+\w+=[\w-]+(?:,(?:\w+\.)+\w+=[\w-]+)*)/g)];
    const settings = new Map(given.flatMap(([, pairs = '']) => pairs.split(',').map(toPair)));
    assert.deepEqual(
      [...settings.keys()].sort(),
      ['authorities.configMap', 'issuerRef.kind', 'issuerRef.name'].map((name) => `mutualTls.${name}`),
    );
    const of = (name: string) => settings.get(`mutualTls.${name}`);
    const issuerRef = { name: of('issuerRef.name'), kind: of('issuerRef.kind') };
    const authorities = { configMap: of('authorities.configMap') };
    const rendered = await render({ values: { mutualTls: { enabled: true, issuerRef, authorities } } });
    const secrets = rendered.of('Certificate').map(({ spec }) => spec.secretName);
    const [, looked = ''] = /for name in (.+); do/.exec(chapter) ?? [];
    assert.deepEqual(
      looked
        .split(' ')
        .map((name) => `pfq-${name}-tls`)
        .sort(),
      secrets.sort(),
    );
  });

  it('without it there is no certificate, and nobody looks for one', async () => {
    const { text, of } = await render();
    assert.deepEqual(of('Certificate'), []);
    assert.doesNotMatch(text, /TLS_DIR|cert-manager|pfq\/tls/);
  });
}

function toPair(text: string): readonly [string, string] {
  const [name = '', value = ''] = text.split('=');
  return [name, value];
}
