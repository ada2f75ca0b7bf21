import { callerHeaders } from '@pfq/kit/caller';
import { failureOfRead } from '@pfq/kit/rpc/status';
import type { StoredQuote } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { visibleBrokerId } from '../domain/access.ts';
import type { AcceptedRequest, EndpointDeps } from './endpoint.ts';
import { notFound } from './not-found.ts';

const READ_TIMEOUT_MS = 5_000;

/** Which quote a request is about, and whose quotes its key can see. */
export function wantedQuote({ access, path }: Pick<AcceptedRequest, 'access' | 'path'>) {
  const brokerId = visibleBrokerId(access);
  return { quoteId: path['id'] ?? '', ...(brokerId !== undefined && { brokerId }) };
}

/** The quote that a request's path names, as it stands now. Throws NOT_FOUND where the key cannot see it. */
export async function readQuote(accepted: AcceptedRequest, { quoteStore }: EndpointDeps): Promise<StoredQuote> {
  const { caller, remainingMs } = accepted;
  const call = { headers: callerHeaders(caller), timeoutMs: Math.min(READ_TIMEOUT_MS, remainingMs()) };
  const { quote } = await quoteStore.getQuote(wantedQuote(accepted), call).catch(refuse);
  if (!quote) throw new Error('the quote store answered without a quote');
  return quote;
}

/** A quote that is not there is told in the words for all that is not there. */
function refuse(error: unknown): never {
  const failure = failureOfRead(error, ['NOT_FOUND']);
  throw failure.code === 'NOT_FOUND' ? notFound() : failure;
}
