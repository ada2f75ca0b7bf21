import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { callerHeaders } from '@pfq/kit/caller';
import type { Caller } from '@pfq/kit/caller';
import { OutcomeUnknownError, unavailable } from '@pfq/kit/errors';
import { fromWireError } from '@pfq/kit/rpc/status';
import type { Deal, PricedUnder } from '@pfq/proto/pricing/v1/deal_pb';
import type { PricedDeal, PricingService } from '@pfq/proto/pricing/v1/pricing_pb';

type Pricing = {
  readonly deal: Deal;
  readonly pricedAt: Date;
  readonly caller: Caller;
  readonly remainingMs: () => number;
};
type Price = { readonly priced: PricedDeal; readonly pricedUnder: PricedUnder };

const PRICING_TIMEOUT_MS = 5_000;

/** Prices a deal. Throws SERVICE_UNAVAILABLE where prices cannot be had or pricing does not answer in time. */
export async function priceDeal(
  pricing: Client<typeof PricingService>,
  { deal, pricedAt, caller, remainingMs }: Pricing,
): Promise<Price> {
  const call = { headers: callerHeaders(caller), timeoutMs: Math.min(PRICING_TIMEOUT_MS, remainingMs()) };
  try {
    const { priced, pricedUnder } = await pricing.priceDeal({ deal, pricedAt: timestampFromDate(pricedAt) }, call);
    if (!priced || !pricedUnder) throw new Error('the price is incomplete');
    return { priced, pricedUnder };
  } catch (error) {
    const failure = fromWireError(error);
    throw failure instanceof OutcomeUnknownError ? unavailable(failure.cause) : failure;
  }
}
