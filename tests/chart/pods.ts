import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EVERY_SHAPE, render, type Pod } from './render.ts';
import { PUBLIC, SERVICES, WITH_A_DATABASE } from './services.ts';

const MIGRATIONS = WITH_A_DATABASE.map((service) => `migrate-${service}`);

/** The rules of the Pod Security Standard "restricted", each as Kubernetes words its refusal; true where a pod keeps it. */
export const RESTRICTED: Readonly<Record<string, (pod: Pod) => boolean>> = {
  'host namespaces': ({ spec }) => !spec.hostNetwork && !spec.hostPID && !spec.hostIPC,
  privileged: ({ container }) => container.securityContext?.privileged !== true,
  'capabilities beyond the baseline': ({ container }) =>
    (container.securityContext?.capabilities?.add ?? []).length === 0,
  'hostPath volumes, and other restricted volume types': ({ spec }) =>
    spec.volumes.every(
      (volume) => 'emptyDir' in volume || 'secret' in volume || 'projected' in volume || 'configMap' in volume,
    ),
  'host ports': ({ container }) => (container.ports ?? []).every(({ hostPort = 0 }) => hostPort === 0),
  'AppArmor profile': ({ annotations, spec, container }) =>
    !JSON.stringify({ annotations, spec: spec.securityContext, own: container.securityContext }).includes('pparmor'),
  'SELinux options': ({ spec, container }) =>
    spec.securityContext?.seLinuxOptions === undefined && container.securityContext?.seLinuxOptions === undefined,
  '/proc mount type': ({ container }) => (container.securityContext?.procMount ?? 'Default') === 'Default',
  seccompProfile: ({ spec }) => spec.securityContext?.seccompProfile?.type === 'RuntimeDefault',
  sysctls: ({ spec }) => (spec.securityContext?.sysctls ?? []).length === 0,
  'allowPrivilegeEscalation != false': ({ container }) => container.securityContext?.allowPrivilegeEscalation === false,
  'runAsNonRoot != true': ({ spec }) => spec.securityContext?.runAsNonRoot === true,
  'runAsUser=0': ({ spec }) => spec.securityContext?.runAsUser === 65_532,
  'unrestricted capabilities': ({ container }) =>
    container.securityContext?.capabilities?.drop?.includes('ALL') === true,
  'init containers': ({ spec }) => (spec.initContainers ?? []).length === 0,
};

/** What else a pod must be, whatever it does. */
const HARDENED: Readonly<Record<string, (pod: Pod) => boolean>> = {
  'has no token of the cluster': ({ spec }) => spec.automountServiceAccountToken === false,
  'is told of no other Service': ({ spec }) => spec.enableServiceLinks === false,
  'cannot write to its root': ({ container }) => container.securityContext?.readOnlyRootFilesystem === true,
  'writes nowhere but to /tmp, which is small': ({ spec, container }) =>
    container.volumeMounts.every(({ name, mountPath, readOnly }) => {
      const limit = spec.volumes.find((volume) => volume.name === name)?.emptyDir?.sizeLimit;
      return limit === undefined ? readOnly === true : mountPath === '/tmp' && limit === '16Mi';
    }),
  'says what it needs, and how much memory it may have': ({ container: { resources } }) =>
    [resources.requests?.cpu, resources.requests?.memory, resources.limits?.memory].every(Boolean),
  'is never held back on CPU': ({ container }) => container.resources.limits?.cpu === undefined,
  'runs the image by its own entry point, without a shell': ({ container }) =>
    container.command === undefined && /^services\/[a-z-]+\/src\/(main|migrate)\.ts$/.test(container.args[0] ?? ''),
  'has the user, group and files of nobody else': ({ spec: { securityContext } }) =>
    securityContext?.runAsUser === 65_532 &&
    securityContext.runAsGroup === 65_532 &&
    securityContext.fsGroup === 65_532,
};

/** What every pod must be, looked at one by one. */
export function pods(): void {
  for (const shape of EVERY_SHAPE) {
    describe(shape, () => {
      it('there is a pod for each service, for each schema, and for the test', async () => {
        const made = (await render({ shape })).pods.map(({ component }) => component);
        assert.deepEqual(made.sort(), [...SERVICES, ...MIGRATIONS, 'smoke'].sort());
      });

      for (const [rule, isKept] of Object.entries(RESTRICTED)) {
        it(`PodSecurity restricted, ${rule}`, () => everyPod(shape, isKept));
      }
      for (const [promise, isKept] of Object.entries(HARDENED)) {
        it(`every pod ${promise}`, () => everyPod(shape, isKept));
      }

      it('each pod has a ServiceAccount of the release, without a token', async () => {
        const { pods: made, of } = await render({ shape });
        for (const { component, spec } of made) {
          const account = of('ServiceAccount').find(({ metadata }) => metadata.name === spec.serviceAccountName);
          assert.equal(account?.automountServiceAccountToken, false, component);
        }
      });
    });
  }

  it('each service is asked on its own ports whether it has started, lives and is ready', async () => {
    for (const { component, container } of await servicePods({})) {
      const isPublic = PUBLIC.includes(component);
      assert.deepEqual(
        container.ports?.map(({ name, containerPort }) => `${name} ${containerPort}`),
        [...(isPublic ? ['http 8080'] : []), 'grpc 9090', 'operations 9464'],
      );
      assert.deepEqual(container.startupProbe?.httpGet, { path: '/startupz', port: 'operations' });
      assert.deepEqual(container.livenessProbe?.httpGet, { path: '/livez', port: 'operations' });
      const ready = isPublic ? { httpGet: { path: '/readyz', port: 'operations' } } : { grpc: { port: 9090 } };
      assert.partialDeepStrictEqual(container.readinessProbe, ready, component);
    }
  });

  it('a service that starts has minutes before it is given up, and one that hangs is restarted within one', async () => {
    for (const { container } of await servicePods({})) {
      const { startupProbe, livenessProbe } = container;
      assert.ok(startupProbe && startupProbe.periodSeconds * startupProbe.failureThreshold >= 300);
      assert.ok(livenessProbe && livenessProbe.periodSeconds * livenessProbe.failureThreshold <= 60);
    }
  });

  for (const shutdown of [
    {},
    { delayMs: 0, timeoutMs: 18_000 },
    { delayMs: 40_000, timeoutMs: 58_500, preStopSeconds: 7 },
  ]) {
    it(`a pod has time for all of its stop, and ten seconds more: ${JSON.stringify(shutdown)}`, async () => {
      const { timeoutMs = 25_000, preStopSeconds = 0 } = shutdown;
      for (const { spec, container } of await servicePods({ shutdown })) {
        assert.equal(spec.terminationGracePeriodSeconds, preStopSeconds + Math.ceil(timeoutMs / 1000) + 10);
        assert.equal(container.lifecycle?.preStop.sleep.seconds ?? 0, preStopSeconds);
      }
    });
  }
}

async function everyPod(shape: string, isKept: (pod: Pod) => boolean): Promise<void> {
  const { pods: made } = await render({ shape });
  assert.deepEqual(
    made.filter((pod) => !isKept(pod)).map(({ component }) => component),
    [],
  );
}

async function servicePods(values: object): Promise<readonly Pod[]> {
  const { pods: made } = await render({ values });
  return made.filter(({ component }) => SERVICES.includes(component));
}
