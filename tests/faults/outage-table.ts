import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CALLS, WELL } from './outage-callers.ts';
import type { Call, Seen, SeenByAll } from './outage-callers.ts';
import type { HealthView } from './outage-health.ts';
import { SERVICE_NAMES } from './outage-stack.ts';
import type { ServiceName } from './outage-stack.ts';

/** What is to happen while something is away: one row of the documentation. */
export type Documented = {
  readonly name: string;
  /** What each call gets, and in how many seconds at most. */
  readonly calls: SeenByAll;
  readonly health: Pick<HealthView, 'notReady' | 'away'>;
  /** At most so many seconds from its return until all is well. */
  readonly backSeconds: number;
  /** At most so many seconds from then until every interest has been mailed. */
  readonly mailedSeconds: number;
};

/** What did happen, in the same terms. */
export type Observed = Documented & { readonly problems: readonly string[] };

/** What this stack was made of: it need not be all that production is. */
export type Ingredients = { readonly hasKafka: boolean; readonly hasMongo: boolean };

const DOCUMENT = path.resolve(import.meta.dirname, '../../docs/operations.md');
const SECTION = '## When something is away';

/** The rows of the table in the documentation, as they stand for a stack of these ingredients. */
export function readDocumented(ingredients: Ingredients): readonly Documented[] {
  const [, , ...rows] = readTable();
  if (rows.length === 0) throw new Error(`${DOCUMENT} has no table under "${SECTION}"`);
  return rows.map((row) => withIngredients(readRow(row), ingredients));
}

function readTable(): readonly string[] {
  const [, section = ''] = readFileSync(DOCUMENT, 'utf8').split(`${SECTION}\n`);
  return section.split('\n').filter((line) => line.startsWith('|'));
}

function readRow(row: string): Documented {
  const cells = row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
  const [name = '', ...rest] = cells;
  const [notReady = '', away = '', back = '', mailed = ''] = rest.slice(CALLS.length);
  const [create, read, list, page, tap] = rest.slice(0, CALLS.length).map((cell) => readSeen(cell, name));
  if (!create || !read || !list || !page || !tap) throw new Error(`the row of ${name} is too short`);
  return {
    name,
    calls: { create, read, list, page, tap },
    health: { notReady: namesIn(notReady), away: readAway(away) },
    backSeconds: readSeconds(back, name),
    mailedSeconds: readSeconds(mailed, name),
  };
}

/** `503, 2 s` */
function readSeen(cell: string, name: string): Seen {
  const [, outcome, seconds] = /^(.+), (\d+) s$/.exec(cell) ?? [];
  if (outcome === undefined) throw new Error(`in the row of ${name}, "${cell}" is not such as "503, 2 s"`);
  return { outcome, seconds: Number(seconds) };
}

function readSeconds(cell: string, name: string): number {
  const [, seconds] = /^(\d+) s$/.exec(cell) ?? [];
  if (seconds === undefined) throw new Error(`in the row of ${name}, "${cell}" is not such as "10 s"`);
  return Number(seconds);
}

/** `kafka` at quote-store, notification; … */
function readAway(cell: string): Documented['health']['away'] {
  const pairs = cell.split(';').flatMap((part) => {
    const [, dependency, at] = /^`(.+)` at (.+)$/.exec(part.trim()) ?? [];
    return dependency === undefined || at === undefined ? [] : [[dependency, namesIn(at)] as const];
  });
  return Object.fromEntries(pairs);
}

function namesIn(cell: string): readonly ServiceName[] {
  const wanted = new Set(cell.split(',').map((name) => name.trim()));
  return SERVICE_NAMES.filter((name) => wanted.has(name));
}

/** Without a MongoDB applications are in PostgreSQL; without a Kafka quote-store looks at notification itself. */
function withIngredients(row: Documented, { hasKafka, hasMongo }: Ingredients): Documented {
  let { notReady, away } = row.health;
  const also = (names: readonly ServiceName[] = [], more: ServiceName) =>
    SERVICE_NAMES.filter((name) => name === more || names.includes(name));
  if (!hasMongo && row.name.startsWith('PostgreSQL')) {
    notReady = also(notReady, 'application');
    away = { ...away, postgresql: also(away['postgresql'], 'application'), application: ['gateway'] };
  }
  if (!hasKafka && notReady.includes('notification')) away = { ...away, notification: ['quote-store'] };
  return { ...row, health: { notReady, away } };
}

/** Everything in which reality is not as documented, a line each. */
export function differencesOf(documented: Documented, observed: Observed): readonly string[] {
  const about = (what: string) => `${documented.name}: ${what}`;
  const ofCalls = CALLS.flatMap((call) => {
    const [wanted, seen] = [documented.calls[call], observed.calls[call]];
    if (wanted.outcome !== seen.outcome) return [`${call} gets ${seen.outcome}, not ${wanted.outcome}`];
    return seen.seconds <= wanted.seconds
      ? []
      : [`${call} takes ${seen.seconds.toFixed(1)} s, not ${wanted.seconds} s at most`];
  });
  const [wanted, shown] = [describeHealth(documented.health), describeHealth(observed.health)];
  const late = (what: string, is: number, most: number) =>
    is <= most ? [] : [`${what} after ${is.toFixed(1)} s, not ${most} s at most`];
  return [
    ...ofCalls,
    ...(wanted.notReady === shown.notReady ? [] : [`not ready: ${shown.notReady}; documented: ${wanted.notReady}`]),
    ...(wanted.away === shown.away ? [] : [`shown as away: ${shown.away}; documented: ${wanted.away}`]),
    ...late('all is well', observed.backSeconds, documented.backSeconds),
    ...late('all is mailed', observed.mailedSeconds, documented.mailedSeconds),
    ...observed.problems,
  ].map(about);
}

export function isSameHealth(one: Documented['health'], other: Documented['health']): boolean {
  return JSON.stringify(describeHealth(one)) === JSON.stringify(describeHealth(other));
}

/** What was measured, under the head of the table in the documentation. */
export function tableOf(rows: readonly Documented[]): string {
  return [...readTable().slice(0, 2), ...rows.map(rowOf)]
    .map((line) => line.replaceAll(/ {2,}|-{4,}/g, trimmed))
    .join('\n');
}

/** A row as it stands in the documentation, with what was measured. */
function rowOf({ name, calls, health, backSeconds, mailedSeconds }: Documented): string {
  const seconds = (value: number) => `${value.toFixed(1)} s`;
  const { notReady, away } = describeHealth(health);
  const cells = [
    name,
    ...CALLS.map((call) => `${calls[call].outcome}, ${seconds(calls[call].seconds)}`),
    notReady,
    away,
    seconds(backSeconds),
    seconds(mailedSeconds),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Without the room that the longest cell of a column needs. */
function trimmed(filling: string): string {
  return filling.startsWith('-') ? '---' : ' ';
}

function describeHealth({ notReady, away }: Documented['health']): {
  readonly notReady: string;
  readonly away: string;
} {
  const inOrder = (names: readonly ServiceName[]) => SERVICE_NAMES.filter((name) => names.includes(name)).join(', ');
  const pairs = Object.entries(away).filter(([, names]) => names.length > 0);
  const shown = pairs
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, names]) => `\`${name}\` at ${inOrder(names)}`);
  return { notReady: inOrder(notReady) || '—', away: shown.join('; ') || '—' };
}

/** Whether a call may have this outcome while something goes away: as ever, or as documented. */
export function isAllowed(call: Call, outcome: string, documented: Documented): boolean {
  return outcome === WELL[call] || outcome === documented.calls[call].outcome;
}
