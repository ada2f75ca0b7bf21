import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  CURRENT,
  EVERY_SHAPE,
  KUBERNETES,
  NAMESPACE,
  PROFILES,
  RELEASE,
  render,
  renderAnew,
  type Rendered,
} from './render.ts';

const LONG_RELEASE = 'premium-finance-quotes-of-a-very-large-agency-1';
const LONGEST_NAME = 63;
/** Their names, or those of their pods, are names of hosts or values of labels. */
const NAMES_OF_HOSTS = new Set(['Service', 'Deployment', 'Job', 'Pod']);

/** What is true of every object, whatever is chosen. */
export function renders(): void {
  for (const shape of PROFILES) {
    for (const kubernetes of KUBERNETES) {
      it(`the profile ${shape} on Kubernetes ${kubernetes} is the same each time`, async () => {
        const [once, again] = await Promise.all([render({ shape, kubernetes }), renderAnew({ shape, kubernetes })]);
        assert.equal(once.text, again.text);
        assert.equal(once.of('Deployment').length, 6);
      });
    }
  }

  for (const shape of EVERY_SHAPE) {
    it(`${shape}: every object has a name of its own, a namespace, and the labels by which it is found`, async () => {
      const { all } = await render({ shape });
      const names = all.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`);
      assert.deepEqual(new Set(names).size, names.length);
      for (const { kind, metadata } of all) {
        assert.ok(metadata.namespace === NAMESPACE || kind === 'KafkaTopic', `${kind} ${metadata.name}`);
        assert.partialDeepStrictEqual(metadata.labels, {
          'app.kubernetes.io/name': 'pfq',
          'app.kubernetes.io/instance': RELEASE,
          'app.kubernetes.io/version': '0.1.0',
          'app.kubernetes.io/managed-by': 'Helm',
          'app.kubernetes.io/part-of': 'pfq',
        });
      }
    });
  }

  it('names stay short enough however long the name of the release is', async () => {
    const { all, pods } = await render({ shape: 'production', release: LONG_RELEASE });
    const names = all.filter(({ kind }) => NAMES_OF_HOSTS.has(kind)).map(({ metadata }) => metadata.name);
    const labels = pods.flatMap((pod) => Object.values(pod.labels));
    assert.deepEqual(
      [...names, ...labels].filter((name) => name.length > LONGEST_NAME),
      [],
    );
  });

  it('two releases in one namespace share no object and select no pod of the other', async () => {
    const [one, other] = await Promise.all([render(), render({ release: 'second' })]);
    const namesOf = ({ all }: Rendered) => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    assert.deepEqual(
      namesOf(one).filter((name) => namesOf(other).includes(name)),
      [],
    );
    for (const { spec } of one.of('Service')) {
      assert.deepEqual(
        other.pods.filter(({ labels }) => Object.entries(spec.selector).every(([key, value]) => labels[key] === value)),
        [],
      );
    }
  });

  it('an API is asked for in the version that the named Kubernetes has, whatever Helm itself knows', async () => {
    const values = { defaults: { autoscaling: { enabled: true } } };
    const versionsOn = async (kubernetes: string) => {
      const { of } = await render({ kubernetes, values });
      const made = [...of('HorizontalPodAutoscaler'), ...of('PodDisruptionBudget')];
      return [...new Set(made.map(({ apiVersion }) => apiVersion))];
    };
    assert.deepEqual(await versionsOn('1.20.0'), ['autoscaling/v1', 'policy/v1beta1']);
    assert.deepEqual(await versionsOn('1.21.0'), ['autoscaling/v1', 'policy/v1']);
    assert.deepEqual(await versionsOn('1.23.0'), ['autoscaling/v2', 'policy/v1']);
  });

  it('what a newer Kubernetes has is used where it is there, and only there', async () => {
    const [newer, older] = await Promise.all([render({ kubernetes: CURRENT }), render({ kubernetes: '1.23.0' })]);
    const probeOf = ({ pods }: Rendered) =>
      pods.find(({ component }) => component === 'pricing')?.container.readinessProbe;
    assert.deepEqual(probeOf(newer)?.grpc, { port: 9090 });
    assert.deepEqual(probeOf(older)?.httpGet, { path: '/readyz', port: 'operations' });
    assert.match(newer.text, /unhealthyPodEvictionPolicy/);
    assert.doesNotMatch(older.text, /unhealthyPodEvictionPolicy|podFailurePolicy/);
  });
}
