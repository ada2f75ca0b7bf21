import type { IncomingMessage, RequestListener } from 'node:http';
import express from 'express';
import type { Request, Response } from 'express';
import { readTraceparent } from '@pfq/kit/caller';
import type { Caller } from '@pfq/kit/caller';
import { requireEnabledMode, requireScope, requireTestMode } from '../domain/access.ts';
import type { Access } from '../domain/access.ts';
import { requireWithinLimits } from '../domain/rate-limits.ts';
import type { Answer } from './answer.ts';
import { authenticate } from './authenticate.ts';
import { readBody } from './body.ts';
import { converse } from './conversation.ts';
import type { ConversationOptions, Exchange, Refuse } from './conversation.ts';
import { ENDPOINTS } from './endpoints.ts';
import type { EndpointDeps } from './endpoint.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { matchEndpoint } from './match.ts';
import { notFound } from './not-found.ts';
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
      answer: (exchange, refuse) => answerEndpoint({ request, response, exchange, refuse, takeTurn }, options),
    }),
  );
  for (const [path, serve] of Object.entries(options.documents)) {
    if (path.includes('.')) app.all(path, serve);
    else app.use(path, serve);
  }
  app.use((request, response) => converse(request, response, { ...options, answer: () => Promise.reject(notFound()) }));
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
  const isNewQuote =
    match.kind === 'endpoint' && match.endpoint.method === 'POST' && match.endpoint.isNewQuote === true;
  const access = await authenticate(request.headersDistinct['authorization'], { store: options.access, isNewQuote });
  exchange.access = access;
  requireEnabledMode(access);
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
  const caller = callerOf(request, exchange, access);
  const accepted = { access, caller, version, remainingMs, path: match.path, query, body };
  if (endpoint.method === 'GET') return endpoint.read(accepted, options);
  const write = await endpoint.prepare(accepted, options);
  if (key === null) return write.perform();
  return performOnce(write, { ...accepted, key, method: request.method, target: path, refuse }, options);
}

function callerOf({ headers }: IncomingMessage, { requestId }: Exchange, { agencyId, mode }: Access): Caller {
  const traceparent = readTraceparent(String(headers['traceparent'] ?? ''));
  return { requestId, traceparent, tenant: { agencyId, mode } };
}
