import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@pfq/kit/clock';
import { ServiceError } from '@pfq/kit/errors';
import type { Logger } from '@pfq/kit/log';
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
 * One request from beginning to end: answer, turn what was thrown into a page, log one line. Nothing of the address is logged
 * but its route, and nothing of a form.
 */
export async function converse(
  request: IncomingMessage,
  response: ServerResponse,
  { exchange, answer, clock, logger }: Conversation,
): Promise<void> {
  const startedAt = clock();
  const line = () => ({
    request_id: exchange.requestId,
    method: request.method,
    route: exchange.route,
    language: exchange.language,
    quote_id: exchange.quoteId,
    duration_ms: Math.round((clock() - startedAt) * 10) / 10,
  });
  let answered: Answer;
  let shown: Representation;
  try {
    answered = await answer();
    shown = represent(answered, exchange);
  } catch (error) {
    if (error instanceof RequestAborted) return logger.info(line(), 'request broken off by its caller');
    exchange.failure = error;
    answered = { kind: 'page', page: pageFor(error, exchange) };
    shown = represent(answered, exchange);
  }
  if (exchange.failure !== undefined) {
    const { requestId, quoteId, failure } = exchange;
    logger.error({ err: causeOf(failure), request_id: requestId, quote_id: quoteId }, 'request failed');
  }
  await send(request, response, shown);
  logger.info({ ...line(), status: shown.status, outcome: outcomeOf(answered) }, 'request');
}

function pageFor(error: unknown, exchange: Exchange): Page {
  const isAway = error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE';
  const tryAgain = tryAgainWith(exchange);
  return isAway ? { kind: 'unavailable', tryAgain } : { kind: 'failed', requestId: exchange.requestId, tryAgain };
}

function causeOf(error: unknown): unknown {
  return error instanceof ServiceError ? (error.cause ?? error) : error;
}
