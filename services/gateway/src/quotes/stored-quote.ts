import { QuoteStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { StoredQuote } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { Mode } from '../domain/agency.ts';
import { renderQuote } from './quote-object.ts';

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
