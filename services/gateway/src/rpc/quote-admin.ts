import { fromBinary, toJson } from '@bufbuild/protobuf';
import type { Client, HandlerContext } from '@connectrpc/connect';
import { ServiceError } from '@pfq/kit/errors';
import { actorOf, operatorHeaders } from '@pfq/kit/rpc/operator-credential';
import type { RpcRoutes } from '@pfq/kit/rpc/server';
import { failureOfRead } from '@pfq/kit/rpc/status';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { QuoteAdminService } from '@pfq/proto/gateway/v1/admin_pb';
import { DealSchema, PricedUnderSchema } from '@pfq/proto/pricing/v1/deal_pb';
import type { PricingService } from '@pfq/proto/pricing/v1/pricing_pb';
import type { LookUpQuoteResponse, QuoteStoreAdminService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { renderStoredQuote } from '../quotes/stored-quote.ts';
import type { ApiVersions } from '../versions/api-versions.ts';
import { compareWithPrice } from './verify-quote.ts';

type QuoteAdminDeps = {
  readonly pricing: Client<typeof PricingService>;
  readonly quoteStore: Client<typeof QuoteStoreAdminService>;
  readonly operatorToken: string;
  readonly versions: ApiVersions;
};

/** For a call that set no time limit of its own. */
const CALL_TIMEOUT_MS = 10_000;

/** The operator's view of quotes. */
export function quoteAdminRoutes({ pricing, quoteStore, operatorToken, versions }: QuoteAdminDeps): RpcRoutes {
  const onBehalfOf = (context: HandlerContext) => ({
    headers: operatorHeaders({ token: operatorToken, actor: actorOf(context.requestHeader) }),
    timeoutMs: context.timeoutMs() ?? CALL_TIMEOUT_MS,
  });
  return (router) =>
    router.service(QuoteAdminService, {
      async showQuote({ quoteId }, context) {
        const stored = await quoteStore.lookUpQuote({ quoteId }, onBehalfOf(context)).catch(rethrow);
        const { agencyId, quote } = stored;
        const { pricedUnder } = readOrigin(stored);
        const mode = quote?.mode === Mode.LIVE ? 'live' : 'test';
        const rendered = renderStoredQuote(quote, { mode, hostedUrl: null, versions });
        const origin = {
          agency_id: agencyId,
          priced_under: toJson(PricedUnderSchema, pricedUnder, { useProtoFieldName: true, alwaysEmitImplicit: true }),
        };
        return { json: `${rendered.slice(0, -1)},${JSON.stringify(origin).slice(1)}` };
      },
      async verifyQuote({ quoteId }, context) {
        const stored = await quoteStore.lookUpQuote({ quoteId }, onBehalfOf(context)).catch(rethrow);
        if (!stored.quote?.snapshot) throw new Error('the stored quote is incomplete');
        const { priced } = await pricing.repriceDeal(readOrigin(stored), onBehalfOf(context)).catch(rethrow);
        if (!priced) throw new Error('the price is incomplete');
        return compareWithPrice(versions.toCurrent(stored.quote.snapshot), priced);
      },
    });
}

function readOrigin({ quote, deal, pricedUnder }: LookUpQuoteResponse) {
  try {
    return { deal: fromBinary(DealSchema, deal), pricedUnder: fromBinary(PricedUnderSchema, pricedUnder) };
  } catch (error) {
    const message = `What quote ${quote?.quoteId} was priced from can no longer be read: its stored inputs were changed.`;
    throw new ServiceError('INTERNAL', { message, cause: error });
  }
}

/** Pricing refuses inputs and versions that were changed behind its back, and says which: the operator should know. */
function rethrow(error: unknown): never {
  throw failureOfRead(error, ['NOT_FOUND', 'VALIDATION_FAILED']);
}
