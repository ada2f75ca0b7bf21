import '@pfq/local/end-with-parent';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Problem } from '@pfq/local/problem';
import { apiOf, quoteOf } from '../support/api.ts';
import { exampleBody } from '../support/examples.ts';
import { findChromium } from '../support/find-chromium.ts';
import { respond } from '../support/insured.ts';
import { startStack, stackFolder } from '../support/stack.ts';
import type { RunningStack } from '../support/stack.ts';
import { CHROMIUM_ARGUMENTS } from '../support/chromium.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';
/** Search engines are kept out on purpose, so that what they look for is not asked. */
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
const LOWEST = 95;
/** A busy machine makes a run slow; the middle one of three counts. */
const RUNS = 3;
const MOST_ATTEMPTS = 6;

/** Scores from 0 to 100 by category. */
type Scores = Readonly<Record<string, number>>;

/** Starts a stack and lets Lighthouse judge its hosted pages as a slow phone shows them; true where every score is good. */
async function judgePages(chromium: string, stopping: AbortSignal): Promise<boolean> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'pfq-lighthouse-'));
  const { folder, remove } = stackFolder();
  let stack: RunningStack | undefined;
  try {
    stack = await startStack(folder);
    const pages = Object.entries(await makePages(stack));
    let isGood = true;
    for (const [name, url] of pages) {
      const scores = middleOf(await judgeOften(url, { chromium, scratch, stopping }));
      const words = CATEGORIES.map((category) => `${category} ${scores[category]}`).join(', ');
      process.stdout.write(`${name}: ${words}\n`);
      isGood &&= CATEGORIES.every((category) => (scores[category] ?? 0) >= LOWEST);
    }
    process.stdout.write(`lighthouse: ${isGood ? 'every' : 'NOT every'} score is ${LOWEST} or more\n`);
    return isGood;
  } finally {
    await stack?.stop();
    remove();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A page of 30 options, the review of one of them, and the response to such a quote. */
async function makePages({ file }: RunningStack): Promise<Readonly<Record<string, string>>> {
  const api = apiOf(file.gateway_url, file.keys.live);
  const offer = async () => {
    const { hosted_url: url, recommended_option_id: option } = quoteOf(
      await api.post(exampleBody('roofing-contractor')),
    );
    return { url: url ?? '', option: option ?? '' };
  };
  const [open, taken] = [await offer(), await offer()];
  await respond(taken.url, taken.option, 'Please call before noon.');
  return { quote: open.url, review: `${open.url}/review?option=${open.option}`, interested: taken.url };
}

type Judging = { readonly chromium: string; readonly scratch: string; readonly stopping: AbortSignal };

async function judgeOften(url: string, judging: Judging): Promise<readonly Scores[]> {
  const runs: Scores[] = [];
  for (let attempts = 1; runs.length < RUNS; attempts += 1) {
    try {
      runs.push(await judge(url, judging));
    } catch (error) {
      judging.stopping.throwIfAborted();
      // It gives up where it cannot measure, and asks to be run again.
      if (attempts >= MOST_ATTEMPTS) throw new Problem(`Lighthouse cannot judge: ${describe(error)}`, error);
    }
  }
  return runs;
}

async function judge(url: string, { chromium, scratch, stopping }: Judging): Promise<Scores> {
  const report = path.join(scratch, 'report.json');
  const flags = ['--headless=new', ...CHROMIUM_ARGUMENTS].join(' ');
  const options = [`--only-categories=${CATEGORIES.join(',')}`, '--output=json', `--output-path=${report}`, '--quiet'];
  const [npm = 'npm', ...before] = ownNpm();
  const args = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', url, `--chrome-flags=${flags}`];
  const env = { ...process.env, CHROME_PATH: chromium };
  await promisify(execFile)(npm, [...before, ...args, ...options], { cwd: scratch, env, signal: stopping });
  const { categories } = JSON.parse(readFileSync(report, 'utf8'));
  return Object.fromEntries(CATEGORIES.map((category) => [category, Math.round(100 * categories[category].score)]));
}

/** The last line that a program wrote before it failed, where that is known. */
function describe(error: unknown): string {
  const { message, stderr } = Object.assign({ message: '', stderr: '' }, error);
  return stderr.trim().split('\n').at(-1) || message;
}

function middleOf(runs: readonly Scores[]): Scores {
  const middle = (name: string) => {
    const sorted = runs.map((scores) => scores[name] ?? 0).sort((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
  return Object.fromEntries(CATEGORIES.map((name) => [name, middle(name)]));
}

/** The npm that started us, as a command and the arguments before its own. */
function ownNpm(): readonly string[] {
  const { npm_execpath: npm } = process.env;
  return npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
try {
  const chromium = findChromium(process.env);
  if (chromium === null) throw new Problem('there is no Chromium: install one, or set CHROMIUM_PATH.');
  process.exitCode = (await judgePages(chromium, stopping.signal)) ? 0 : 1;
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  process.stderr.write(`lighthouse: ${error.message}\n`);
  process.exitCode = 1;
}
