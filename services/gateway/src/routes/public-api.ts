import type { IncomingMessage, RequestListener } from 'node:http';
import express from 'express';
import type { Request, Response } from 'express';
import type { Caller } from '@pfq/kit/caller';
import { requireScope } from '../domain/access.ts';
import type { Access } from '../domain/access.ts';
import { chooseVersion } from '../domain/api-version.ts';
import type { Answer } from './answer.ts';
import { authenticate } from './authenticate.ts';
import { readBody } from './body.ts';
import { converse } from './conversation.ts';
import type { ConversationOptions, Exchange } from './conversation.ts';
import { ENDPOINTS } from './endpoints.ts';
import type { EndpointDeps } from './endpoint.ts';
import { matchEndpoint } from './match.ts';
import { notFound } from './not-found.ts';
import { pathOf, toOriginForm } from './target.ts';

export type PublicApiOptions = EndpointDeps &
  ConversationOptions & {
    /** Longest time from the end of a request's body to its answer. */
    readonly requestTimeoutMs: number;
  };

/** W3C Trace Context, version 00: anything else is not handed on. */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The public API: everything under /v1 needs a key, any other path is unknown. */
export function publicApi(options: PublicApiOptions): RequestListener {
  const app = express();
  app.disable('x-powered-by').enable('case sensitive routing');
  app.use('/v1', (request, response) =>
    converse(request, response, {
      ...options,
      answer: (exchange) => answerEndpoint({ request, response, exchange }, options),
    }),
  );
  app.use((request, response) => converse(request, response, { ...options, answer: () => Promise.reject(notFound()) }));
  return (request, response) => {
    request.url = toOriginForm(request.url ?? '');
    app(request, response);
  };
}

type Conversing = { readonly request: Request; readonly response: Response; readonly exchange: Exchange };

/** The checks in the order of the contract; each refusal ends the request. */
async function answerEndpoint({ request, response, exchange }: Conversing, options: PublicApiOptions): Promise<Answer> {
  const match = matchEndpoint(ENDPOINTS, { method: request.method, path: pathOf(request.originalUrl) });
  exchange.match = match;
  const access = await authenticate(request.headers.authorization, options.access);
  exchange.access = access;
  if (match.kind === 'unknown') throw notFound();
  if (match.kind === 'other_method') return { status: 405, body: null, headers: { Allow: match.allow } };
  exchange.version = chooseVersion(request.get('Service-Version'));
  const { endpoint, path } = match;
  if (endpoint.scope !== null) requireScope(access, endpoint.scope);
  const body = endpoint.method === 'POST' ? await readBody(request, response) : Buffer.alloc(0);
  const deadline = options.clock() + options.requestTimeoutMs;
  const remainingMs = () => Math.max(0, Math.floor(deadline - options.clock()));
  return endpoint.handle({ access, caller: callerOf(request, exchange, access), remainingMs, path, body }, options);
}

function callerOf({ headers }: IncomingMessage, { requestId }: Exchange, { agencyId, mode }: Access): Caller {
  const traceparent = String(headers['traceparent'] ?? '');
  const tenant = { agencyId, mode };
  return { requestId, tenant, ...(TRACEPARENT.test(traceparent) && { traceparent }) };
}
