import { requireKnownVersion } from './api-version.ts';
import type { Quote } from './quote.ts';

/** As much of the members from pricing as is read here. */
type PricedMembers = { readonly options: readonly { readonly id: string }[] };

/** The ids of the options that a quote offers, in its order; none for an ineligible quote. */
export function optionIdsOf(quote: Pick<Quote, 'apiVersion' | 'pricedMembers'>): readonly string[] {
  requireKnownVersion(quote);
  const { options }: PricedMembers = JSON.parse(`{${new TextDecoder().decode(quote.pricedMembers)}}`);
  return options.map(({ id }) => id);
}
