import express from 'express';
import type { Express, Request, Response } from 'express';
import type { Caller } from '@pfq/kit/caller';
import type { Clock } from '@pfq/kit/clock';
import { OutcomeUnknownError, ServiceError } from '@pfq/kit/errors';
import { newId } from '@pfq/kit/ids';
import type { Logger } from '@pfq/kit/log';
import { requireScope } from '../domain/access.ts';
import type { Access } from '../domain/access.ts';
import { chooseVersion, CURRENT_VERSION } from '../domain/api-version.ts';
import { errorAnswer, send } from './answer.ts';
import type { Answer } from './answer.ts';
import { authenticate } from './authenticate.ts';
import { readBody, RequestAborted } from './body.ts';
import { ENDPOINTS } from './endpoints.ts';
import type { EndpointDeps } from './endpoints.ts';
import { matchEndpoint, unknownPath } from './match.ts';
import type { Match } from './match.ts';

export type PublicApiOptions = EndpointDeps & {
  readonly keyPepper: string;
  readonly docsUrl: string;
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** What becomes known of a request on its way; the log line tells it. */
type Exchange = {
  readonly requestId: string;
  readonly startedAt: number;
  version: string;
  match?: Match;
  access?: Access;
};

/** The public API: everything under /v1 needs a key, any other path is unknown. */
export function publicApi(options: PublicApiOptions): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing');
  app.use('/v1', (request, response) => converse(request, response, options, answerEndpoint));
  app.use((request, response) => converse(request, response, options, answerUnknownPath));
  return app;
}

type Answering = (request: Request, exchange: Exchange, options: PublicApiOptions) => Promise<Answer>;

/** One request from beginning to end: identify, answer, turn what was thrown into the error object, log one line. */
async function converse(
  request: Request,
  response: Response,
  options: PublicApiOptions,
  answering: Answering,
): Promise<void> {
  const startedAt = options.clock();
  const exchange: Exchange = { requestId: newId('req_', startedAt), startedAt, version: CURRENT_VERSION };
  let answer: Answer;
  try {
    answer = await answering(request, exchange, options);
  } catch (error) {
    if (error instanceof RequestAborted) return;
    answer = errorAnswer(publicErrorOf(error, exchange, options.logger), {
      requestId: exchange.requestId,
      docsUrl: options.docsUrl,
    });
  }
  response.setHeader('Request-Id', exchange.requestId);
  response.setHeader('Service-Version', exchange.version);
  send(request, response, answer);
  logRequest(request, exchange, { status: answer.status, options });
}

/** The checks in the order of the contract; each refusal ends the request. */
async function answerEndpoint(request: Request, exchange: Exchange, options: PublicApiOptions): Promise<Answer> {
  const match = matchEndpoint(ENDPOINTS, request.method, pathOf(request));
  exchange.match = match;
  const access = await authenticate(request.headers.authorization, options);
  exchange.access = access;
  if (match.kind === 'unknown') throw unknownPath();
  if (match.kind === 'other_method') return { status: 405, body: null, headers: { Allow: match.allow } };
  exchange.version = chooseVersion(request.get('Service-Version'));
  const { endpoint, path } = match;
  if (endpoint.scope !== null) requireScope(access, endpoint.scope);
  const body = endpoint.method === 'POST' ? await readBody(request) : Buffer.alloc(0);
  const remainingMs = () => exchange.startedAt + options.requestTimeoutMs - options.clock();
  return endpoint.handle({ access, caller: callerOf(request, exchange, access), remainingMs, path, body }, options);
}

function answerUnknownPath(): Promise<Answer> {
  return Promise.reject(unknownPath());
}

function callerOf(request: Request, { requestId }: Exchange, { agencyId, mode }: Access): Caller {
  return { requestId, traceparent: request.get('traceparent'), tenant: { agencyId, mode } };
}

/** The path as it was sent, without the query and not decoded. */
function pathOf(request: Request): string {
  return request.originalUrl.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*$/s, '');
}

function publicErrorOf(error: unknown, { requestId }: Exchange, logger: Logger): ServiceError {
  const expected = error instanceof ServiceError;
  if (!expected || error.code === 'SERVICE_UNAVAILABLE' || error.code === 'INTERNAL') {
    logger.error(
      {
        err: error instanceof ServiceError || error instanceof OutcomeUnknownError ? (error.cause ?? error) : error,
        request_id: requestId,
      },
      'request failed',
    );
  }
  if (expected) return error;
  return new ServiceError('INTERNAL', {
    message: 'Something went wrong on our side. Quote the request id to support.',
  });
}

function logRequest(
  request: Request,
  exchange: Exchange,
  { status, options }: { status: number; options: PublicApiOptions },
): void {
  const { requestId, startedAt, match, access } = exchange;
  const line = {
    request_id: requestId,
    method: request.method,
    route: match?.kind === 'endpoint' ? match.endpoint.path : 'unmatched',
    status,
    duration_ms: Math.round((options.clock() - startedAt) * 10) / 10,
    agency_id: access?.agencyId,
    mode: access?.mode,
  };
  options.logger.info(line, 'request');
}
