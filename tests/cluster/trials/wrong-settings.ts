import { until } from '../../support/until.ts';
import type { Said } from '../commands.ts';
import { sql } from '../inside-pod.ts';
import { chartArguments, podsOf, SERVICES, tryInstall } from '../release.ts';
import type { Changes } from '../release.ts';
import type { Finding, Scene } from '../scene.ts';

/** A release beside the good one, of which only the quote store has a pod. */
const NAME = 'wrong';
const SERVICE = 'quote-store';
const NO_PODS = Object.fromEntries(
  SERVICES.filter((service) => service !== SERVICE).map((service) => [`${camelCase(service)}.replicas`, 0]),
);
const ON_ITS_OWN: Changes = {
  ...NO_PODS,
  'quoteStore.replicas': 1,
  'quoteStore.minReadySeconds': 0,
  'databases.quoteStore.key': 'wrong-database-url',
  'databases.quoteStore.migrationKey': 'wrong-migration-url',
  'migrations.serviceRoles.quoteStore': 'wrong',
};
/** For tools that cannot look into the cluster while they write its objects. */
const UNCHECKED: Changes = { checks: false, 'migrations.mode': 'none' };
const TIME_TO_SAY_MS = 90_000;
const TIME_TO_START = '180s';

/** Where the line is looked for. */
type Place = 'helm' | 'events' | 'log' | 'migration';

type Case = {
  readonly wrong: string;
  readonly changes: Changes;
  readonly says: RegExp;
  readonly where: Place;
  /** How long Helm waits: less than nothing is not enough where pods have to be seen failing. */
  readonly timeout: string;
};

const CASES: readonly Case[] = [
  {
    wrong: 'a misspelled value',
    changes: { 'gatewy.replicas': 3 },
    says: /gatewy/,
    where: 'helm',
    timeout: '20s',
  },
  {
    wrong: 'a key that the Secret lacks',
    changes: { 'secrets.keys.operatorToken': 'no-such-key' },
    says: /has no key no-such-key, which holds OPERATOR_TOKEN/,
    where: 'helm',
    timeout: '20s',
  },
  {
    wrong: 'the same where Helm may not look',
    changes: { ...UNCHECKED, 'secrets.keys.operatorToken': 'no-such-key' },
    says: /non-existent secret key: no-such-key/,
    where: 'events',
    timeout: '20s',
  },
  {
    wrong: 'a setting that is none',
    changes: { ...UNCHECKED, 'quoteStore.environment.SHUTDOWN_DELAY_MS': 'soon' },
    says: /SHUTDOWN_DELAY_MS must be a whole number from 0 to 120000, not "soon"/,
    where: 'log',
    timeout: '20s',
  },
  {
    wrong: 'a database that cannot be reached',
    changes: { checks: false, 'databases.quoteStore.migrationKey': 'nowhere-database-url' },
    says: /nowhere\.invalid/,
    where: 'migration',
    timeout: '40s',
  },
  {
    wrong: 'a schema that is too old',
    changes: UNCHECKED,
    says: /the schema lacks .*: run the migrations/,
    where: 'log',
    timeout: '30s',
  },
];

/** Installs what cannot work, and looks for the line that says why. */
export async function tryWrongSettings(scene: Scene): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const one of CASES) findings.push(await tryCase(scene, one));
  findings.push(await tryNewerSchema(scene));
  return findings;
}

