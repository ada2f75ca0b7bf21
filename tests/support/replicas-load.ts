import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { PublicQuote } from './examples.ts';
import { respond } from './insured.ts';

type Load = {
  readonly gatewayUrl: string;
  readonly keys: { readonly test: string; readonly live: string };
  /** Of a quote that has options. */
  readonly body: string;
  /** How many callers there are at once. */
  readonly callers: number;
};

export type RunningLoad = {
  /** How much was done so far. */
  readonly done: () => number;
  readonly failures: readonly string[];
  /** Live quotes to which an insured has responded. */
  readonly interested: readonly string[];
  /** Lets what is under way come to its end. */
  readonly stop: () => Promise<void>;
};

/** Between two requests of a caller: connections lie idle, and may be asked again at any moment. */
const MOST_IDLE_MS = 60;

/** Less than the time after which answers tell callers to leave an idle connection. */
const JUST_USED_MS = 2_000;

type Answer = { readonly status: number; readonly text: string; readonly isReplay: boolean };

/** Callers who keep their connections and try nothing again: each creates quotes, reads them, lists, and looks at pages. */
export function startLoad({ gatewayUrl, keys, body, callers }: Load): RunningLoad {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const failures: string[] = [];
  const interested: string[] = [];
  const uses = new WeakMap<Socket, { readonly atMs: number; readonly isAnnounced: boolean }>();
  let done = 0;
  const stopping = new AbortController();

  async function expect(what: string, status: number, asking: Promise<Answer>): Promise<Answer> {
    const answer = await asking;
    await wait(Math.random() * MOST_IDLE_MS);
    if (answer.status !== status) throw new Error(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
    done += 1;
    return answer;
  }

  /** Nobody may close a connection that was just used, unless its last answer said so. */
  function takeNote(socket: Socket, isAnnounced: boolean): void {
    if (!uses.has(socket)) {
      socket.once('close', () => {
        const use = uses.get(socket);
        const isInUse = use !== undefined && performance.now() - use.atMs < JUST_USED_MS;
        if (isInUse && !use.isAnnounced && !stopping.signal.aborted) failures.push('a connection was closed in use');
      });
    }
    uses.set(socket, { atMs: performance.now(), isAnnounced });
  }

  const ask = (method: string, url: string, headers: Record<string, string> = {}, sent = '') =>
    new Promise<Answer>((resolve, reject) => {
      const asking = request(url, { method, agent, headers }, (response) => {
        const { statusCode: status = 0, headers: got } = response;
        takeNote(response.socket, got.connection === 'close');
        const isReplay = got['idempotent-replayed'] === 'true';
        text(response).then((said) => resolve({ status, text: said, isReplay }), reject);
      });
      asking.on('error', reject).end(sent);
    });

  async function createQuote(key: string, idempotencyKey?: string): Promise<PublicQuote> {
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    };
    const { text: said } = await expect('create', 201, ask('POST', `${gatewayUrl}/v1/quotes`, headers, body));
    return JSON.parse(said);
  }

  async function work(turn: number): Promise<void> {
    const test = { Authorization: `Bearer ${keys.test}` };
    const plain = await createQuote(keys.test);
    const idempotencyKey = randomUUID();
    const keyed = await createQuote(keys.test, idempotencyKey);
    const again = await createQuote(keys.test, idempotencyKey);
    if (again.id !== keyed.id) throw new Error(`a replay gave ${again.id} for ${keyed.id}`);
    await expect('read', 200, ask('GET', `${gatewayUrl}/v1/quotes/${plain.id}`, test));
    await expect('page', 200, ask('GET', plain.hosted_url ?? ''));
    const live = { Authorization: `Bearer ${keys.live}` };
    await expect('list', 200, ask('GET', `${gatewayUrl}/v1/applications?limit=5`, live));
    if (turn % 4 === 0) await expressInterest();
  }

  async function expressInterest(): Promise<void> {
    const { id, hosted_url, recommended_option_id } = await createQuote(keys.live);
    const answer = await respond(hosted_url ?? '', recommended_option_id ?? '');
    if (answer.status >= 400) throw new Error(`interest: ${answer.status}`);
    interested.push(id);
    done += 1;
  }

  async function keepWorking(): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      try {
        await work(turn);
      } catch (error) {
        failures.push(inspect(error));
      }
    }
  }

  const working = Array.from({ length: callers }, keepWorking);
  return {
    done: () => done,
    failures,
    interested,
    async stop() {
      stopping.abort();
      await Promise.all(working);
      agent.destroy();
    },
  };
}
