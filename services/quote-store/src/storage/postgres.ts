import type { Database } from '@pfq/kit/postgres';
import { voidChange } from './postgres-changes.ts';
import { replaceHostedLink } from './postgres-hosted-links.ts';
import { expressInterest } from './postgres-interests.ts';
import { createQuote, findQuote, lookUpQuote, voidQuote } from './postgres-quotes.ts';
import type { QuoteStore } from './store.ts';

export function postgresQuoteStore(database: Database): QuoteStore {
  return {
    create: (tenant, quote) => createQuote(database, tenant, quote),
    voidQuote: (tenant, quoteId) => voidQuote(database, tenant, quoteId),
    find: (quoteId, visibility) => findQuote(database, quoteId, visibility),
    lookUp: (quoteId) => lookUpQuote(database, quoteId),
    replaceHostedLink: (change, hostedLinkHash) => replaceHostedLink(database, change, hostedLinkHash),
    expressInterest: (change, interest) => expressInterest(database, change, interest),
    voidChange: (tenant, change) => voidChange(database, tenant, change),
  };
}
