import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Problem } from '@pfq/local/problem';

const FOLDER = import.meta.dirname;
const REQUIREMENTS = path.join(FOLDER, 'requirements.txt');
/** Exits 0 where this Python is new enough and can make virtual environments. */
const FITNESS = 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 10))';
const run = promisify(execFile);

export type FuzzRun = {
  readonly url: string;
  readonly apiKey: string;
  /** A broker that the key may act for. */
  readonly broker: string;
  readonly seed: number;
  /** The most cases of one operation in one phase. */
  readonly examples: number;
  readonly seconds: number;
  /** Where the tool may leave what it likes. */
  readonly folder: string;
  readonly stopping: AbortSignal;
};

/** A run that asked less has shown nothing; one of a single example and five seconds asks twice as much. */
export const FEWEST_CASES = 50;

/** `isClean` where enough was asked and nothing was found. */
export type FuzzOutcome = { readonly isClean: boolean; readonly cases: number };

/**
 * Schemathesis in a virtual environment of its own, installed once into the user's cache. Gives the command. Throws a
 * Problem where this machine has no Python that can.
 */
export async function installSchemathesis(environment: NodeJS.ProcessEnv): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const cache = environment['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');
  const folder = path.join(cache, 'pfq', `schemathesis-${hash}`);
  const command = path.join(folder, 'bin/schemathesis');
  const stamp = path.join(folder, 'complete');
  if (existsSync(stamp)) return command;
  await run('python3', ['-c', FITNESS]).catch((error: unknown) => {
    throw new Problem('fuzzing needs python3, 3.10 or newer, with its venv module (Debian: python3-venv).', error);
  });
  process.stdout.write(`installing Schemathesis into ${folder}\n`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.dirname(folder), { recursive: true });
  try {
    await run('python3', ['-m', 'venv', folder]);
    await run(path.join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS]);
  } catch (error) {
    throw new Problem(`Schemathesis cannot be installed: ${error instanceof Error ? error.message : ''}`, error);
  }
  writeFileSync(stamp, '');
  return command;
}

/** One bounded run against `/openapi.json` of a gateway; what Schemathesis tells goes to this program's output. */
export async function fuzz(command: string, options: FuzzRun): Promise<FuzzOutcome> {
  const { url, apiKey, broker, seed, examples, seconds, folder, stopping } = options;
  const report = path.join(folder, 'report.json');
  rmSync(report, { force: true });
  const args = [
    `--config-file=${path.join(FOLDER, 'schemathesis.toml')}`,
    'run',
    `${url}/openapi.json`,
    `--seed=${seed}`,
    `--max-examples=${examples}`,
    `--max-time=${seconds}`,
    '--report=json',
    `--report-json-path=${report}`,
  ];
  const child = spawn(command, args, {
    cwd: folder,
    env: {
      ...process.env,
      FUZZ_API_KEY: apiKey,
      FUZZ_BROKER: broker,
      SCHEMATHESIS_HOOKS: path.join(FOLDER, 'hooks.py'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
    signal: stopping,
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null)).once('exit', resolve);
  });
  const cases = readCases(report);
  return { isClean: code === 0 && cases >= FEWEST_CASES, cases };
}

/** How many requests a run made; none where it came to no report. */
function readCases(report: string): number {
  if (!existsSync(report)) return 0;
  const { test_cases: cases }: { test_cases: { generated: number } } = JSON.parse(readFileSync(report, 'utf8'));
  return cases.generated;
}
