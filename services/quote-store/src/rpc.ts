import { create } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { tenantOf } from '@pfq/kit/caller';
import { ServiceError } from '@pfq/kit/errors';
import { isId } from '@pfq/kit/ids';
import type { RpcRoutes } from '@pfq/kit/rpc/server';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import {
  QuoteStatus,
  QuoteStoreAdminService,
  QuoteStoreService,
  StoredQuoteSchema,
} from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { CreateQuoteRequest, StoredQuote } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { statusOf } from './domain/quote.ts';
import type { NewQuote, Quote } from './domain/quote.ts';
import type { QuoteStore } from './storage/store.ts';

export function quoteStoreRoutes(store: QuoteStore): RpcRoutes {
  return (router) => {
    router.service(QuoteStoreService, {
      async createQuote(request, context) {
        await store.create(tenantOf(context), toNewQuote(request));
        return {};
      },
      async getQuote({ quoteId, brokerId }, context) {
        const visibility = { tenant: tenantOf(context), brokerId };
        const quote = await store.find(requireQuoteId(quoteId), visibility);
        return { quote: toStoredQuote(quote ?? notFound()) };
      },
    });
    router.service(QuoteStoreAdminService, {
      async lookUpQuote({ quoteId }) {
        const origin = (await store.lookUp(requireQuoteId(quoteId))) ?? notFound();
        return {
          quote: toStoredQuote(origin.quote),
          agencyId: origin.agencyId,
          brokerId: origin.brokerId,
          deal: origin.deal,
          pricedUnder: origin.pricedUnder,
        };
      },
    });
  };
}

function toNewQuote(request: CreateQuoteRequest): NewQuote {
  const { snapshot, deal, pricedUnder } = request;
  const isWhole = snapshot !== undefined && deal.length > 0 && pricedUnder.length > 0;
  if (!isWhole || !isId('qte_', request.quoteId)) throw new Error('the new quote is incomplete or its id malformed');
  return {
    id: request.quoteId,
    brokerId: request.brokerId,
    createdAt: toDate(request.createdAt),
    expiresAt: toDate(request.expiresAt),
    requestMembers: snapshot.requestMembers,
    pricedMembers: snapshot.pricedMembers,
    deal,
    pricedUnder,
    hostedLinkHash: request.hostedLinkHash,
  };
}

function toStoredQuote(quote: Quote): StoredQuote {
  return create(StoredQuoteSchema, {
    quoteId: quote.id,
    mode: quote.mode === 'live' ? Mode.LIVE : Mode.TEST,
    status: statusOf(quote) === 'active' ? QuoteStatus.ACTIVE : QuoteStatus.EXPIRED,
    snapshot: { requestMembers: quote.requestMembers, pricedMembers: quote.pricedMembers },
  });
}

function toDate(timestamp: Timestamp | undefined): Date {
  if (!timestamp) throw new Error('the new quote has no time');
  return timestampDate(timestamp);
}

/** A malformed id is found nowhere; PostgreSQL would choke on some. */
function requireQuoteId(text: string): string {
  return isId('qte_', text) ? text : notFound();
}

function notFound(): never {
  throw new ServiceError('NOT_FOUND', { message: 'There is no such quote.' });
}