async function tryCase(scene: Scene, { wrong, changes, says, where, timeout }: Case): Promise<Finding> {
  const { commands, image, say } = scene;
  say(wrong);
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  const chart = chartArguments(image, { ...ON_ITS_OWN, ...changes });
  // Together, so that what ends the one before its time is seen while the other still looks.
  const [said, heard] = await Promise.all([
    tryInstall(commands, { name: NAME, timeout, chart }),
    where === 'helm' ? null : untilSaid(scene, where, says).then((line) => ({ line, afterMs: elapsedMs() })),
  ]);
  const shown = heard?.line ?? lineIn(textOf(said), says);
  const seconds = ((heard?.afterMs ?? elapsedMs()) / 1_000).toFixed(0);
  await commands.tryHelm(['uninstall', NAME, '--wait']);
  await commands.tryKubectl(['delete', 'job', '--selector', `app.kubernetes.io/instance=${NAME}`]);
  return {
    promise: `${wrong} fails early with a line that names it`,
    figure: shown === null ? 'nothing was said' : `after ${seconds} s, ${where}: ${shown}`,
    broken: [
      ...(said.code === 0 ? ['helm installed it'] : []),
      ...(shown === null ? [`nothing that matches ${says} was said`] : []),
    ],
  };
}

/** A migration of a later release, noticed by a pod that runs, by one that starts, and by the migrations of this release. */
async function tryNewerSchema(scene: Scene): Promise<Finding> {
  const { commands, image, say } = scene;
  const says = /the schema is too new: it needs a release that knows migration 9999; this one ends with \d{4}/;
  say('a schema that is too new');
  const install = () =>
    tryInstall(commands, { name: NAME, timeout: TIME_TO_START, chart: chartArguments(image, ON_ITS_OWN) });
  const first = await install();
  await sql(commands, 'wrong', NEEDS_MORE);
  const ofRunning = await untilSaid(scene, 'log', says);
  const [running] = await podsOf(commands, SERVICE, NAME);
  await commands.tryKubectl(['delete', 'pod', running?.name ?? '', '--wait']);
  const ofStarting = await untilSaid(scene, 'log', says);
  const [starting] = await podsOf(commands, SERVICE, NAME);
  const again = await install();
  const ofMigration = await untilSaid(scene, 'migration', says);
  await commands.tryHelm(['uninstall', NAME, '--wait']);
  return {
    promise: 'a schema that is too new is named by whatever meets it',
    figure: ofStarting ?? 'nothing was said',
    broken: [
      ...(first.code === 0 ? [] : [textOf(first).trim()]),
      ...(ofRunning === null ? ['the pod that ran did not say so'] : []),
      ...(ofStarting === null ? ['the pod that started did not say so'] : []),
      ...(starting?.isReady === false ? [] : ['the pod that started is ready']),
      ...(ofMigration === null ? ['the migration did not say so'] : []),
      ...(again.code === 0 ? ['helm upgraded it'] : []),
    ],
  };
}

const NEEDS_MORE = `
  SET ROLE wrong_owner;
  CREATE TABLE IF NOT EXISTS schema_needs (migration text PRIMARY KEY, needs text NOT NULL);
  INSERT INTO schema_needs VALUES ('9999_later', '9999');
  GRANT SELECT ON schema_needs TO wrong;`;

/** The line that says it; null where none has within the time. */
async function untilSaid(scene: Scene, where: Place, says: RegExp): Promise<string | null> {
  let line: string | null = null;
  const isSaid = async () => (line = lineIn(await textAt(scene, where), says)) !== null;
  await until(isSaid, TIME_TO_SAY_MS).catch(() => false);
  return line;
}

/** Events are told by Kubernetes, logs by pods of the service or of its migration, the ones before a restart too. */
async function textAt({ commands }: Scene, where: Place): Promise<string> {
  const { tryKubectl } = commands;
  if (where === 'events') return textOf(await tryKubectl(['get', 'events', '--output', 'custom-columns=:.message']));
  const pods = await podsOf(commands, where === 'migration' ? `migrate-${SERVICE}` : SERVICE, NAME);
  const logs = pods.flatMap(({ name }) => [tryKubectl(['logs', name]), tryKubectl(['logs', name, '--previous'])]);
  return (await Promise.all(logs)).map(textOf).join('\n');
}

function textOf({ stdout, stderr }: Said): string {
  return `${stdout}\n${stderr}`;
}

function lineIn(text: string, says: RegExp): string | null {
  return (
    text
      .split('\n')
      .find((line) => says.test(line))
      ?.trim() ?? null
  );
}

function camelCase(service: string): string {
  return service.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
