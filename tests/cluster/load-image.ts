import { spawn } from 'node:child_process';
import path from 'node:path';
import { endOf } from '@pfq/local/processes';
import { Problem } from '@pfq/local/problem';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Builds the product's image and has `load`, a command that gets its name, bring it to where the cluster finds it. */
export async function loadImage(image: string, load: string, stopping: AbortSignal): Promise<void> {
  const script = 'docker build --file deploy/Dockerfile --tag "$0" . && $1 "$0"';
  const options = { cwd: ROOT, signal: stopping, stdio: 'inherit' } as const;
  const ended = await endOf(spawn('/bin/sh', ['-c', script, image, load], options));
  if (ended !== 'exit code 0') throw new Problem(`${image} cannot be built and loaded: ${ended}`);
}
