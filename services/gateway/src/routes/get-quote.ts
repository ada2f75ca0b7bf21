import { callerHeaders } from '@pfq/kit/caller';
import { failureOfRead } from '@pfq/kit/rpc/status';
import { visibleBrokerId } from '../domain/access.ts';
import { renderStoredQuote } from '../quotes/stored-quote.ts';
import type { Answer } from './answer.ts';
import type { AcceptedRequest, EndpointDeps } from './endpoint.ts';
import { notFound } from './not-found.ts';

const READ_TIMEOUT_MS = 5_000;

/** `GET /v1/quotes/{id}`: the quote as it was stored, with its status now and without the hosted link. */
export async function getQuote(
  { access, caller, path, remainingMs }: AcceptedRequest,
  { quoteStore }: EndpointDeps,
): Promise<Answer> {
  const brokerId = visibleBrokerId(access);
  const wanted = { quoteId: path['id'] ?? '', ...(brokerId !== undefined && { brokerId }) };
  const call = { headers: callerHeaders(caller), timeoutMs: Math.min(READ_TIMEOUT_MS, remainingMs()) };
  const { quote } = await quoteStore.getQuote(wanted, call).catch(refuse);
  return { status: 200, body: renderStoredQuote(quote, access.mode) };
}

/** A quote that is not there is told in the words for all that is not there. */
function refuse(error: unknown): never {
  const failure = failureOfRead(error, ['NOT_FOUND']);
  throw failure.code === 'NOT_FOUND' ? notFound() : failure;
}
