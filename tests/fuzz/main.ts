import '@pfq/local/end-with-parent';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Problem } from '@pfq/local/problem';
import { liftLimits } from '../support/limits.ts';
import { stackFolder, startStack } from '../support/stack.ts';
import type { RunningStack } from '../support/stack.ts';
import { FEWEST_CASES, fuzz, installSchemathesis } from './schemathesis.ts';
import type { FuzzOutcome } from './schemathesis.ts';

const HELP = `npm run fuzz -- [--seconds N] [--examples N] [--seed N]

Starts a stack of its own and lets Schemathesis send it what /openapi.json describes and forbids, with a test, a live and a
broker key in turn. Fails on a 5xx, on an answer that the document does not describe, on a forbidden request that is
accepted, on a sound one that is refused, and where a key got to ask fewer than ${FEWEST_CASES} times.

  --seconds N    time for each key (default 60)
  --examples N   most cases of an operation in a phase (default 100)
  --seed N       repeats a run that was printed with its seed (default 1)
`;
const KEYS = ['test', 'live', 'broker_test'] as const;

type Bounds = { readonly seconds: number; readonly examples: number; readonly seed: number };

/** Fuzzes with every key in turn; true where nothing was found. */
async function fuzzEverything(bounds: Bounds, stopping: AbortSignal): Promise<boolean> {
  const command = await installSchemathesis(process.env);
  const scratch = mkdtempSync(path.join(tmpdir(), 'pfq-fuzz-'));
  const { folder, remove } = stackFolder();
  let stack: RunningStack | undefined;
  try {
    stack = await startStack(folder);
    await liftLimits(stack);
    const { gateway_url: url, keys, brokers } = stack.file;
    const outcomes: FuzzOutcome[] = [];
    for (const key of KEYS) {
      if (stopping.aborted) break;
      process.stdout.write(`\nfuzzing with the ${key} key\n`);
      const broker = brokers[0]?.email ?? '';
      outcomes.push(await fuzz(command, { ...bounds, url, apiKey: keys[key], broker, folder: scratch, stopping }));
    }
    const cases = outcomes.reduce((sum, one) => sum + one.cases, 0);
    const clean = outcomes.filter(({ isClean }) => isClean).length;
    process.stdout.write(`\nfuzz: ${cases} cases, ${clean} of ${KEYS.length} keys asked enough and found nothing\n`);
    return clean === KEYS.length;
  } finally {
    await stack?.stop();
    remove();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readBounds(args: readonly string[]): Bounds | null {
  const options = {
    seconds: { type: 'string', default: '60' },
    examples: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) return null;
  const read = (name: 'seconds' | 'examples' | 'seed') => {
    if (!/^[1-9]\d{0,8}$/.test(values[name])) throw new Problem(`--${name} must be a whole number above 0.`);
    return Number(values[name]);
  };
  return { seconds: read('seconds'), examples: read('examples'), seed: read('seed') };
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
try {
  const bounds = readBounds(process.argv.slice(2));
  if (bounds === null) process.stdout.write(HELP);
  else process.exitCode = (await fuzzEverything(bounds, stopping.signal)) ? 0 : 1;
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  process.stderr.write(`fuzz: ${error.message}\n`);
  process.exitCode = 1;
}
