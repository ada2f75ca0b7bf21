// Run in a pod inside the cluster: callers of the public API, told what to do on a port that only `ask.ts` in the pod reaches.
import { Agent, createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { keepCalling, lastingHash, send, shorten } from './one-caller.ts';
import type { Tally, Work } from './one-caller.ts';

export type Orders = {
  readonly start: Work & { readonly callers: number };
  /** Ends the callers. */
  readonly stop: null;
  /** Gives what was seen since the last report; quotes stay. */
  readonly report: null;
  /** Reads every quote again. */
  readonly check: null;
  /** Reads what pods show. */
  readonly look: { readonly urls: readonly string[] };
};

export type Answers = {
  readonly start: null;
  readonly stop: null;
  readonly report: {
    readonly requests: number;
    readonly failures: readonly string[];
    readonly repeats: number;
    readonly lost: number;
    readonly quotes: number;
    readonly interested: readonly string[];
  };
  /** Quotes that are gone, or not what they were. */
  readonly check: { readonly read: number; readonly wrong: readonly string[] };
  readonly look: readonly string[];
};

const READERS = 16;
const SHOWN = 50;

const tally: Tally = { requests: 0, failures: [], repeats: 0, lost: 0, quotes: new Map(), interested: [] };
let stopping = new AbortController();
let calling: Promise<void>[] = [];
let work: Work | null = null;

const does: { readonly [Name in keyof Orders]: (order: Orders[Name]) => Answers[Name] | Promise<Answers[Name]> } = {
  start({ callers, ...given }) {
    work = given;
    stopping = new AbortController();
    calling = Array.from({ length: callers }, () => keepCalling(given, tally, stopping.signal));
    return null;
  },
  async stop() {
    stopping.abort();
    await Promise.all(calling);
    return null;
  },
  report() {
    const { requests, repeats, lost, quotes, interested } = tally;
    const failures = tally.failures.splice(0);
    const more = failures.length > SHOWN ? [`and ${failures.length - SHOWN} more`] : [];
    Object.assign(tally, { requests: 0, repeats: 0 });
    return {
      requests,
      failures: [...failures.slice(0, SHOWN), ...more],
      repeats,
      lost,
      quotes: quotes.size,
      interested,
    };
  },
  async check() {
    const agent = new Agent({ keepAlive: true, maxSockets: READERS });
    const waiting = [...tally.quotes];
    const wrong: string[] = [];
    const read = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const [id, { mode, hash }] = next;
        const headers = { Authorization: `Bearer ${work?.keys[mode]}` };
        const answer = await send(agent, new URL(`/v1/quotes/${id}`, work?.gatewayUrl), {
          method: 'GET',
          headers,
          body: '',
        });
        if (answer.status !== 200) wrong.push(`${id}: ${answer.status} ${shorten(answer.text)}`);
        else if (lastingHash(answer.text) !== hash) wrong.push(`${id}: is not what it was`);
      }
    };
    await Promise.all(Array.from({ length: READERS }, read));
    return { read: tally.quotes.size, wrong };
  },
  look: ({ urls }) => Promise.all(urls.map(async (url) => (await fetch(url)).text())),
};

// The signal of a pod that is to go; nobody waits for what is under way.
process.on('SIGTERM', () => process.exit(0));
createServer((asked, answer) => {
  const order = Object.entries(does).find(([name]) => asked.url === `/${name}`)?.[1] as
    | ((order: unknown) => unknown)
    | undefined;
  json(asked)
    .then((content) => order?.(content))
    .then(
      (done) => answer.end(JSON.stringify(done ?? null)),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    );
}).listen(8090, '127.0.0.1');
