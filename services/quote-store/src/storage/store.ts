import type { Tenant } from '@pfq/kit/caller';
import type { NewInterest } from '../domain/interest.ts';
import type { NewQuote, Quote, QuoteOrigin } from '../domain/quote.ts';

/** Whose quotes are visible: the tenant's, and only one broker's where `brokerId` is given. */
export type Visibility = { readonly tenant: Tenant; readonly brokerId: string | undefined };

/** One change of a quote, under an id of its own by which it can be repeated or voided. */
export type Change = { readonly id: string; readonly quoteId: string; readonly visibility: Visibility };

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
  /** Stores the one response. Throws NOT_FOUND, IDEMPOTENCY_RECORD_LOST as above, and what the domain refuses. */
  expressInterest(change: Change, interest: NewInterest): Promise<Quote>;
  /** From then on the change is made, or never will be. */
  voidChange(tenant: Tenant, change: Pick<Change, 'id' | 'quoteId'>): Promise<void>;
};
