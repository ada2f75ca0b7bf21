import path from 'node:path';
import type { Commands, Said } from './commands.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CHART = path.join(ROOT, 'helm/pfq');
const VALUES = path.join(import.meta.dirname, 'values.yaml');

export const RELEASE = 'pfq';
export const SERVICES = ['gateway', 'hosted-page', 'pricing', 'quote-store', 'application', 'notification'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Values beside those of the file, as `--set` has them. */
export type Changes = Readonly<Record<string, string | number | boolean>>;

export type Pod = {
  readonly name: string;
  readonly ip: string;
  readonly isReady: boolean;
  readonly restarts: number;
};

type Listed = {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
    readonly status: {
      readonly podIP?: string;
      readonly conditions?: readonly { readonly type: string; readonly status: string }[];
      readonly containerStatuses?: readonly { readonly restartCount: number }[];
    };
  }[];
};

/** The chart's arguments for a release of this image; `image` is name:tag. */
export function chartArguments(image: string, changes: Changes = {}): readonly string[] {
  const at = image.lastIndexOf(':');
  const all = { 'image.repository': image.slice(0, at), 'image.tag': image.slice(at + 1), ...changes };
  const sets = Object.entries(all).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  return [CHART, '--values', VALUES, ...sets];
}

/** What `helm upgrade --install` says, once all is ready or the time is over. */
export function tryInstall(
  { tryHelm }: Commands,
  { name, timeout, chart }: { readonly name: string; readonly timeout: string; readonly chart: readonly string[] },
): Promise<Said> {
  return tryHelm(['upgrade', name, ...chart, '--install', '--wait', '--timeout', timeout]);
}

/** The pods of a service that are not on their way out. */
export async function podsOf({ kubectl }: Commands, service: string, release = RELEASE): Promise<readonly Pod[]> {
  const labels = `app.kubernetes.io/instance=${release},app.kubernetes.io/component=${service}`;
  const { items }: Listed = JSON.parse(await kubectl(['get', 'pods', '--selector', labels, '--output', 'json']));
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata: { name }, status: { podIP: ip = '', conditions = [], containerStatuses = [] } }) => ({
      name,
      ip,
      isReady: conditions.some(({ type, status }) => type === 'Ready' && status === 'True'),
      restarts: containerStatuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
    }));
}

/** Waits until every pod of every service that the release wants is there, new and ready. */
export async function untilRolledOut({ kubectl }: Commands): Promise<void> {
  for (const service of SERVICES) {
    await kubectl(['rollout', 'status', `deployment/${RELEASE}-${service}`, '--timeout=300s']);
  }
}
