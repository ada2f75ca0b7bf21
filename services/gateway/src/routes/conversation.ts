import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@pfq/kit/clock';
import { ERROR_CODES } from '@pfq/kit/error-codes';
import { ServiceError } from '@pfq/kit/errors';
import { newId } from '@pfq/kit/ids';
import type { Logger } from '@pfq/kit/log';
import { observeRequest } from '@pfq/kit/telemetry/http-requests';
import { tightest } from '../domain/rate-limits.ts';
import type { RequestLog } from '../request-log.ts';
import type { ApiVersions } from '../versions/api-versions.ts';
import { errorAnswer, send } from './answer.ts';
import type { Answer } from './answer.ts';
import { RequestAborted } from './body.ts';
import type { Exchange } from './exchange.ts';
import { attributesOf, lineOf, summaryOf } from './summary.ts';

type RequestLogger = Pick<Logger, 'info' | 'error'>;

export type ConversationOptions = {
  readonly docsUrl: string;
  readonly versions: Pick<ApiVersions, 'current'>;
  readonly clock: Clock;
  readonly logger: RequestLogger;
  readonly requestLog: Pick<RequestLog, 'keep'>;
};

/** The answer to whatever was thrown; what is our fault is logged. */
export type Refuse = (error: unknown) => Answer;

type Conversation = ConversationOptions & {
  readonly path: string;
  readonly answer: (exchange: Exchange, refuse: Refuse) => Promise<Answer>;
};

/** One request from beginning to end: identify, answer, turn what was thrown into the error object, tell what became of it. */
export function converse(
  request: IncomingMessage,
  response: ServerResponse,
  conversation: Conversation,
): Promise<void> {
  const { path, versions, clock, logger, requestLog } = conversation;
  return observeRequest(request, async (seen) => {
    const startedAt = clock();
    const exchange: Exchange = { requestId: newId('req_', startedAt), startedAt, path, version: versions.current };
    const answered = await answerOrNull(exchange, conversation);
    if (answered) {
      exchange.version = answered.version ?? exchange.version;
      for (const [name, value] of headersOf(exchange)) response.setHeader(name, value);
      await send(request, response, answered);
    }
    const summary = summaryOf(request, exchange, { status: answered?.status ?? 0, endedAt: clock() });
    const { route, status, errorCode } = summary;
    const attributes = attributesOf(summary);
    if (answered) seen.answered({ route, status, errorType: errorCode ?? undefined, attributes });
    else seen.brokenOff({ route, attributes });
    logger.info(lineOf(summary), answered ? 'request' : 'request broken off by its caller');
    requestLog.keep(summary);
  });
}

/** Null where the caller went away before it had sent all. */
async function answerOrNull(exchange: Exchange, { answer, docsUrl, logger }: Conversation): Promise<Answer | null> {
  const { requestId } = exchange;
  const refuse: Refuse = (error) => {
    const refusal = publicErrorOf(error, { exchange, logger });
    exchange.code = refusal.code;
    return errorAnswer(refusal, { requestId, docsUrl });
  };
  try {
    return await answer(exchange, refuse);
  } catch (error) {
    return error instanceof RequestAborted ? null : refuse(error);
  }
}

function headersOf(exchange: Exchange): readonly (readonly [string, string | number])[] {
  return [['Request-Id', exchange.requestId], ['Service-Version', exchange.version], ...rateLimitHeaders(exchange)];
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
  { exchange, logger }: { exchange: Exchange; logger: RequestLogger },
): ServiceError {
  const known = error instanceof ServiceError && error.code !== 'INTERNAL' ? error : internal(error);
  const isOurFault = ERROR_CODES[known.code].status >= 500;
  if (isOurFault) logger.error(failureLineOf(known, exchange), 'request failed');
  return known;
}

function failureLineOf(error: ServiceError, { requestId, access }: Exchange) {
  return {
    err: error.cause ?? error,
    request_id: requestId,
    agency_id: access?.agencyId,
    mode: access?.mode,
    code: error.code,
  };
}

function internal(error: unknown): ServiceError {
  return new ServiceError('INTERNAL', {
    message: 'Something went wrong on our side. Quote the request id to support.',
    cause: error,
  });
}
