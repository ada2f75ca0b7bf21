import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Kinds } from './kinds.ts';
import { render } from './render.ts';
import { WITH_A_DATABASE } from './services.ts';
import { variablesOf } from './told.ts';

const HOOK = 'helm.sh/hook';
const WEIGHT = 'helm.sh/hook-weight';
/** Of values.yaml. */
const LIMITS = { backoffLimit: 5, activeDeadlineSeconds: 240, ttlSecondsAfterFinished: 86_400 };

/** Schemas come before services, in whatever way a platform wants it. */
export function migrations(): void {
  it('as a hook they are over before anything else is changed, and need nothing that is not there by then', async () => {
    const { all, of, one } = await render({ shape: 'everything' });
    for (const service of WITH_A_DATABASE) {
      const { metadata, spec } = one('Job', `migrate-${service}`);
      assert.equal(metadata.annotations?.[HOOK], 'pre-install,pre-upgrade,pre-rollback');
      const pod = spec.template.spec;
      const needed = [
        `ServiceAccount ${pod.serviceAccountName}`,
        `NetworkPolicy ${metadata.name}`,
        ...pod.volumes.flatMap(({ projected }) =>
          (projected?.sources ?? []).map(({ secret }) => `ExternalSecret ${secret?.name}`),
        ),
      ];
      for (const name of needed) {
        const object = all.find((one_) => `${one_.kind} ${one_.metadata.name}` === name);
        assert.ok(Number(object?.metadata.annotations?.[WEIGHT]) < Number(metadata.annotations[WEIGHT]), name);
      }
      assert.deepEqual(pod.containers[0]?.envFrom ?? [], []);
    }
    assert.equal(of('Job').length, WITH_A_DATABASE.length);
  });

  it('as Jobs beside the rest they are no hooks, and another Job for whatever is different', async () => {
    const jobsOf = async (values: object) =>
      (await render({ values: { migrations: { mode: 'job' }, ...values } })).of('Job');
    const namesOf = (jobs: readonly Kinds['Job'][]) => jobs.map(({ metadata }) => metadata.name);
    const [usual, same, other] = await Promise.all([
      jobsOf({}),
      jobsOf({ gateway: { replicas: 5 } }),
      jobsOf({ image: { tag: '0.2.0' } }),
    ]);
    assert.ok(usual.every(({ metadata }) => metadata.annotations?.[HOOK] === undefined));
    assert.deepEqual(namesOf(same), namesOf(usual));
    assert.deepEqual(
      namesOf(other).filter((name) => namesOf(usual).includes(name)),
      [],
    );
  });

  it('for Argo CD they are a part of the sync, a wave before the pods', async () => {
    const { of } = await render({ shape: 'argocd' });
    for (const { metadata } of of('Job')) {
      assert.partialDeepStrictEqual(metadata.annotations, {
        'argocd.argoproj.io/hook': 'Sync',
        'argocd.argoproj.io/sync-wave': '-1',
      });
      assert.equal(metadata.annotations?.[HOOK], undefined);
    }
  });

  it('where others run them there are none, nor anything for them', async () => {
    const { all } = await render({ values: { migrations: { mode: 'none' } } });
    assert.deepEqual(
      all.filter(({ metadata }) => metadata.name.includes('migrat')).map(({ metadata }) => metadata.name),
      [],
    );
  });

  for (const mode of ['hook', 'job']) {
    it(`as ${mode}s they end, and are cleared away some time after`, async () => {
      const jobs = (await render({ values: { migrations: { mode } } })).of('Job');
      assert.equal(jobs.length, WITH_A_DATABASE.length);
      for (const { spec } of jobs) {
        const { backoffLimit, activeDeadlineSeconds, ttlSecondsAfterFinished } = spec;
        assert.deepEqual({ backoffLimit, activeDeadlineSeconds, ttlSecondsAfterFinished }, LIMITS);
      }
    });
  }

  it('they are told of the role that a service has, where that is another than the owner', async () => {
    const rendered = await render({ values: { migrations: { serviceRoles: { quoteStore: 'quotes_rw' } } } });
    const told = rendered.pods.flatMap((pod) => {
      const { DATABASE_SERVICE_ROLE: role } = variablesOf(rendered, pod);
      return role === undefined ? [] : [`${pod.component} ${role}`];
    });
    assert.deepEqual(told, ['migrate-quote-store quotes_rw']);
  });

  it('no service changes a schema by itself', async () => {
    const rendered = await render();
    for (const pod of rendered.pods) assert.equal(variablesOf(rendered, pod)['MIGRATE_ON_START'], undefined);
  });
}
