import { toJson } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import type { RpcRoutes } from '@pfq/kit/rpc/server';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { QuoteAdminService } from '@pfq/proto/gateway/v1/admin_pb';
import { PricedUnderSchema } from '@pfq/proto/pricing/v1/deal_pb';
import type { PricingService } from '@pfq/proto/pricing/v1/pricing_pb';
import type { QuoteStoreAdminService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { renderStoredQuote } from '../routes/get-quote.ts';
import { failureOfRead } from '../routes/read-failure.ts';
import { compareWithPrice } from './verify-quote.ts';

type QuoteAdminDeps = {
  readonly pricing: Client<typeof PricingService>;
  readonly quoteStore: Client<typeof QuoteStoreAdminService>;
  /** The operator credential, for the quote store. */
  readonly headers: Headers;
};

/** The operator's view of quotes. */
export function quoteAdminRoutes({ pricing, quoteStore, headers }: QuoteAdminDeps): RpcRoutes {
  return (router) =>
    router.service(QuoteAdminService, {
      async showQuote({ quoteId }) {
        const { quote, agencyId, pricedUnder } = await quoteStore.lookUpQuote({ quoteId }, { headers }).catch(rethrow);
        if (!quote || !pricedUnder) throw new Error('the stored quote is incomplete');
        const rendered = renderStoredQuote(quote, quote.mode === Mode.LIVE ? 'live' : 'test');
        const origin = {
          agency_id: agencyId,
          priced_under: toJson(PricedUnderSchema, pricedUnder, { useProtoFieldName: true, alwaysEmitImplicit: true }),
        };
        return { json: `${rendered.slice(0, -1)},${JSON.stringify(origin).slice(1)}` };
      },
      async verifyQuote({ quoteId }) {
        const { quote, deal, pricedUnder } = await quoteStore.lookUpQuote({ quoteId }, { headers }).catch(rethrow);
        if (!quote?.snapshot || !deal || !pricedUnder) throw new Error('the stored quote is incomplete');
        const { priced } = await pricing.repriceDeal({ deal, pricedUnder }, { headers }).catch(rethrow);
        if (!priced) throw new Error('the price is incomplete');
        return compareWithPrice(quote.snapshot, priced);
      },
    });
}

function rethrow(error: unknown): never {
  throw failureOfRead(error);
}
