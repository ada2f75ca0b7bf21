import '@pfq/local/end-with-parent';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WITHOUT_KAFKA_JARS } from '../support/kafka.ts';
import { callersOf, CALLS, WELL } from './outage-callers.ts';
import type { Callers, Reviewed, Seen } from './outage-callers.ts';
import { lookAtHealth } from './outage-health.ts';
import type { HealthView } from './outage-health.ts';
import type { Part } from './outage-parts.ts';
import { startOutageStack } from './outage-stack.ts';
import type { OutageStack } from './outage-stack.ts';
import { differencesOf, isAllowed, isSameHealth, readDocumented, tableOf } from './outage-table.ts';
import type { Documented, Observed } from './outage-table.ts';

const HELP = `npm run outages -- [NAME ...]

Starts a stack of its own, takes each of its parts away in turn, or those whose name contains a NAME, and compares what
callers see and what the services say of themselves with the table in docs/operations.md. Exits with 1 where they differ.

MongoDB is tried where MONGODB_URL names one, Kafka where KAFKA_JARS names the folder of its jars.
`;
/** Longer than the longest time between two looks at a dependency, three times of those that readiness rests on. */
const TIME_TO_SHOW_MS = 60_000;
const TIME_TO_MEND_MS = 90_000;
const LOOK_EVERY_MS = 300;
const TIME_TO_MAIL_MS = 120_000;

type Trial = { readonly stack: OutageStack; readonly callers: Callers; readonly stopping: AbortSignal };

/** Tries every row of the documentation. Gives the differences. */
async function tryAll(names: readonly string[], stopping: AbortSignal, folder: string): Promise<readonly string[]> {
  const mongoUrl = process.env['MONGODB_URL'];
  const ingredients = { hasKafka: !WITHOUT_KAFKA_JARS, hasMongo: Boolean(mongoUrl) };
  const rows = readDocumented(ingredients);
  const wanted = rows.filter(({ name }) => names.length === 0 || names.some((word) => name.includes(word)));
  const logFile = path.join(folder, 'services.log');
  say('starting a stack');
  const stack = await startOutageStack({ folder: path.join(folder, 'local'), logFile, mongoUrl, ...ingredients });
  const differences: string[] = undocumented(stack, rows);
  const observed: Observed[] = [];
  try {
    const callers = await callersOf(stack);
    for (const row of wanted) {
      const part = stack.parts.get(row.name);
      if (part === undefined) {
        say(`${row.name}: not tried, because there is no server for it here`);
        continue;
      }
      const seen = await tryOutage(row, part, { stack, callers, stopping });
      const different = differencesOf(row, seen);
      observed.push(seen);
      differences.push(...different);
      say(`${row.name}: ${different.length === 0 ? 'as documented' : 'NOT as documented'}`);
    }
  } finally {
    await stack.stop();
  }
  process.stdout.write(`\n${tableOf(observed)}\n\n`);
  return differences;
}

function undocumented({ parts }: OutageStack, rows: readonly Documented[]): string[] {
  const names = new Set(rows.map(({ name }) => name));
  return [...parts.keys()].filter((name) => !names.has(name)).map((name) => `${name}: has no row in the documentation`);
}

/** Takes a part away, looks, gives it back, and waits until nothing is left to mend. */
async function tryOutage(documented: Documented, part: Part, trial: Trial): Promise<Observed> {
  const { stack, callers, stopping } = trial;
  say(`${documented.name}: taking it away`);
  await untilWell(trial);
  const problems: string[] = [];
  const [early, first, later] = [await callers.prepare(), await callers.prepare(), await callers.prepare()];
  const tapped = await callers.tap(early);
  if (tapped.outcome !== WELL.tap) problems.push(`a tap before it gets ${tapped.outcome}`);

  await part.takeAway();
  const atFirst = await callers.callAll(first);
  for (const call of CALLS) {
    const { outcome } = atFirst[call];
    if (!isAllowed(call, outcome, documented)) problems.push(`${call} gets ${outcome} at first`);
  }
  let health: HealthView = await lookAtHealth(stack);
  const isShown = async () => {
    health = await lookAtHealth(stack);
    return health.torn.length === 0 && isSameHealth(health, documented.health);
  };
  await holds(isShown, { timeoutMs: TIME_TO_SHOW_MS, stopping });
  problems.push(...health.torn);
  const calls = await callers.callAll(later);

  await part.giveBack();
  const backSeconds = await untilWell(trial);
  const taps: readonly (readonly [Reviewed, Seen])[] = [
    [early, tapped],
    [first, atFirst.tap],
    [later, calls.tap],
  ];
  const mailed = await untilMailed(taps, trial);
  problems.push(...mailed.problems);
  return { name: documented.name, calls, health, backSeconds, mailedSeconds: mailed.seconds, problems };
}

/** Until every call is served and every service says that it lacks nothing. Gives the time that took. */
async function untilWell({ stack, callers, stopping }: Trial): Promise<number> {
  const startedMs = performance.now();
  let health: HealthView | null = null;
  const isWell = async () => {
    health = await lookAtHealth(stack);
    const { notReady, away, torn } = health;
    return notReady.length + Object.keys(away).length + torn.length === 0 && (await callers.areAllServed());
  };
  if (!(await holds(isWell, { timeoutMs: TIME_TO_MEND_MS, stopping }))) say(`not well: ${JSON.stringify(health)}`);
  return (performance.now() - startedMs) / 1000;
}

/** Whoever was refused says it again; then each response must come to a mail, and be lost never. */
async function untilMailed(taps: readonly (readonly [Reviewed, Seen])[], { callers, stopping }: Trial) {
  const problems: string[] = [];
  const startedMs = performance.now();
  for (const [reviewed, { outcome }] of taps) {
    if (outcome === WELL.tap) continue;
    const again = await callers.tap(reviewed);
    if (again.outcome !== WELL.tap) problems.push(`a tap that got ${outcome} gets ${again.outcome} afterwards`);
  }
  const count = () => Promise.all(taps.map(([{ quoteId }]) => callers.countMails(quoteId)));
  const isMailed = async () => (await count()).every((mails) => mails > 0);
  if (!(await holds(isMailed, { timeoutMs: TIME_TO_MAIL_MS, stopping })))
    problems.push(`of its interests, mailed were ${(await count()).join()}`);
  return { seconds: (performance.now() - startedMs) / 1000, problems };
}

/** Whether a condition comes to hold in time. Looks now and then, because looking is work for all services. */
async function holds(
  condition: () => Promise<boolean>,
  { timeoutMs, stopping }: { readonly timeoutMs: number; readonly stopping: AbortSignal },
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() >= deadline) return false;
    await delay(LOOK_EVERY_MS, undefined, { signal: stopping });
  }
  return true;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());
const names = process.argv.slice(2);
if (names.includes('--help')) process.stdout.write(HELP);
else {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfq-outages-'));
  const differences = await tryAll(names, stopping.signal, folder).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
    return ['stopped before the end'];
  });
  for (const difference of differences) say(`DIFFERENT ${difference}`);
  say(differences.length === 0 ? 'Everything is as documented.' : `What the services logged is in ${folder}.`);
  rmSync(path.join(folder, differences.length === 0 ? '' : 'local'), { recursive: true, force: true });
  process.exitCode = differences.length === 0 ? 0 : 1;
}
