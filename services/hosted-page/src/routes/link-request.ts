import type { Clock } from '@pfq/kit/clock';
import type { Paths } from '../pages/page.ts';
import { readLink } from '../quotes/hosted-quotes.ts';
import type { HostedQuotes, Link } from '../quotes/hosted-quotes.ts';
import type { ReviewNonces } from '../review/nonce.ts';
import type { Exchange } from './answer.ts';

/** What the pages of links work with. */
export type LinkDeps = { readonly store: HostedQuotes; readonly nonces: ReviewNonces; readonly clock: Clock };

/** A request for a page of a link, which has the form of one and may yet be unknown. */
export type LinkRequest = {
  /** SHA-256 of the link's token. */
  readonly linkHash: Buffer;
  readonly paths: Paths;
  readonly query: URLSearchParams;
  readonly exchange: Exchange;
  /** For every call that is made for it. */
  readonly headers: Record<string, string>;
  /** Whole milliseconds until the request must be answered; never below 0. */
  readonly remainingMs: () => number;
};

const READ_TIMEOUT_MS = 5_000;

/** Looks the link up, and takes note of its quote for the log. Throws SERVICE_UNAVAILABLE where the store cannot be reached. */
export async function findQuote(request: LinkRequest, { store }: LinkDeps): Promise<Link> {
  const { linkHash, headers, remainingMs, exchange } = request;
  const found = await readLink(store, linkHash, { headers, timeoutMs: Math.min(READ_TIMEOUT_MS, remainingMs()) });
  if (found.kind === 'current') exchange.quoteId = found.quoteId;
  return found;
}
