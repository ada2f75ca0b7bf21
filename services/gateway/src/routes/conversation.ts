import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@pfq/kit/clock';
import type { ErrorCode } from '@pfq/kit/error-codes';
import { ServiceError } from '@pfq/kit/errors';
import { newId } from '@pfq/kit/ids';
import type { Logger } from '@pfq/kit/log';
import type { Access } from '../domain/access.ts';
import { tightest } from '../domain/rate-limits.ts';
import type { ApiVersions } from '../versions/api-versions.ts';
import { errorAnswer, send } from './answer.ts';
import type { Answer } from './answer.ts';
import { RequestAborted } from './body.ts';
import type { Match } from './match.ts';

type RequestLogger = Pick<Logger, 'info' | 'error'>;

export type ConversationOptions = {
  readonly docsUrl: string;
  readonly versions: Pick<ApiVersions, 'current'>;
  readonly clock: Clock;
  readonly logger: RequestLogger;
};

/** What becomes known of a request on its way: the answer's headers and the log line tell it. */
export type Exchange = {
  readonly requestId: string;
  readonly startedAt: number;
  version: string;
  match?: Match;
  access?: Access;
  /** The public code of a refusal. */
  code?: ErrorCode;
};

/** The answer to whatever was thrown; what is our fault is logged. */
export type Refuse = (error: unknown) => Answer;

type Conversation = ConversationOptions & { readonly answer: (exchange: Exchange, refuse: Refuse) => Promise<Answer> };

/** One request from beginning to end: identify, answer, turn what was thrown into the error object, log one line. */
export async function converse(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, docsUrl, versions, clock, logger }: Conversation,
): Promise<void> {
  const startedAt = clock();
  const exchange: Exchange = { requestId: newId('req_', startedAt), startedAt, version: versions.current };
  const line = () => ({ ...describe(request, exchange), duration_ms: Math.round((clock() - startedAt) * 10) / 10 });
  const refuse: Refuse = (error) => {
    const { requestId } = exchange;
    const refusal = publicErrorOf(error, { requestId, logger });
    exchange.code = refusal.code;
    return errorAnswer(refusal, { requestId, docsUrl });
  };
  let answered: Answer;
  try {
    answered = await answer(exchange, refuse);
  } catch (error) {
    if (error instanceof RequestAborted) return logger.info(line(), 'request broken off by its caller');
    answered = refuse(error);
  }
  response.setHeader('Request-Id', exchange.requestId);
  response.setHeader('Service-Version', answered.version ?? exchange.version);
  for (const [name, value] of rateLimitHeaders(exchange)) response.setHeader(name, value);
  await send(request, response, answered);
  logger.info({ ...line(), status: answered.status }, 'request');
}

/** On the answer to every authenticated request, whatever it is. */
function rateLimitHeaders({ access }: Exchange): readonly (readonly [string, number])[] {
  const limit = access ? tightest(access.windows, access.now) : null;
  if (!limit) return [];
  return [
    ['RateLimit-Limit', limit.limit],
    ['RateLimit-Remaining', limit.remaining],
    ['RateLimit-Reset', limit.resetSeconds],
  ];
}

function publicErrorOf(
  error: unknown,
  { requestId, logger }: { requestId: string; logger: RequestLogger },
): ServiceError {
  const known = error instanceof ServiceError && error.code !== 'INTERNAL' ? error : internal(error);
  const isOurFault = known.code === 'SERVICE_UNAVAILABLE' || known.code === 'INTERNAL';
  if (isOurFault) logger.error({ err: known.cause ?? known, request_id: requestId }, 'request failed');
  return known;
}

function internal(error: unknown): ServiceError {
  return new ServiceError('INTERNAL', {
    message: 'Something went wrong on our side. Quote the request id to support.',
    cause: error,
  });
}

function describe({ method }: IncomingMessage, { requestId, match, access, code }: Exchange) {
  return {
    request_id: requestId,
    method,
    route: match?.kind === 'endpoint' ? match.endpoint.path : 'unmatched',
    agency_id: access?.agencyId,
    mode: access?.mode,
    key_id: access?.keyId,
    code,
  };
}
