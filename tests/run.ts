import '@pfq/local/end-with-parent';
import { startPostgres, type Postgres } from '@pfq/local/embedded-postgres';
import { findFreePort } from '@pfq/local/ports';
import { Problem } from '@pfq/local/problem';
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec as Spec } from 'node:test/reporters';
import { check } from './check.ts';
import { quickestFolder } from './support/quickest-folder.ts';
import { provideChromium } from './support/find-chromium.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Run by `check`, so not again here. */
const TIDY = 'tests/tidy/';
const IN_A_BROWSER = 'tests/browser/';
/** These start processes of their own, whole stacks most of them, and take about as long together as all others do. */
const WITH_PROCESSES = [
  'deploy/local/main.test.ts',
  'services/kit/src/events',
  'services/operator/',
  IN_A_BROWSER,
  'tests/chart/',
  'tests/e2e/',
  'tests/faults/',
  'tests/observability/',
];
const STACKS_AT_ONCE = 2;
const TEST_TIMEOUT_MS = 180_000;

type Tally = { passed: number; failed: number; readonly skipped: string[] };

/**
 * Everything, or the test files whose path contains one of the names given. Tells what was skipped, which
 * PFQ_REQUIRE_ALL=1 turns into a failure. Gives the exit code.
 */
async function runEverything(names: readonly string[], stopping: AbortSignal): Promise<number> {
  const startedMs = performance.now();
  const isWanted = (file: string) => names.length === 0 || names.some((name) => file.includes(name));
  const files = globSync('{services,deploy,proto,tests}/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules'] });
  const wanted = files.filter((file) => isWanted(file) && (names.length > 0 || !file.startsWith(TIDY))).sort();
  if (wanted.length === 0) {
    process.stderr.write(`no test file is named like ${names.join(' or ')}\n`);
    return 1;
  }
  const isClean = names.length > 0 || (await check(stopping));
  if (wanted.some((file) => file.startsWith(IN_A_BROWSER))) await provideChromium(process.env, stopping);
  const tally = await runFiles(wanted, stopping);

  const requireAll = process.env['PFQ_REQUIRE_ALL'] === '1';
  const isGood = isClean && tally.failed === 0 && !stopping.aborted && !(requireAll && tally.skipped.length > 0);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const checks = names.length > 0 ? 'not run' : isClean ? 'ok' : 'FAILED';
  process.stdout.write(`\nchecks: ${checks}; all in ${seconds} s\n`);
  process.stdout.write(`total: ${tally.passed} passed, ${tally.failed} failed\n`);
  const must = requireAll && tally.skipped.length > 0 ? ' (a failure, because PFQ_REQUIRE_ALL=1)' : '';
  process.stdout.write(`skipped suites: ${tally.skipped.join('; ') || 'none'}${must}\n`);
  return isGood ? 0 : 1;
}

/** One PostgreSQL for all, on which every test file makes a database of its own; whatever a test leaves behind goes too. */
async function runFiles(files: readonly string[], stopping: AbortSignal): Promise<Tally> {
  const folder = mkdtempSync(path.join(quickestFolder(), 'pfq-test-'));
  const temporary = path.join(folder, 'tmp');
  mkdirSync(temporary);
  let postgres: Postgres | null = null;
  try {
    postgres = await startPostgres({
      dataDir: folder,
      port: await findFreePort(),
      log: (line) => line.includes('PANIC') && process.stderr.write(`${line}\n`),
      settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' },
    });
    const env = { ...process.env, TEST_POSTGRES_URL: postgres.url('postgres'), TMPDIR: temporary };
    const tally: Tally = { passed: 0, failed: 0, skipped: [] };
    const hasProcesses = (file: string) => WITH_PROCESSES.some((place) => file.startsWith(place));
    const groups = [
      { files: files.filter((file) => !hasProcesses(file)), concurrency: availableParallelism() },
      { files: files.filter(hasProcesses), concurrency: STACKS_AT_ONCE },
    ];
    // Both run at once, because either waits a good deal; what the second says is shown after the first.
    const reports = groups.map((group) => runGroup({ ...group, env, stopping, tally }));
    for (const report of reports) await pipeline(report, process.stdout, { end: false });
    return tally;
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Group = {
  readonly files: readonly string[];
  readonly concurrency: number;
  readonly env: NodeJS.ProcessEnv;
  readonly stopping: AbortSignal;
  readonly tally: Tally;
};

/** Runs files side by side, counts what became of their tests and gives what is to be shown. */
function runGroup({ files, concurrency, env, stopping, tally }: Group): Readable {
  if (files.length === 0 || stopping.aborted) return Readable.from([]);
  const absolute = files.map((file) => path.join(ROOT, file));
  const events = run({ files: absolute, concurrency, env, signal: stopping, timeout: TEST_TIMEOUT_MS, cwd: ROOT });
  events.on('test:pass', ({ name, skip }) => {
    if (skip !== undefined) tally.skipped.push(typeof skip === 'string' ? `${name} (${skip})` : name);
  });
  events.on('test:summary', ({ file, counts }) => {
    if (file !== undefined) return;
    tally.passed += counts.passed;
    tally.failed += counts.tests - counts.passed - counts.skipped - counts.todo;
  });
  return events.compose(new Spec());
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
try {
  process.exitCode = await runEverything(process.argv.slice(2), stopping.signal);
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  process.stderr.write(`npm test: ${error.message}\n`);
  process.exitCode = 1;
}
