import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { readBackUp, restoring, type Engine } from '../chart/back-up-manifest.ts';
import type { Container } from '../chart/kinds.ts';
import { withPostgresPrograms } from '../support/installed-postgres.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

const CHANGES = {
  'back-up': (text: string) => text,
  restore: restoring,
};
export type Work = keyof typeof CHANGES;

/** Folders that stand for the volumes of the pod. */
type Volumes = { readonly copies: string; readonly secrets: string; readonly authorities: string };

/** Runs what the containers of `cron-job.yaml` run, one after the other, with nothing in their environment but what it says. */
export async function runBackUpJob(
  work: Work,
  { engine, volumes }: { readonly engine: Engine; readonly volumes: Volumes },
): Promise<string> {
  const { pod } = readBackUp(engine, CHANGES[work]);
  const folders: Readonly<Record<string, string>> = { ...volumes, scripts: path.join(ROOT, 'deploy/backup') };
  const output: string[] = [];
  for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
    output.push(await runContainer(container, folders));
  }
  return output.join('');
}

async function runContainer(container: Container, folders: Readonly<Record<string, string>>): Promise<string> {
  // The entry point of the image.
  const { command = [process.execPath], args, env = [], volumeMounts } = container;
  const place = (text: string) => {
    const mount = volumeMounts.find(({ mountPath }) => text === mountPath || text.startsWith(`${mountPath}/`));
    return mount === undefined ? text : `${folders[mount.name]}${text.slice(mount.mountPath.length)}`;
  };
  const [program = '', ...rest] = [...command, ...args].map(place);
  const variables = Object.fromEntries(env.map(({ name, value = '' }) => [name, place(value)]));
  const all = withPostgresPrograms({ PATH: process.env['PATH'], ...variables });
  const { stdout } = await promisify(execFile)(program, rest, { cwd: ROOT, env: all });
  return stdout;
}
