import { createHash, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { respond } from '../../support/insured.ts';

export type Mode = 'test' | 'live';

export type Work = {
  readonly gatewayUrl: string;
  readonly keys: Readonly<Record<Mode, string>>;
  /** Of a quote that has options. */
  readonly body: string;
  /** Between two requests of a caller. Less than the time after which answers tell callers to leave idle connections. */
  readonly everyMs: number;
};

/** What all callers have seen together. */
export type Tally = {
  requests: number;
  /** Requests that got another answer than they must, or none. */
  readonly failures: string[];
  /** Writes that were sent again with the key that they had. */
  repeats: number;
  /** Writes of which nobody knows what became, and which their key has answered so for good. */
  lost: number;
  /** Every quote that was answered with 201: its mode, and what is to be read for it ever after. */
  readonly quotes: Map<string, { readonly mode: Mode; readonly hash: string }>;
  /** Live quotes to which an insured has responded. */
  readonly interested: string[];
};

type Answer = { readonly status: number; readonly text: string; readonly retryAfter: number };
type Quote = { readonly id: string; readonly hosted_url: string; readonly recommended_option_id: string };

/** Longer than the two minutes for which a key waits for whoever has claimed it. */
const PATIENCE_MS = 200_000;
const INTEREST_EVERY = 25;
const MOST_SHOWN = 200;

/** What a reader may compare: the link is shown once, and what an insured adds comes later. */
export function lastingHash(quote: string): string {
  const lasting = Object.entries(JSON.parse(quote) as object).filter(
    ([name]) => !['hosted_url', 'status', 'selected_option_id', 'interest'].includes(name),
  );
  return createHash('sha256').update(JSON.stringify(lasting)).digest('base64');
}

/** A caller with one connection, which it leaves where an answer says so, until told to stop. */
export async function keepCalling(work: Work, tally: Tally, stopping: AbortSignal): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const pages = new Agent({ keepAlive: true, maxSockets: 1 });
  const repeating = new Set<Promise<void>>();

  const ask = (path: string, mode: Mode, key?: string) =>
    send(agent, new URL(path, work.gatewayUrl), {
      method: key === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${work.keys[mode]}`, ...(key && { 'Idempotency-Key': key }) },
      body: key === undefined ? '' : work.body,
    });

  async function must(what: string, status: number, asking: () => Promise<Answer>): Promise<Answer | null> {
    tally.requests += 1;
    try {
      const answer = await asking();
      if (answer.status === status) return answer;
      tally.failures.push(`${now()} ${what}: ${answer.status} ${shorten(answer.text)}`);
    } catch (error) {
      tally.failures.push(`${now()} ${what}: ${shorten(inspect(error, { depth: 0 }))}`);
    }
    return null;
  }

  async function create(mode: Mode): Promise<Quote | null> {
    const key = randomUUID();
    const answer = await must('create', 201, () => ask('/v1/quotes', mode, key));
    if (answer !== null) return take(mode, answer.text);
    const again = repeat(mode, key).finally(() => repeating.delete(again));
    repeating.add(again);
    return null;
  }

  function take(mode: Mode, said: string): Quote {
    const quote: Quote = JSON.parse(said);
    tally.quotes.set(quote.id, { mode, hash: lastingHash(said) });
    return quote;
  }

  /** As a careful client does: with the same key, until there is an answer that stays. */
  async function repeat(mode: Mode, key: string): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (performance.now() < deadline) {
      await wait(1_000);
      tally.repeats += 1;
      const answer = await ask('/v1/quotes', mode, key).catch(() => null);
      if (answer?.status === 201) return void take(mode, answer.text);
      if (answer?.text.includes('IDEMPOTENCY_RECORD_LOST')) return void (tally.lost += 1);
      if (answer?.retryAfter) await wait(answer.retryAfter * 1_000);
    }
    tally.failures.push(`${now()} create: no lasting answer in ${PATIENCE_MS / 1_000} s`);
  }

  async function doTurn(turn: number): Promise<void> {
    const pause = () => wait(work.everyMs * (0.9 + Math.random() * 0.2), null, { signal: stopping });
    const mode: Mode = turn % INTEREST_EVERY === 0 ? 'live' : 'test';
    const quote = await create(mode);
    await pause();
    await must('list', 200, () => ask('/v1/applications?limit=5', 'live'));
    await pause();
    if (quote === null) return;
    await must('read', 200, () => ask(`/v1/quotes/${quote.id}`, mode));
    await pause();
    await must('page', 200, () => send(pages, new URL(quote.hosted_url), { method: 'GET', headers: {}, body: '' }));
    if (mode === 'test') return;
    const answer = await must('interest', 303, () => tap(quote));
    if (answer !== null) tally.interested.push(quote.id);
  }

  // Not all at once.
  await wait(Math.random() * work.everyMs);
  for (let turn = Math.floor(Math.random() * INTEREST_EVERY); !stopping.aborted; turn += 1) {
    await doTurn(turn).catch((error: unknown) => {
      if (!stopping.aborted) throw error;
    });
  }
  await Promise.all(repeating);
  agent.destroy();
  pages.destroy();
}

/** What leads to the log: code and request id of an answer of the API, the title of a page. */
export function shorten(said: string): string {
  const members = said.match(/"(?:code|request_id)":"[^"]*"/g)?.join(' ');
  return members ?? /<title>[^<]*/.exec(said)?.[0] ?? said.slice(0, MOST_SHOWN);
}

async function tap({ hosted_url, recommended_option_id }: Quote): Promise<Answer> {
  const { status, text: said } = await respond(hosted_url, recommended_option_id);
  return { status, text: said, retryAfter: 0 };
}

type Asked = { readonly method: string; readonly headers: Record<string, string>; readonly body: string };

export function send(agent: Agent, url: URL, { method, headers, body }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, agent, headers, timeout: 20_000 }, (response) => {
      const { statusCode: status = 0, headers: got } = response;
      const retryAfter = Number(got['retry-after'] ?? 0);
      text(response).then((said) => resolve({ status, text: said, retryAfter }), reject);
    });
    asking.on('timeout', () => asking.destroy(new Error('no answer in 20 s')));
    asking.on('error', reject).end(body);
  });
}

function now(): string {
  return new Date().toISOString().slice(11, 23);
}
