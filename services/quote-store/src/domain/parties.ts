import { requireKnownVersion } from './api-version.ts';
import type { Parties, Quote } from './quote.ts';

/** As much of the members from the request as is read here. */
type RequestMembers = { readonly broker: { readonly email: string } };

/** Whom a quote is for and from. One that was stored without names has at least the broker's address, in what is served. */
export function partiesOf(quote: Pick<Quote, 'parties' | 'apiVersion' | 'requestMembers'>): Parties {
  if (quote.parties) return quote.parties;
  requireKnownVersion(quote);
  const { broker }: RequestMembers = JSON.parse(`{${new TextDecoder().decode(quote.requestMembers)}}`);
  return { insuredName: null, agencyName: null, brokerName: null, brokerEmail: broker.email };
}
