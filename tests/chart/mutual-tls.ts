import assert from 'node:assert/strict';
import { it } from 'node:test';
import { render } from './render.ts';
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

  it('without it there is no certificate, and nobody looks for one', async () => {
    const { text, of } = await render();
    assert.deepEqual(of('Certificate'), []);
    assert.doesNotMatch(text, /TLS_DIR|cert-manager|pfq\/tls/);
  });
}
