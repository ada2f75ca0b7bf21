import type { Clock } from '@pfq/kit/clock';
import type { GuessLimit } from '../domain/guess-limit.ts';
import type { Page, Paths } from '../pages/page.ts';
import { readLink } from '../quotes/hosted-quotes.ts';
import type { HostedQuotes, Link } from '../quotes/hosted-quotes.ts';
import type { ReviewNonces } from '../review/nonce.ts';
import type { Exchange } from './exchange.ts';
import { tryAgainWith } from './exchange.ts';

/** What the pages of links work with. */
export type LinkDeps = {
  readonly store: HostedQuotes;
  readonly nonces: ReviewNonces;
  readonly guesses: GuessLimit;
  readonly clock: Clock;
};

/** A request for a page of a link, which has the form of one and may yet be unknown. */
export type LinkRequest = {
  /** SHA-256 of the link's token. */
  readonly linkHash: Buffer;
  /** Whose guesses it may be one of. */
  readonly caller: string;
  readonly paths: Paths;
  readonly query: URLSearchParams;
  readonly exchange: Exchange;
  /** For every call that is made for it. */
  readonly headers: Record<string, string>;
  /** Whole milliseconds until the request must be answered; never below 0. */
  readonly remainingMs: () => number;
};

const READ_TIMEOUT_MS = 5_000;

type CurrentLink = Extract<Link, { kind: 'current' }>;

/**
 * The quote of a link, of which the log takes note, or the page that says why there is none to show. An address that has guessed
 * too much is shown no link: were known ones still shown, guessing could go on. Throws SERVICE_UNAVAILABLE as `readLink` does.
 */
export async function findQuote(
  request: LinkRequest,
  deps: LinkDeps,
): Promise<CurrentLink | { readonly kind: 'page'; readonly page: Page }> {
  const { caller, exchange } = request;
  const admission = await deps.guesses.admit(caller);
  if (admission.kind === 'refused') {
    const { retryAfterSeconds } = admission;
    return { kind: 'page', page: { kind: 'too-many', retryAfterSeconds, tryAgain: tryAgainWith(exchange) } };
  }
  let end: 'miss' | 'other' = 'other';
  try {
    const found = await lookUp(request, deps);
    if (found.kind === 'unknown') end = 'miss';
    if (found.kind !== 'current') return { kind: 'page', page: found };
    exchange.quoteId = found.quoteId;
    return found;
  } finally {
    admission.settle(end);
  }
}

function lookUp({ linkHash, headers, remainingMs }: LinkRequest, { store }: LinkDeps): Promise<Link> {
  return readLink(store, linkHash, { headers, timeoutMs: Math.min(READ_TIMEOUT_MS, remainingMs()) });
}
