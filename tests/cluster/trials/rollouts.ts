import { order } from '../inside-pod.ts';
import { chartArguments, RELEASE, tryInstall, untilRolledOut } from '../release.ts';
import type { Changes } from '../release.ts';
import type { Finding, Scene } from '../scene.ts';

/** Something that every service notices, and something that one does: all pods are replaced. */
const NEXT_RELEASE: Changes = { 'defaults.podAnnotations.release': 'second', 'gateway.requestLogDays': 29 };
const TIMEOUT = '10m';

/** Replaces every pod while callers call, by an upgrade and then by going back. */
export async function tryRollouts(scene: Scene): Promise<readonly Finding[]> {
  const { commands, image } = scene;
  const upgrade = () =>
    tryInstall(commands, { name: RELEASE, timeout: TIMEOUT, chart: chartArguments(image, NEXT_RELEASE) });
  const rollback = () => commands.tryHelm(['rollback', RELEASE, '1', '--wait', '--timeout', TIMEOUT]);
  return [
    await underLoad(scene, 'an upgrade fails no request', upgrade),
    await underLoad(scene, 'a rollback fails no request', rollback),
  ];
}

async function underLoad(
  { commands, say }: Scene,
  promise: string,
  roll: () => ReturnType<typeof tryInstall>,
): Promise<Finding> {
  await order(commands, 'report', null);
  const startedMs = performance.now();
  const { code, stderr } = await roll();
  if (code === 0) await untilRolledOut(commands);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  const { requests, failures } = await order(commands, 'report', null);
  say(`${promise}: ${requests} requests in ${seconds} s`);
  return {
    promise,
    figure: `${requests} requests in ${seconds} s, ${failures.length} failed`,
    broken: [...(code === 0 ? [] : [stderr.trim()]), ...(requests === 0 ? ['there was no load'] : []), ...failures],
  };
}
