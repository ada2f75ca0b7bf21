import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { callerHeaders } from '@pfq/kit/caller';
import type { Caller } from '@pfq/kit/caller';
import { failureOfRead } from '@pfq/kit/rpc/status';
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

/**
 * Prices a deal. Throws SERVICE_UNAVAILABLE where prices cannot be had or pricing does not answer in time. The request
 * was validated here, so any other refusal is a fault of ours.
 */
export async function priceDeal(
  pricing: Client<typeof PricingService>,
  { deal, pricedAt, caller, remainingMs }: Pricing,
): Promise<Price> {
  const call = { headers: callerHeaders(caller), timeoutMs: Math.min(PRICING_TIMEOUT_MS, remainingMs()) };
  const request = { deal, pricedAt: timestampFromDate(pricedAt) };
  const { priced, pricedUnder } = await pricing.priceDeal(request, call).catch((error: unknown) => {
    throw failureOfRead(error);
  });
  if (!priced || !pricedUnder) throw new Error('the price is incomplete');
  return { priced, pricedUnder };
}
