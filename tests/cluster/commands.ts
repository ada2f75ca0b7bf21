import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { Problem } from '@pfq/local/problem';

export type Said = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs a command of its own on the cluster, in the namespace of the test. */
type Run = (args: readonly string[], input?: string) => Promise<Said>;

export type Commands = {
  readonly namespace: string;
  /** Whatever becomes of it. */
  readonly tryKubectl: Run;
  readonly tryHelm: Run;
  /** Gives what it wrote; throws a Problem with what it complained of. */
  readonly kubectl: (args: readonly string[], input?: string) => Promise<string>;
  readonly helm: (args: readonly string[]) => Promise<string>;
};

/** Commands that end once `stopping` is aborted. */
export function commandsOf(parts: {
  readonly namespace: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly stopping: AbortSignal;
}): Commands {
  const { namespace, environment, stopping } = parts;
  const runner =
    (program: string): Run =>
    (args, input = '') =>
      run(program, ['--namespace', namespace, ...args], { input, environment, stopping });
  const tryKubectl = runner(environment['KUBECTL'] || 'kubectl');
  const tryHelm = runner(environment['HELM'] || 'helm');
  return {
    namespace,
    tryKubectl,
    tryHelm,
    kubectl: async (args, input) => must(`kubectl ${args.slice(0, 3).join(' ')}`, await tryKubectl(args, input)),
    helm: async (args) => must(`helm ${args.slice(0, 2).join(' ')}`, await tryHelm(args)),
  };
}

/** No wait that is asked of a command is longer. */
const LONGEST_MS = 900_000;

function must(what: string, { code, stdout, stderr }: Said): string {
  if (code !== 0) throw new Problem(`${what}: ${stderr.trim() || stdout.trim() || `exit code ${code}`}`);
  return stdout;
}

type Surroundings = {
  readonly input: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly stopping: AbortSignal;
};

async function run(program: string, args: readonly string[], surroundings: Surroundings): Promise<Said> {
  const { input, environment: env, stopping } = surroundings;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(LONGEST_MS)]);
  const child = spawn(program, args, { env, signal, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve(code ?? 1));
  });
  // Who has read enough ends before it has read all.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  try {
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, stdout, stderr };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Problem(`${program} ${args.slice(2, 4).join(' ')} cannot be run: ${reason}`, error);
  }
}
