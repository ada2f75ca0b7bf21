import '@pfq/local/end-with-parent';
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { styleText } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '..');
const BIN = path.join(ROOT, 'node_modules/.bin');
/** The contract of the last release, as `buf build` writes it. */
const RELEASED = 'released.binpb';

type Check = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
};

const CHECKS: readonly Check[] = [
  { name: 'types', command: `${BIN}/tsc`, args: ['-p', '.'] },
  { name: 'lint', command: `${BIN}/oxlint`, args: ['--type-aware', '--deny-warnings'] },
  { name: 'format', command: `${BIN}/oxfmt`, args: ['--check'] },
  { name: 'protos', command: `${BIN}/buf`, args: ['lint'], cwd: 'proto' },
  { name: 'proto compatibility', command: `${BIN}/buf`, args: ['breaking', '--against', RELEASED], cwd: 'proto' },
  { name: 'OpenAPI document', command: process.execPath, args: ['tests/openapi-lint.ts'] },
  { name: 'generated code', command: process.execPath, args: ['tests/generated-code.ts'] },
  {
    name: 'tidiness',
    command: process.execPath,
    args: ['--test', '--test-reporter=spec', ...globSync('tests/tidy/*.test.ts', { cwd: ROOT }).sort()],
  },
];

/** Runs every check side by side, names each with its verdict and shows what the failed ones said. True where all hold. */
export async function check(stopping: AbortSignal): Promise<boolean> {
  const verdicts = await Promise.all(CHECKS.map((one) => runCheck(one, stopping)));
  return verdicts.every((isOk) => isOk);
}

async function runCheck({ name, command, args, cwd = '.' }: Check, stopping: AbortSignal): Promise<boolean> {
  const startedMs = performance.now();
  const { isOk, output } = await runQuietly({ command, args, cwd: path.join(ROOT, cwd), stopping });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const verdict = isOk ? styleText('green', 'ok') : styleText('red', 'FAILED');
  process.stdout.write(`check ${name}: ${verdict} (${seconds} s)\n${isOk ? '' : output}`);
  return isOk;
}

type Run = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly stopping: AbortSignal;
};

async function runQuietly({ command, args, cwd, stopping }: Run): Promise<{ isOk: boolean; output: string }> {
  const child = spawn(command, args, { cwd, signal: stopping, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ isOk: false, output: `${error.message}\n` }));
    child.once('close', (code) => resolve({ isOk: code === 0, output: Buffer.concat(chunks).toString() }));
  });
}

if (import.meta.main) process.exitCode = (await check(new AbortController().signal)) ? 0 : 1;
