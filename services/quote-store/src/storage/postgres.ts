import type { Database } from '@pfq/kit/postgres';
import { voidChange } from './postgres-changes.ts';
import { replaceHostedLink } from './postgres-hosted-links.ts';
import { expressInterestByLink, readByLink } from './postgres-hosted-quotes.ts';
import { expressInterest } from './postgres-interests.ts';
import type { Way } from './postgres-interests.ts';
import { recordNotification } from './postgres-notifications.ts';
import { createQuote, findQuote, lookUpQuote, voidQuote } from './postgres-quotes.ts';
import type { QuoteStore } from './store.ts';

/** The gateway's: it has seen that the caller may, and gives each response a change id of its own. */
const OWN_WAY: Way = { requireOpen: async () => {}, refuseOtherWords: () => {} };

export function postgresQuoteStore(database: Database): QuoteStore {
  return {
    create: (tenant, quote) => createQuote(database, tenant, quote),
    voidQuote: (tenant, quoteId) => voidQuote(database, tenant, quoteId),
    find: (quoteId, visibility) => findQuote(database, quoteId, visibility),
    lookUp: (quoteId) => lookUpQuote(database, quoteId),
    replaceHostedLink: (change, hostedLinkHash) => replaceHostedLink(database, change, hostedLinkHash),
    async expressInterest(change, interest) {
      const { quote } = await expressInterest(database, change, { interest, way: OWN_WAY });
      return quote;
    },
    readByLink: (hostedLinkHash) => readByLink(database, hostedLinkHash),
    expressInterestByLink: (hostedLinkHash, response) => expressInterestByLink(database, hostedLinkHash, response),
    recordNotification: (tenant, outcome) => recordNotification(database, tenant, outcome),
    voidChange: (tenant, change) => voidChange(database, tenant, change),
  };
}
