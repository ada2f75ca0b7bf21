import { setTimeout as wait } from 'node:timers/promises';
import { order } from '../inside-pod.ts';
import { podsOf, RELEASE } from '../release.ts';
import type { Pod, ServiceName } from '../release.ts';
import type { Finding, Scene } from '../scene.ts';

/** As in values.yaml, and what the services add to it at random. */
const CONNECTION_AGE_MS = 10_000;
const JITTER = 1.1;
const OLDEST_MS = CONNECTION_AGE_MS * JITTER;
/** Long enough that chance alone leaves every pod of four within a fifth of the mean, connections being given at random. */
const WINDOW_MS = 120_000;
const LOOK_EVERY_MS = 5_000;
const PODS = 4;
const MOST_OFF = 0.2;

/** What counts the calls of a service: the requests that it answered, or of other services the calls. */
const COUNTERS = {
  gateway: /^http_server_request_duration_seconds_count\{.*\} (\d+)/,
  pricing: /^rpc_server_call_duration_seconds_count\{.*pfq\.pricing\..*\} (\d+)/,
} as const satisfies Partial<Record<ServiceName, RegExp>>;
type Counted = keyof typeof COUNTERS;
const COUNTED = ['gateway', 'pricing'] as const;

/** Calls of each pod since it was started, by the name of the pod. */
type Counts = ReadonlyMap<string, number>;

/** Doubles gateway and pricing under load, and counts what each of their pods has to do. */
export async function trySpread(scene: Scene): Promise<readonly Finding[]> {
  const { commands, say } = scene;
  await order(commands, 'report', null);
  const old = new Map(
    await Promise.all(COUNTED.map(async (service) => [service, await podsOf(commands, service)] as const)),
  );
  const deployments = COUNTED.map((service) => `deployment/${RELEASE}-${service}`);
  await commands.kubectl(['scale', ...deployments, `--replicas=${PODS}`]);
  for (const deployment of deployments) await commands.kubectl(['rollout', 'status', deployment, '--timeout=180s']);
  const readyMs = performance.now();
  say(`${PODS} pods of each are ready: waiting for connections of before to come to their end`);

  const shares = new Map(COUNTED.map((service) => [service, null as number | null]));
  let last = await countAll(scene);
  while (performance.now() - readyMs < OLDEST_MS) {
    await wait(LOOK_EVERY_MS);
    const next = await countAll(scene);
    for (const service of COUNTED) {
      const share = shareOfNew(grown(last, next, service), old.get(service) ?? []);
      if (share >= 0.5 * (1 - MOST_OFF))
        shares.set(service, shares.get(service) ?? (performance.now() - readyMs) / 1_000);
    }
    last = next;
  }
  const first = await countAll(scene);
  say(`counting for ${WINDOW_MS / 1_000} s`);
  await wait(WINDOW_MS);
  const second = await countAll(scene);
  const { requests, failures } = await order(commands, 'report', null);
  return [
    ...COUNTED.map((service) => judgeSpread(service, grown(first, second, service), shares.get(service) ?? null)),
    {
      promise: 'more pods fail no request',
      figure: `${requests} requests, ${failures.length} failed`,
      broken: failures,
    },
  ];
}

/** `counts` of a window, and `seconds` until pods that were added had their share; null where that was not seen in time. */
export function judgeSpread(service: Counted, counts: Counts, seconds: number | null): Finding {
  const all = [...counts.values()];
  const mean = all.reduce((sum, count) => sum + count, 0) / all.length;
  const off = all.map((count) => count / mean - 1);
  const within = seconds === null ? 'later' : `${seconds.toFixed(0)} s`;
  const far = [...counts].filter(([, count]) => Math.abs(count / mean - 1) > MOST_OFF);
  return {
    promise: `calls of ${service} spread over its pods within ±${MOST_OFF * 100} %, once connections have aged`,
    figure: `${all.join(', ')} (${off.map((part) => `${part < 0 ? '−' : '+'}${Math.abs(part * 100).toFixed(1)} %`).join(', ')}); new pods had their share after ${within}`,
    broken: [
      ...(all.length === PODS && mean > 0 ? [] : [`${all.length} pods were counted`]),
      ...(seconds === null ? [`new pods had less than their share for ${OLDEST_MS / 1_000} s`] : []),
      ...far.map(([pod, count]) => `${pod} had ${count} of a mean of ${mean.toFixed(0)}`),
    ],
  };
}

async function countAll({ commands }: Scene): Promise<ReadonlyMap<Counted, Counts>> {
  const services = await Promise.all(
    COUNTED.map(async (service) => ({ service, pods: await podsOf(commands, service) })),
  );
  const urls = services.flatMap(({ pods }) => pods.map(({ ip }) => `http://${ip}:9464/metrics`));
  const pages = await order(commands, 'look', { urls });
  const counts = new Map<Counted, Counts>();
  let at = 0;
  for (const { service, pods } of services) {
    counts.set(
      service,
      new Map(pods.map(({ name }) => [name, countOn(pages[at++] ?? '', COUNTERS[service])] as const)),
    );
  }
  return counts;
}

function countOn(page: string, counter: RegExp): number {
  return page.split('\n').reduce((sum, line) => sum + Number(counter.exec(line)?.[1] ?? 0), 0);
}

function grown(first: ReadonlyMap<Counted, Counts>, second: ReadonlyMap<Counted, Counts>, service: Counted): Counts {
  const before = first.get(service);
  return new Map([...(second.get(service) ?? [])].map(([pod, count]) => [pod, count - (before?.get(pod) ?? 0)]));
}

function shareOfNew(counts: Counts, old: readonly Pod[]): number {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const ofNew = [...counts].filter(([pod]) => !old.some(({ name }) => name === pod));
  return all === 0 ? 0 : ofNew.reduce((sum, [, count]) => sum + count, 0) / all;
}
