/** A new quote, priced and rendered. The members are JSON text without outer braces and are kept byte for byte. */
export type NewQuote = {
  readonly id: string;
  readonly brokerId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly requestMembers: Uint8Array;
  readonly pricedMembers: Uint8Array;
  /** What was priced, and the versions it was priced under, in a form that only those who made it read. */
  readonly deal: Uint8Array;
  readonly pricedUnder: Uint8Array;
  /** SHA-256 of the hosted link's token. */
  readonly hostedLinkHash: Uint8Array;
};

export type Quote = {
  readonly id: string;
  readonly mode: 'live' | 'test';
  readonly expiresAt: Date;
  readonly requestMembers: Uint8Array;
  readonly pricedMembers: Uint8Array;
  /** When it was read. */
  readonly readAt: Date;
};

/** A quote with all that is needed to price it again. */
export type QuoteOrigin = {
  readonly quote: Quote;
  readonly agencyId: string;
  readonly brokerId: string;
  readonly deal: Uint8Array;
  readonly pricedUnder: Uint8Array;
};

export type QuoteStatus = 'active' | 'expired';

/** Time alone never rewrites a quote: its status is found anew at each reading. It is expired from `expiresAt` on. */
export function statusOf(quote: Pick<Quote, 'expiresAt' | 'readAt'>): QuoteStatus {
  return quote.readAt < quote.expiresAt ? 'active' : 'expired';
}
