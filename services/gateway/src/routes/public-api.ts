import type { RequestListener } from 'node:http';
import express from 'express';
import type { Request, Response } from 'express';
import type { Caller } from '@pfq/kit/caller';
import { isId } from '@pfq/kit/ids';
import { count } from '@pfq/kit/telemetry/metrics';
import { requireEnabledMode, requireScope, requireTestMode, requireUsableKey } from '../domain/access.ts';
import type { Access } from '../domain/access.ts';
import { exceededOf, requireWithinLimits } from '../domain/rate-limits.ts';
import type { Answer } from './answer.ts';
import { authenticate } from './authenticate.ts';
import { readBody } from './body.ts';
import { converse } from './conversation.ts';
import type { ConversationOptions, Refuse } from './conversation.ts';
import { ENDPOINTS } from './endpoints.ts';
import type { EndpointDeps } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { matchEndpoint } from './match.ts';
import { notFound } from './not-found.ts';
import { observedDocument } from './observed-document.ts';
import { performOnce } from './once.ts';
import type { OnceDeps } from './once.ts';
import { splitTarget, toOriginForm } from './target.ts';
import { takingTurns } from './turns.ts';

export type PublicApiOptions = EndpointDeps &
  ConversationOptions &
  OnceDeps & {
    /** Longest time from the end of a request's body to its answer. */
    readonly requestTimeoutMs: number;
    /** What is served without a key, by the path it is at; unless that names a file, what is below it too. */
    readonly documents: Readonly<Record<string, RequestListener>>;
  };

/** Making sense of a body of 2 MB takes a tenth of a second and more, in which this process serves nobody else. */
const LARGE_BYTES = 256 * 1024;

/** The public API: everything under /v1 needs a key, and beside it there are only documents. */
export function publicApi(options: PublicApiOptions): RequestListener {
  const app = express();
  const takeTurn = takingTurns();
  app.disable('x-powered-by').enable('case sensitive routing').enable('strict routing');
  app.use('/v1', (request, response) =>
    converse(request, response, {
      ...options,
      path: splitTarget(request.originalUrl).path,
      answer: (exchange, refuse) => answerEndpoint({ request, response, exchange, refuse, takeTurn }, options),
    }),
  );
  for (const [path, document] of Object.entries(options.documents)) {
    const serve = observedDocument(path, document, options);
    if (path.includes('.')) app.all(path, serve);
    else app.use(path, serve);
  }
  app.use((request, response) => {
    const { path } = splitTarget(request.originalUrl);
    return converse(request, response, { ...options, path, answer: () => Promise.reject(notFound()) });
  });
  return (request, response) => {
    request.url = toOriginForm(request.url ?? '');
    app(request, response);
  };
}

type Conversing = {
  readonly request: Request;
  readonly response: Response;
  readonly exchange: Exchange;
  readonly refuse: Refuse;
  readonly takeTurn: ReturnType<typeof takingTurns>;
};

/** The checks in the order of the contract; each refusal ends the request. */
async function answerEndpoint(
  { request, response, exchange, refuse, takeTurn }: Conversing,
  options: PublicApiOptions,
): Promise<Answer> {
  const { path, query } = splitTarget(request.originalUrl);
  const match = matchEndpoint(ENDPOINTS, { method: request.method, path });
  exchange.match = match;
  noteQuote(exchange, match.kind === 'endpoint' ? match.path['id'] : undefined);
  const isNewQuote =
    match.kind === 'endpoint' && match.endpoint.method === 'POST' && match.endpoint.isNewQuote === true;
  const access = await authenticate(request.headersDistinct['authorization'], { store: options.access, isNewQuote });
  exchange.access = access;
  requireUsableKey(access);
  requireEnabledMode(access);
  countRefusals(access);
  requireWithinLimits(access.windows, access.now);
  if (match.kind === 'unknown') throw notFound();
  if (match.kind === 'other_method') return { status: 405, body: null, headers: { Allow: match.allow } };
  const version = options.versions.choose(request.get('Service-Version'));
  exchange.version = version;
  const endpoint = options.versions.speak(match.endpoint, version);
  if (endpoint.method === 'POST' && endpoint.isTestHelper) requireTestMode(access);
  if (endpoint.scope !== null) requireScope(access, endpoint.scope);
  const key = endpoint.method === 'POST' ? readIdempotencyKey(request) : null;
  const body = endpoint.method === 'POST' ? await readBody(request, response) : Buffer.alloc(0);
  const deadline = options.clock() + options.requestTimeoutMs;
  const remainingMs = () => Math.max(0, Math.floor(deadline - options.clock()));
  if (body.length > LARGE_BYTES) await takeTurn(() => response.destroyed);
  const { requestId } = exchange;
  const caller: Caller = { requestId, tenant: { agencyId: access.agencyId, mode: access.mode } };
  const accepted = { access, caller, version, remainingMs, path: match.path, query, body };
  if (endpoint.method === 'GET') return endpoint.read(accepted, options);
  const write = await endpoint.prepare(accepted, options);
  const keyed = key === null ? null : { ...accepted, key, method: request.method, target: path, refuse };
  const answer = keyed ? await performOnce(write, keyed, options) : await write.perform();
  if (isNewQuote) noteQuote(exchange, answer.replay?.writeId ?? write.writeId);
  if (answer.replay) noteReplay(exchange, answer);
  return answer;
}

/** What is no id may be anything, a secret too. */
function noteQuote(exchange: Exchange, quoteId: string | undefined): void {
  if (quoteId !== undefined && isId('qte_', quoteId)) exchange.quoteId = quoteId;
}

/** Of the refusals, INTERNAL alone is recorded. */
function noteReplay(exchange: Exchange, { replay, status }: Answer): void {
  if (replay?.requestId) exchange.replayOf = replay.requestId;
  if (status === 500) exchange.code = 'INTERNAL';
}

function countRefusals({ windows, mode }: Access): void {
  for (const { name } of exceededOf(windows)) count('pfq.limit.refusals', { 'pfq.limit': name, 'pfq.mode': mode });
}
