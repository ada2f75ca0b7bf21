import path from 'node:path';
import { exampleRequest } from './example-request.ts';
import { answers } from './http-health.ts';
import { isRecord, readJson, writeWhole } from './local-folder.ts';
import { Problem } from './problem.ts';
import type { Demo } from './seed.ts';

/** A quote that is there to be looked at, and the id of the request that made it. */
export type DemoQuote = { readonly id: string; readonly hosted_url: string; readonly request_id: string };
/** Null where the gateway would not make one, as when the demo agency's access was switched off. */
export type DemoQuotes = Readonly<Record<Mode, DemoQuote | null>>;

type Mode = 'test' | 'live';
type Kept = DemoQuote & { readonly expires_at: string };
type Making = {
  /** The stack's own; what was made is kept there beside the demo agency. */
  readonly folder: string;
  readonly keys: Demo['keys'];
  readonly gatewayUrl: string;
  readonly hostedUrl: string;
  readonly say: (line: string) => void;
};

/** One quote of each mode, made through the public API, and found again until it has a response, expires or its link leads nowhere. */
export async function makeDemoQuotes(making: Making): Promise<DemoQuotes> {
  const file = path.join(making.folder, 'demo.json');
  const demo = readJson(file);
  const kept = isRecord(demo) && isRecord(demo['demo_quotes']) ? demo['demo_quotes'] : {};
  const [test, live] = await Promise.all([
    findOrMake('test', kept['test'], making),
    findOrMake('live', kept['live'], making),
  ]);
  writeWhole(file, { ...(isRecord(demo) && demo), demo_quotes: { test, live } });
  return { test: withoutExpiry(test), live: withoutExpiry(live) };
}

async function findOrMake(mode: Mode, kept: unknown, making: Making): Promise<Kept | null> {
  if (isKept(kept) && Date.parse(kept.expires_at) > Date.now()) {
    // The page may have another address at every start.
    const moved = { ...kept, hosted_url: making.hostedUrl + new URL(kept.hosted_url).pathname };
    if ((await answers(moved.hosted_url)) && !(await isAnswered(mode, kept.id, making))) return moved;
  }
  return make(mode, making);
}

/** False where the API does not say: a link goes on working without a key. */
async function isAnswered(mode: Mode, id: string, { keys, gatewayUrl }: Making): Promise<boolean> {
  const headers = { Authorization: `Bearer ${keys[mode]}` };
  const read = async (): Promise<unknown> => (await fetch(`${gatewayUrl}/v1/quotes/${id}`, { headers })).json();
  const quote = await read().catch(() => null);
  return isRecord(quote) && quote['status'] === 'interested';
}

async function make(mode: Mode, { keys, gatewayUrl, say }: Making): Promise<Kept | null> {
  const asked = fetch(`${gatewayUrl}/v1/quotes`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${keys[mode]}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(exampleRequest(new Date())),
  });
  const response = await asked.catch((error: unknown) => {
    throw new Problem('the demo quotes cannot be made: the gateway does not answer.', error);
  });
  const answer: unknown = await response.json();
  const made = isRecord(answer) && { ...answer, request_id: response.headers.get('Request-Id') };
  if (isKept(made)) {
    const { id, hosted_url, expires_at, request_id } = made;
    return { id, hosted_url, expires_at, request_id };
  }
  const error = isRecord(answer) && isRecord(answer['error']) ? answer['error'] : {};
  const message = typeof error['message'] === 'string' ? ` ${error['message']}` : '';
  say(`there is no ${mode} demo quote: ${response.status}${message}`);
  return null;
}

function withoutExpiry(kept: Kept | null): DemoQuote | null {
  return kept && { id: kept.id, hosted_url: kept.hosted_url, request_id: kept.request_id };
}

function isKept(value: unknown): value is Kept {
  const members = ['id', 'hosted_url', 'expires_at', 'request_id'];
  return isRecord(value) && members.every((name) => typeof value[name] === 'string');
}
