import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { callerHeaders } from '@pfq/kit/caller';
import type { Caller } from '@pfq/kit/caller';
import type { Deal, PricedUnder } from '@pfq/proto/pricing/v1/deal_pb';
import type { PricedDeal, PricingService } from '@pfq/proto/pricing/v1/pricing_pb';
import { failureOfRead } from './read-failure.ts';

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
  const request = { deal, pricedAt: timestampFromDate(pricedAt) };
  const { priced, pricedUnder } = await pricing.priceDeal(request, call).catch((error: unknown) => {
    throw failureOfRead(error);
  });
  if (!priced || !pricedUnder) throw new Error('the price is incomplete');
  return { priced, pricedUnder };
}
