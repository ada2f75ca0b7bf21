import { runCommand } from '@pfq/operator/cli';
import { SCOPES } from '@pfq/operator/words';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord, readJson, writeWhole } from './local-folder.ts';
import { Problem } from './problem.ts';

/** Where the services' admin RPCs are and what opens them: the operator's part of `stack.json`. */
export type OperatorAccess = {
  readonly gateway_url: string;
  readonly pricing_url: string;
  readonly application_url: string;
  readonly notification_url: string;
  readonly token: string;
};

/** The demo agency as `stack.json` shows it. The secrets of its keys are kept only in this stack's own folder. */
export type Demo = {
  readonly agency_id: string;
  readonly brokers: readonly { readonly id: string; readonly email: string; readonly name: string }[];
  readonly keys: Readonly<Record<'test' | 'live' | 'broker_test' | 'broker_live', string>>;
};

/** What the folder keeps: the first member once the applications are in, the second once there are demo quotes. */
type Made = Demo & { readonly has_applications?: true; readonly demo_quotes?: unknown };

/** `folder` is the stack's own. */
type Seeding = { readonly folder: string; readonly operator: OperatorAccess };
type Pfq = (...words: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;

const RATES = {
  source: 'Invented for the demo: flat, so that every term has the same base.',
  rates: { 1: 0.04, 12: 0.04 },
};
const OWNER = { email: 'avery.stone@demo-agency.example', name: 'Avery Stone' };
const COLLEAGUE = { email: 'jordan.wells@demo-agency.example', name: 'Jordan Wells' };

/** Deals of both brokers; whose agency they are is filled in. */
const APPLICATIONS = path.join(import.meta.dirname, '../../tests/examples/applications.ndjson');

/**
 * Fills an empty stack through the operator's own command: reference data and one agency with live access, test mode,
 * two brokers, four keys and 200 applications. What it made is kept in `folder` and returned from then on, until the
 * database forgets it.
 */
export async function seedDemo({ folder, operator }: Seeding): Promise<Demo> {
  const file = path.join(folder, 'demo.json');
  const pfq = commandOf({ folder, operator });
  const { has_applications: isComplete, demo_quotes: _, ...demo } = await findOrMake(file, pfq);
  if (isComplete) return demo;
  await importApplications(demo.agency_id, { pfq, folder });
  writeWhole(file, { ...demo, has_applications: true });
  return demo;
}

/** What is made is kept before it gets applications: their ids belong to one agency, so another try must find the same. */
async function findOrMake(file: string, pfq: Pfq): Promise<Made> {
  const known = readJson(file);
  if (isMade(known) && (await isStored(known, pfq))) return known;
  const [demo] = await Promise.all([createAgency(pfq), loadReferenceData(pfq, path.dirname(file))]);
  writeWhole(file, demo);
  return demo;
}

async function isStored({ agency_id: id }: Demo, pfq: Pfq): Promise<boolean> {
  const { data } = await pfq('agency', 'list');
  return Array.isArray(data) && data.some((agency) => isRecord(agency) && agency['id'] === id);
}

/** Without an age limit on rates, today's sheet serves the demo for ever. All other settings are the defaults. */
async function loadReferenceData(pfq: Pfq, folder: string): Promise<void> {
  const load = (content: object, ...words: readonly string[]) =>
    withFile(path.join(folder, `${words.join('-')}.json`), JSON.stringify(content), (file) => pfq(...words, file));
  await pfq('carriers', 'load', path.join(import.meta.dirname, 'demo/carriers.csv'));
  await load({ ...(await pfq('settings', 'show')), rate_sheet_max_age_days: null }, 'settings', 'set');
  await load({ as_of: new Date().toISOString().slice(0, 10), ...RATES }, 'rates', 'load');
}

async function importApplications(agencyId: string, { pfq, folder }: { pfq: Pfq; folder: string }): Promise<void> {
  const lines = readFileSync(APPLICATIONS, 'utf8').replaceAll(/"agency_id":"\w+"/g, `"agency_id":"${agencyId}"`);
  await withFile(path.join(folder, 'applications.ndjson'), lines, (file) => pfq('applications', 'import', file));
}

/** Does something with a file that is there only as long as that takes. */
async function withFile(file: string, content: string, work: (file: string) => Promise<unknown>): Promise<void> {
  writeFileSync(file, content, { mode: 0o600 });
  await work(file).finally(() => rmSync(file));
}

async function createAgency(pfq: Pfq): Promise<Demo> {
  const agency = textOf(await pfq('agency', 'create', '--name', 'Demo Agency'), 'id');
  await pfq('agency', 'switch', agency, '--live', 'on', '--test', 'on');
  const brokers: Demo['brokers'][number][] = [];
  for (const { email, name } of [OWNER, COLLEAGUE]) {
    const created = await pfq('broker', 'create', '--agency', agency, '--email', email, '--name', name);
    brokers.push({ id: textOf(created, 'id'), email, name });
  }
  const createKey = async (mode: 'live' | 'test', type: 'agency' | 'broker') => {
    const options = { agency, mode, type, broker: OWNER.email, scopes: SCOPES.join(','), name: `Demo ${type} ${mode}` };
    const words = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
    return textOf(await pfq('key', 'create', ...words), 'key');
  };
  const [test, live, brokerTest, brokerLive] = await Promise.all([
    createKey('test', 'agency'),
    createKey('live', 'agency'),
    createKey('test', 'broker'),
    createKey('live', 'broker'),
  ]);
  const keys = { test, live, broker_test: brokerTest, broker_live: brokerLive };
  return { agency_id: agency, brokers, keys };
}

/** The operator's command, run within this process: thirteen processes of their own would take ten times as long. */
function commandOf({ folder, operator }: Seeding): Pfq {
  const environment = {
    PFQ_OPERATOR_GATEWAY_URL: operator.gateway_url,
    PFQ_OPERATOR_PRICING_URL: operator.pricing_url,
    PFQ_OPERATOR_APPLICATION_URL: operator.application_url,
    PFQ_OPERATOR_NOTIFICATION_URL: operator.notification_url,
    PFQ_OPERATOR_TOKEN: operator.token,
  };
  return async (...words) => {
    let [output, errors] = ['', ''];
    const exitCode = await runCommand([...words, '--json'], {
      environment,
      workingFolder: folder,
      projectFolder: folder,
      actor: 'npm start',
      write: (text) => (output += text),
      writeError: (text) => (errors += text),
      showProgress: () => {},
      whenToldToStop: () => () => {},
    });
    const answer: unknown = exitCode === 0 ? JSON.parse(output) : null;
    if (isRecord(answer)) return answer;
    const said = exitCode === 0 ? 'it printed no object' : errors.replace(/^pfq: /, '').trim();
    throw new Problem(`the demo agency cannot be made: pfq ${words.slice(0, 2).join(' ')}: ${said}`);
  };
}

function textOf(answer: Readonly<Record<string, unknown>>, field: string): string {
  const value = answer[field];
  if (typeof value === 'string') return value;
  throw new Problem(`the demo agency cannot be made: pfq printed no ${field}`);
}

/** Written by us, whole or not at all: enough to tell it from a file that is not there. */
function isMade(value: unknown): value is Made {
  return isRecord(value) && 'agency_id' in value && 'brokers' in value && 'keys' in value;
}
