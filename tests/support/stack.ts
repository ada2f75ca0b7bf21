import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { areFree, choosePorts, LOCAL_HOST, PORT_NAMES } from '@pfq/local/ports';
import type { StackFile } from '@pfq/local/stack';
import { until } from './until.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const START_TIMEOUT_MS = 90_000;

export type Command = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** The stack of `npm start`, run as its user would run it, on ports and data of its own. */
export type RunningStack = {
  readonly file: StackFile;
  /** What it has printed so far. */
  readonly output: () => string;
  readonly pid: number;
  /** Where its data is kept. */
  readonly folder: string;
  /** Runs `pfq` against it. */
  readonly pfq: (...args: readonly string[]) => Promise<Command>;
  /** Ends it as Ctrl-C would; the data stays. Gives the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
};

/** Starts a stack; give the folder of an earlier one to find its data again, and variables beyond those of this process. */
export async function startStack(
  folder: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningStack> {
  const ports = await reservePorts();
  const places = { PFQ_LOCAL_DIR: folder, PFQ_PORT_BASE: String(ports.base) };
  const environment = { ...process.env, ...variables, ...places };
  const child = spawn(process.execPath, ['deploy/local/main.ts'], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').finally(ports.release);
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  const output = () => chunks.join('');
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  try {
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    await until(() => hasEnded() || output().includes('Ctrl-C stops'), START_TIMEOUT_MS);
    if (hasEnded()) throw new Error(`the stack ended: ${output()}`);
  } catch (error) {
    await stop();
    throw new Error(`the stack did not start: ${output()}`, { cause: error });
  }
  const file: StackFile = JSON.parse(readFileSync(path.join(folder, 'stack.json'), 'utf8'));
  const pfq = (...args: readonly string[]) => runPfq(args, environment);
  return { file, output, pid: child.pid ?? 0, folder, pfq, stop };
}

/** What a stack has printed so far, but only the lines that hold all of these texts. */
export function linesWith({ output }: RunningStack, ...texts: readonly string[]): readonly string[] {
  return output()
    .split('\n')
    .filter((line) => texts.every((text) => line.includes(text)));
}

/** A folder for a stack's data, and how to remove it. */
export function stackFolder(): { readonly folder: string; readonly remove: () => void } {
  const parent = mkdtempSync(path.join(tmpdir(), 'pfq-stack-'));
  return { folder: path.join(parent, 'local'), remove: () => rmSync(parent, { recursive: true, force: true }) };
}

/** Runs the real `pfq` as a process. */
function runPfq(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Command> {
  const command = path.join(ROOT, 'services/operator/bin/pfq.mjs');
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...args], { cwd: ROOT, env }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : 1;
      resolve({ code, stdout, stderr });
    });
  });
}

/** Linux gives ports from 32,768 to outgoing connections, and so to anybody between our look and the service's start. */
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_767;
const PORTS_OF_A_STACK = 30;

/** A base behind which every port of a stack is free now; the last one stays taken, so that nobody else chooses them. */
export async function reservePorts(): Promise<{ readonly base: number; readonly release: () => void }> {
  const bases = Math.floor((HIGHEST_PORT - LOWEST_PORT) / PORTS_OF_A_STACK);
  for (;;) {
    const base = LOWEST_PORT + PORTS_OF_A_STACK * Math.floor(Math.random() * bases);
    const guard = createServer().unref();
    guard.listen({ port: base + PORTS_OF_A_STACK - 1, host: LOCAL_HOST, exclusive: true });
    const isOurs = await once(guard, 'listening').then(
      () => true,
      () => false,
    );
    if (isOurs && (await areFree(choosePorts({ PFQ_PORT_BASE: String(base) }), PORT_NAMES))) {
      return { base, release: () => guard.close() };
    }
    guard.close();
  }
}
