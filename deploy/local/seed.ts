import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { isRecord, readJson, writeWhole } from './local-folder.ts';
import { Problem } from './problem.ts';

/** Where the services' admin RPCs are and what opens them: the operator's part of `stack.json`. */
export type OperatorAccess = { readonly gateway_url: string; readonly pricing_url: string; readonly token: string };

/** The demo agency as `stack.json` shows it. The secrets of its keys are kept only in this stack's own folder. */
export type Demo = {
  readonly agency_id: string;
  readonly brokers: readonly { readonly id: string; readonly email: string; readonly name: string }[];
  readonly keys: Readonly<Record<'test' | 'live' | 'broker_test' | 'broker_live', string>>;
};

type Seeding = {
  /** The project's folder. */
  readonly root: string;
  /** The stack's own folder. */
  readonly folder: string;
  readonly operator: OperatorAccess;
  readonly environment: Readonly<Record<string, string | undefined>>;
};
type Pfq = (...words: readonly string[]) => Promise<Readonly<Record<string, unknown>>>;

const SCOPES = 'quotes:write,quotes:read,applications:read';
const OWNER = { email: 'avery.stone@demo-agency.example', name: 'Avery Stone' };
const COLLEAGUE = { email: 'jordan.wells@demo-agency.example', name: 'Jordan Wells' };
const PFQ_TIMEOUT_MS = 30_000;

/**
 * Fills an empty stack through the operator's own command: reference data and one agency with live access, test mode,
 * two brokers and four keys. Done once: what it made is kept in `folder` and returned from then on.
 */
export async function seedDemo({ root, folder, operator, environment }: Seeding): Promise<Demo> {
  const file = path.join(folder, 'demo.json');
  const known = readJson(file);
  if (isDemo(known)) return known;
  const pfq = commandOf({ root, operator, environment });
  const [demo] = await Promise.all([createAgency(pfq), loadReferenceData(pfq, folder)]);
  writeWhole(file, demo);
  return demo;
}

/** Without an age limit on rates, the committed sheet serves the demo for ever. All other settings are the defaults. */
async function loadReferenceData(pfq: Pfq, folder: string): Promise<void> {
  const demo = path.join(import.meta.dirname, 'demo');
  await pfq('rates', 'load', path.join(demo, 'rates.json'));
  await pfq('carriers', 'load', path.join(demo, 'carriers.csv'));
  const settings = path.join(folder, 'settings.json');
  writeWhole(settings, { ...(await pfq('settings', 'show')), rate_sheet_max_age_days: null });
  await pfq('settings', 'set', settings);
  rmSync(settings);
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
    const options = { agency, mode, type, broker: OWNER.email, scopes: SCOPES, name: `Demo ${type} ${mode}` };
    const words = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
    return textOf(await pfq('key', 'create', ...words), 'key');
  };
  const keys = {
    test: await createKey('test', 'agency'),
    live: await createKey('live', 'agency'),
    broker_test: await createKey('test', 'broker'),
    broker_live: await createKey('live', 'broker'),
  };
  return { agency_id: agency, brokers, keys };
}

function commandOf({ root, operator, environment }: Omit<Seeding, 'folder'>): Pfq {
  const command = path.join(root, 'services/operator/bin/pfq.mjs');
  const env = {
    ...environment,
    PFQ_OPERATOR_GATEWAY_URL: operator.gateway_url,
    PFQ_OPERATOR_PRICING_URL: operator.pricing_url,
    PFQ_OPERATOR_TOKEN: operator.token,
    PFQ_OPERATOR_NAME: 'npm start',
  };
  return async (...words) => {
    const shown = `pfq ${words.slice(0, 2).join(' ')}`;
    try {
      const options = { env, timeout: PFQ_TIMEOUT_MS, cwd: root };
      const { stdout } = await promisify(execFile)(process.execPath, [command, ...words, '--json'], options);
      const answer: unknown = JSON.parse(stdout);
      if (isRecord(answer)) return answer;
    } catch (error) {
      const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
      throw new Problem(`the demo agency cannot be made: ${shown}: ${said}`, error);
    }
    throw new Problem(`the demo agency cannot be made: ${shown} printed no object`);
  };
}

function textOf(answer: Readonly<Record<string, unknown>>, field: string): string {
  const value = answer[field];
  if (typeof value === 'string') return value;
  throw new Problem(`the demo agency cannot be made: pfq printed no ${field}`);
}

/** Written by us, whole or not at all: enough to tell it from a file that is not there. */
function isDemo(value: unknown): value is Demo {
  return isRecord(value) && 'agency_id' in value && 'brokers' in value && 'keys' in value;
}
