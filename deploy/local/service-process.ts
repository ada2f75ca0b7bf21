import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Problem } from './problem.ts';
import { endOf, endProcess, sendSignal, waitUntil } from './processes.ts';
import type { Part, Running } from './supervisor.ts';

/** One service of the stack. */
export type Service = {
  readonly name: string;
  /** Its `src/main.ts`. */
  readonly entry: string;
  /** Everything it is configured by. */
  readonly environment: Readonly<Record<string, string>>;
  readonly isHealthy: () => Promise<boolean>;
};

const TIME_TO_START_MS = 30_000;
const TIME_TO_STOP_MS = 15_000;
const END_WITH_PARENT = fileURLToPath(import.meta.resolve('./end-with-parent.ts'));

/** A service as a process of its own. `tell` gets each line it writes; `inherited` is the environment around its own. */
export function serviceProcess(
  service: Service,
  options: {
    readonly inherited: Readonly<Record<string, string | undefined>>;
    readonly tell: (name: string, line: string) => void;
  },
): Part {
  return { name: service.name, start: (signal) => startService(service, { ...options, signal }) };
}

type Start = {
  readonly inherited: Readonly<Record<string, string | undefined>>;
  readonly tell: (name: string, line: string) => void;
  readonly signal: AbortSignal;
};

/** In a process group of its own, so that a terminal's Ctrl-C does not reach it before its turn to stop has come. */
async function startService(service: Service, { inherited, tell, signal }: Start): Promise<Running> {
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, service.entry], {
    env: { ...inherited, ...service.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => tell(service.name, line));
  }
  const { pid } = child;
  let how: string | null = null;
  const ended = endOf(child).then((end) => (how = end));
  if (pid === undefined) throw new Problem(`${service.name} cannot be run: ${await ended}`);
  tell(service.name, `process ${pid}`);

  const stop = () => endProcess(pid, { signals: ['SIGTERM', 'SIGKILL'], patienceMs: TIME_TO_STOP_MS });
  let isHealthy = false;
  await waitUntil(async () => {
    if (how !== null || signal.aborted) return true;
    isHealthy = await service.isHealthy();
    return isHealthy;
  }, TIME_TO_START_MS);
  if (isHealthy && how === null) return { ended, stop, kill: () => void sendSignal(pid, 'SIGKILL') };
  const didEnd = how;
  await stop();
  throw new Problem(`${service.name} did not start (${didEnd ?? 'not healthy in time'}): its own lines say why.`);
}
