import assert from 'node:assert/strict';
import { it } from 'node:test';
import { operatorPodOf, render } from './render.ts';

const PLACED = {
  image: { pullPolicy: 'Always' },
  imagePullSecrets: [{ name: 'registry' }],
  defaults: {
    nodeSelector: { pool: 'quotes' },
    tolerations: [{ key: 'quotes', operator: 'Exists', effect: 'NoSchedule' }],
  },
};

/** The pod in which people run pfq: `kubectl run` makes it, changed by what the chart keeps for that. */
export function operatorsPod(): void {
  it('it runs where pods of the release may run, on an image that is fetched as theirs is', async () => {
    const rendered = await render({ values: PLACED });
    const { spec } = operatorPodOf(rendered);
    const smoke = rendered.pods.find(({ component }) => component === 'smoke');
    for (const one of [spec, smoke?.spec]) {
      assert.partialDeepStrictEqual(one, { ...PLACED.defaults, imagePullSecrets: PLACED.imagePullSecrets });
      assert.equal(one?.containers[0]?.imagePullPolicy, 'Always');
    }
  });

  it('it has a ServiceAccount of its own, and no token', async () => {
    const rendered = await render();
    const { spec } = operatorPodOf(rendered);
    assert.equal(spec.automountServiceAccountToken, false);
    assert.equal(spec.serviceAccountName, 'pfq-operator');
    assert.equal(rendered.one('ServiceAccount', 'operator').automountServiceAccountToken, false);
  });

  it('the cluster gives it a name, so that two people at once have two pods', async () => {
    const { metadata, spec } = operatorPodOf(await render());
    assert.deepEqual([metadata.name, metadata.generateName], [null, 'pfq-operator-']);
    assert.deepEqual(
      spec.containers.map(({ name }) => name),
      ['pfq'],
      'by this name kubectl calls its container',
    );
  });
}
