import { ServiceError } from '@pfq/kit/errors';

/** A new quote, priced and rendered. The members are JSON text without outer braces and are kept byte for byte. */
export type NewQuote = {
  readonly id: string;
  readonly brokerId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Version of the public API in whose shape the members are, YYYY-MM-DD. */
  readonly apiVersion: string;
  readonly requestMembers: Uint8Array;
  readonly pricedMembers: Uint8Array;
  /** What was priced, and the versions it was priced under, in a form that only those who made it read. */
  readonly deal: Uint8Array;
  readonly pricedUnder: Uint8Array;
  /** SHA-256 of the hosted link's token. */
  readonly hostedLinkHash: Uint8Array;
  /** Null from a gateway of the release that told no names. */
  readonly parties: Parties | null;
};

/** Whom a quote is for and from, by the names they had when it was made. */
export type Parties = {
  readonly insuredName: string | null;
  readonly agencyName: string | null;
  readonly brokerName: string | null;
  readonly brokerEmail: string;
};

export type Quote = {
  readonly id: string;
  readonly mode: 'live' | 'test';
  readonly expiresAt: Date;
  readonly apiVersion: string;
  readonly requestMembers: Uint8Array;
  readonly pricedMembers: Uint8Array;
  /** Null where it was stored without; `partiesOf` tells what is known then. */
  readonly parties: Parties | null;
  /** The one response that it can have. */
  readonly interest: Interest | null;
  /** When it was read. */
  readonly readAt: Date;
};

export type Interest = {
  readonly optionId: string;
  /** Never empty. */
  readonly note: string | null;
  readonly submittedAt: Date;
  /** The event that tells of it; null for a test quote, of which nobody is told. */
  readonly eventId: string | null;
  readonly notification: BrokerNotification;
};

/** What became of the broker's notification; `reason` is a public code, `recipient` an email address. */
export type BrokerNotification = (
  | { readonly status: 'skipped'; readonly reason: 'test_mode'; readonly recipient: null }
  | { readonly status: 'pending' | 'sent'; readonly reason: null; readonly recipient: string }
  | { readonly status: 'failed'; readonly reason: string; readonly recipient: string }
) & {
  /** When it came to that. */
  readonly at: Date;
};

/** A quote with all that is needed to price it again. */
export type QuoteOrigin = {
  readonly quote: Quote;
  readonly agencyId: string;
  readonly brokerId: string;
  readonly deal: Uint8Array;
  readonly pricedUnder: Uint8Array;
};

export type QuoteStatus = 'active' | 'interested' | 'expired';

/** Time alone never rewrites a quote: its status is found anew at each reading, and a response outlasts its expiry. */
export function statusOf(quote: Pick<Quote, 'expiresAt' | 'readAt' | 'interest'>): QuoteStatus {
  if (quote.interest) return 'interested';
  return isExpired(quote) ? 'expired' : 'active';
}

/** Refuses a change of a quote that is past its time, responded to or not. */
export function requireUnexpired(quote: Pick<Quote, 'expiresAt' | 'readAt'>): void {
  if (!isExpired(quote)) return;
  const message = `This quote expired at ${quote.expiresAt.toISOString()}. Create a new quote.`;
  throw new ServiceError('QUOTE_EXPIRED', { message });
}

function isExpired({ expiresAt, readAt }: Pick<Quote, 'expiresAt' | 'readAt'>): boolean {
  return readAt >= expiresAt;
}
