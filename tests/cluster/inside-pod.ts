import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Commands } from './commands.ts';
import type { Answers, Orders } from './inside/callers.ts';
import type { MailLine } from './inside/mail-server.ts';
import type { Work } from './inside/one-caller.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PFQ = 'services/operator/src/main.ts';
const ASK = '/programs/tests/cluster/inside/ask.ts';
const NODE = '/usr/local/bin/node';
const BROKER = { email: 'avery.stone@cluster.example', name: 'Avery Stone' };
const SCOPES = 'quotes:write,quotes:read,applications:read';
const RATES = { source: 'Invented for the test.', rates: { 1: 0.04, 12: 0.04 } };

/** Gives an order to the callers, and their answer. */
export async function order<Name extends keyof Orders>(
  { kubectl }: Commands,
  name: Name,
  content: Orders[Name],
): Promise<Answers[Name]> {
  const said = await kubectl(['exec', '--stdin', 'callers', '--', NODE, ASK, name], JSON.stringify(content));
  return JSON.parse(said);
}

/** Runs a small program in a pod of the product's image. */
export function runInPod({ tryKubectl }: Commands, pod: string, program: string) {
  return tryKubectl(['exec', pod, '--', NODE, '--eval', program]);
}

/** Every mail that came so far. */
export async function mailsOf({ kubectl }: Commands): Promise<readonly MailLine[]> {
  const lines = (await kubectl(['logs', 'mail'])).split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line): MailLine => JSON.parse(line));
}

/** An agency with reference data, applications and two keys, as an operator makes them. */
export async function makeAgency(commands: Commands): Promise<Work['keys']> {
  const pfq = async (...words: readonly string[]): Promise<Readonly<Record<string, string>>> =>
    JSON.parse(await commands.kubectl(['exec', 'callers', '--', NODE, PFQ, ...words, '--json']));
  const example = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
  const today = new Date().toISOString().slice(0, 10);
  await pfq('carriers', 'load', await put(commands, 'carriers.csv', example('deploy/local/demo/carriers.csv')));
  await pfq('rates', 'load', await put(commands, 'rates.json', JSON.stringify({ as_of: today, ...RATES })));
  const { id: agency = '' } = await pfq('agency', 'create', '--name', 'Cluster Agency');
  await pfq('agency', 'switch', agency, '--live', 'on', '--test', 'on');
  await pfq('broker', 'create', '--agency', agency, '--email', BROKER.email, '--name', BROKER.name);
  const applications = example('tests/examples/applications.ndjson').replaceAll(/agy_0{22}/g, agency);
  await pfq('applications', 'import', await put(commands, 'applications.ndjson', applications));
  const owner = [
    '--agency',
    agency,
    '--type',
    'agency',
    '--broker',
    BROKER.email,
    '--scopes',
    SCOPES,
    '--name',
    'Load',
  ];
  const { key: test = '' } = await pfq('key', 'create', '--mode', 'test', ...owner);
  const { key: live = '' } = await pfq('key', 'create', '--mode', 'live', ...owner);
  return { test, live };
}

/** Writes a file into the callers' pod. Gives where it is there. */
async function put({ kubectl }: Commands, name: string, content: string): Promise<string> {
  const file = `/tmp/${name}`;
  const write = `require('fs').writeFileSync('${file}', require('fs').readFileSync(0))`;
  await kubectl(['exec', '--stdin', 'callers', '--', NODE, '--eval', write], content);
  return file;
}

/** Runs a statement on the PostgreSQL of the test, as its superuser. Gives the lines that it prints. */
export async function sql({ kubectl }: Commands, database: string, statement: string): Promise<readonly string[]> {
  const psql = [
    'psql',
    '--username=postgres',
    `--dbname=${database}`,
    '--no-psqlrc',
    '--tuples-only',
    '--no-align',
    '--quiet',
  ];
  const said = await kubectl(['exec', '--stdin', 'postgres-0', '--', ...psql, '--set=ON_ERROR_STOP=1'], statement);
  return said.trim().split('\n');
}
