import type { CallOptions, Client } from '@connectrpc/connect';
import { failureOfRead } from '@pfq/kit/rpc/status';
import { LinkState } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import type { HostedQuoteService, ReadHostedQuoteResponse } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import type { Quote } from '../domain/quote.ts';
import { readMode, readQuote } from './read-quote.ts';

export type HostedQuotes = Client<typeof HostedQuoteService>;

/** What a link leads to. */
export type Link =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'replaced'; readonly mode: Quote['mode'] }
  | { readonly kind: 'current'; readonly quoteId: string; readonly quote: Quote };

/** Looks a link up by the SHA-256 of its token. Throws SERVICE_UNAVAILABLE where the store cannot be reached. */
export async function readLink(store: HostedQuotes, linkHash: Uint8Array, call: CallOptions): Promise<Link> {
  const found = await store.readHostedQuote({ hostedLinkHash: linkHash }, call).catch((error: unknown) => {
    const failure = failureOfRead(error, ['NOT_FOUND']);
    if (failure.code === 'NOT_FOUND') return null;
    throw failure;
  });
  return found === null ? { kind: 'unknown' } : toLink(found);
}

function toLink({ linkState, mode, quote }: ReadHostedQuoteResponse): Link {
  if (linkState === LinkState.REPLACED) return { kind: 'replaced', mode: readMode(mode) };
  if (linkState !== LinkState.CURRENT || !quote)
    throw new Error('the quote store answered without the quote of a link');
  return { kind: 'current', quoteId: quote.quote?.quoteId ?? '', quote: readQuote(quote) };
}
