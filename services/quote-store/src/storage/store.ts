import type { Tenant } from '@pfq/kit/caller';
import type { NewQuote, Quote, QuoteOrigin } from '../domain/quote.ts';

/** Whose quotes are visible: the tenant's, and only one broker's where `brokerId` is given. */
export type Visibility = { readonly tenant: Tenant; readonly brokerId: string | undefined };

export type QuoteStore = {
  /**
   * Stores a quote and its hosted link, or finds that the very same are stored already. Throws SERVICE_UNAVAILABLE where
   * this call stored nothing, OutcomeUnknownError where repeating it must tell, and an Error where the id is taken.
   */
  create(tenant: Tenant, quote: NewQuote): Promise<void>;
  /** Null where there is no such quote or it is not visible. */
  find(quoteId: string, visibility: Visibility): Promise<Quote | null>;
  /** Any agency's quote, for the operator. */
  lookUp(quoteId: string): Promise<QuoteOrigin | null>;
};
