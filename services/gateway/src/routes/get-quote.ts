import { callerHeaders } from '@pfq/kit/caller';
import { OutcomeUnknownError, unavailable } from '@pfq/kit/errors';
import { fromWireError } from '@pfq/kit/rpc/status';
import { QuoteStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { StoredQuote } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { visibleBrokerId } from '../domain/access.ts';
import type { Mode } from '../domain/agency.ts';
import type { Answer } from './answer.ts';
import type { AcceptedRequest, EndpointDeps } from './endpoints.ts';
import { renderQuote } from './quote-object.ts';

const READ_TIMEOUT_MS = 5_000;

/** `GET /v1/quotes/{id}`: the quote as it was stored, with its status now and without the hosted link. */
export async function getQuote(
  { access, caller, path, remainingMs }: AcceptedRequest,
  { quoteStore }: EndpointDeps,
): Promise<Answer> {
  const brokerId = visibleBrokerId(access);
  const wanted = { quoteId: path['id'] ?? '', ...(brokerId !== undefined && { brokerId }) };
  const call = { headers: callerHeaders(caller), timeoutMs: Math.min(READ_TIMEOUT_MS, remainingMs()) };
  try {
    const { quote } = await quoteStore.getQuote(wanted, call);
    return { status: 200, body: renderStoredQuote(quote, access.mode) };
  } catch (error) {
    const failure = fromWireError(error);
    throw failure instanceof OutcomeUnknownError ? unavailable(failure.cause) : failure;
  }
}

export function renderStoredQuote(quote: StoredQuote | undefined, mode: Mode): string {
  if (!quote?.snapshot) throw new Error('the stored quote is incomplete');
  const status = quote.status === QuoteStatus.ACTIVE ? 'active' : 'expired';
  const { requestMembers, pricedMembers } = quote.snapshot;
  return renderQuote(
    { id: quote.quoteId, mode, status, hostedUrl: null },
    toText(requestMembers),
    toText(pricedMembers),
  );
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
