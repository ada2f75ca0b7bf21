import type { Mode, Tenant } from '@pfq/kit/caller';
import type { NewInterest } from '../domain/interest.ts';
import type { NewQuote, Quote, QuoteOrigin } from '../domain/quote.ts';

/** Whose quotes are visible: the tenant's, and only one broker's where `brokerId` is given. */
export type Visibility = { readonly tenant: Tenant; readonly brokerId: string | undefined };

/** One change of a quote, under an id of its own by which it can be repeated or voided. */
export type Change = { readonly id: string; readonly quoteId: string; readonly visibility: Visibility };

/** A quote as it stands after a change, which was made now or before. */
export type ChangedQuote = { readonly quote: Quote; readonly isMadeNow: boolean };

/** What a hosted link leads to: nothing once it was replaced, but to a live or a test quote still. */
export type LinkedQuote =
  | { readonly link: 'current'; readonly quote: Quote }
  | { readonly link: 'replaced'; readonly mode: Mode };

/** What became of a response through a hosted link. */
export type LinkedInterest = Extract<LinkedQuote, { link: 'replaced' }> | (ChangedQuote & { readonly link: 'current' });

/** A response through a hosted link, under an id by which it can be repeated. */
export type LinkedResponse = { readonly changeId: string; readonly interest: NewInterest };

/** What became of the notification that an event asked for; `revision` counts what is told of it, from 1. */
export type NotificationOutcome = {
  readonly quoteId: string;
  readonly eventId: string;
  readonly revision: number;
  /** When it came to that. */
  readonly at: Date;
} & (
  | { readonly status: 'pending' | 'sent'; readonly reason: null }
  | { readonly status: 'failed'; readonly reason: string }
);

/**
 * Every write may be repeated: what is stored already is left as it is. A write throws SERVICE_UNAVAILABLE where it stored
 * nothing, OutcomeUnknownError where repeating it must tell, and an Error where its id stands for something else.
 */
export type QuoteStore = {
  /** Stores a quote and its hosted link. Throws IDEMPOTENCY_RECORD_LOST where its id was voided. */
  create(tenant: Tenant, quote: NewQuote): Promise<void>;
  /** From then on the quote is there, or never will be. */
  voidQuote(tenant: Tenant, quoteId: string): Promise<void>;
  /** Null where there is no such quote or it is not visible. */
  find(quoteId: string, visibility: Visibility): Promise<Quote | null>;
  /** Any agency's quote, for the operator. */
  lookUp(quoteId: string): Promise<QuoteOrigin | null>;
  /**
   * Revokes the current hosted link for a fresh one, given by the SHA-256 of its token. Throws NOT_FOUND, QUOTE_EXPIRED,
   * or IDEMPOTENCY_RECORD_LOST where the change was voided.
   */
  replaceHostedLink(change: Change, hostedLinkHash: Uint8Array): Promise<Quote>;
  /**
   * Stores the one response, and with one to a live quote the job that tells of it. Throws NOT_FOUND,
   * IDEMPOTENCY_RECORD_LOST as above, and what the domain refuses.
   */
  expressInterest(change: Change, interest: NewInterest): Promise<Quote>;
  /** The quote of a link, given by the SHA-256 of its token. Null where there never was such a link. */
  readByLink(hostedLinkHash: Uint8Array): Promise<LinkedQuote | null>;
  /**
   * Does as `expressInterest` through a link. Null where there never was such a link, and nothing is stored through one that
   * was replaced; but a response that was made is made, so repeating it is answered as before.
   */
  expressInterestByLink(hostedLinkHash: Uint8Array, response: LinkedResponse): Promise<LinkedInterest | null>;
  /** Keeps the newest outcome, and `sent` for good. False where no such event tells of an interest in the quote. */
  recordNotification(tenant: Tenant, outcome: NotificationOutcome): Promise<boolean>;
  /** From then on the change is made, or never will be. */
  voidChange(tenant: Tenant, change: Pick<Change, 'id' | 'quoteId'>): Promise<void>;
};
