import { callerHeaders } from '@pfq/kit/caller';
import { QuoteStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { StoredQuote } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { visibleBrokerId } from '../domain/access.ts';
import type { Mode } from '../domain/agency.ts';
import type { Answer } from './answer.ts';
import type { AcceptedRequest, EndpointDeps } from './endpoint.ts';
import { notFound } from './not-found.ts';
import { renderQuote } from './quote-object.ts';
import { failureOfRead } from './read-failure.ts';

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
  const failure = failureOfRead(error);
  throw failure.code === 'NOT_FOUND' ? notFound() : failure;
}

/** The public object of a quote that was read, without its hosted link. */
export function renderStoredQuote(quote: StoredQuote | undefined, mode: Mode): string {
  if (!quote?.snapshot) throw new Error('the stored quote is incomplete');
  const status = quote.status === QuoteStatus.ACTIVE ? 'active' : 'expired';
  const { requestMembers, pricedMembers } = quote.snapshot;
  return renderQuote(
    { id: quote.quoteId, mode, status, hostedUrl: null },
    utf8Text(requestMembers),
    utf8Text(pricedMembers),
  );
}

/** The bytes as text, without a copy of them. */
export function utf8Text({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}
