import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@pfq/kit/clock';
import { ServiceError } from '@pfq/kit/errors';
import type { Logger } from '@pfq/kit/log';
import { observeRequest } from '@pfq/kit/telemetry/http-requests';
import { count } from '@pfq/kit/telemetry/metrics';
import { errorTypeOf } from '@pfq/kit/telemetry/spans';
import type { Page } from '../pages/page.ts';
import { outcomeOf } from './answer.ts';
import type { Answer } from './answer.ts';
import { tryAgainWith } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { RequestAborted } from '../requests/read-form.ts';
import { represent } from './represent.ts';
import type { Representation } from './represent.ts';
import { send } from './send.ts';

type Conversation = {
  readonly exchange: Exchange;
  readonly answer: () => Promise<Answer>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'error'>;
};

/**
 * One request from beginning to end: answer, turn what was thrown into a page, tell what became of it. Nothing of the address
 * is told but its route, and nothing of a form.
 */
export function converse(
  request: IncomingMessage,
  response: ServerResponse,
  { exchange, answer, clock, logger }: Conversation,
): Promise<void> {
  return observeRequest(request, async (seen) => {
    const startedAt = clock();
    const { requestId, route, language } = exchange;
    const line = () => ({
      request_id: requestId,
      method: request.method,
      route,
      language,
      quote_id: exchange.quoteId,
      duration_ms: Math.round((clock() - startedAt) * 10) / 10,
    });
    const ids = () => ({ 'pfq.request.id': requestId, 'pfq.quote.id': exchange.quoteId });
    const answered = await answerOrNull(answer, exchange);
    if (answered === null) {
      seen.brokenOff({ route, attributes: ids() });
      return logger.info(line(), 'request broken off by its caller');
    }
    const { shown, outcome } = answered;
    const { quoteId, failure } = exchange;
    if (failure !== undefined) {
      logger.error({ err: causeOf(failure), request_id: requestId, quote_id: quoteId }, 'request failed');
    }
    await send(request, response, shown);
    const { status } = shown;
    const errorType = failure === undefined ? undefined : errorTypeOf(failure);
    seen.answered({ route, status, errorType, attributes: { ...ids(), 'pfq.hosted.outcome': outcome } });
    count('pfq.hosted.pages', { 'pfq.hosted.outcome': outcome });
    logger.info({ ...line(), status, outcome }, 'request');
  });
}

type Answered = { readonly shown: Representation; readonly outcome: string };

/** Null where the caller went away before it had sent all. */
async function answerOrNull(answer: () => Promise<Answer>, exchange: Exchange): Promise<Answered | null> {
  const toShow = (answered: Answer) => ({ shown: represent(answered, exchange), outcome: outcomeOf(answered) });
  try {
    return toShow(await answer());
  } catch (error) {
    if (error instanceof RequestAborted) return null;
    exchange.failure = error;
    return toShow({ kind: 'page', page: pageFor(error, exchange) });
  }
}

function pageFor(error: unknown, exchange: Exchange): Page {
  const isAway = error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE';
  const tryAgain = tryAgainWith(exchange);
  return isAway ? { kind: 'unavailable', tryAgain } : { kind: 'failed', requestId: exchange.requestId, tryAgain };
}

function causeOf(error: unknown): unknown {
  return error instanceof ServiceError ? (error.cause ?? error) : error;
}
