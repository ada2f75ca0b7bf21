import type { MessageInitShape } from '@bufbuild/protobuf';
import { ServiceError } from '@pfq/kit/errors';
import type { PricedUnder } from '@pfq/proto/pricing/v1/deal_pb';
import type { RepriceDealRequest, RepriceDealResponseSchema } from '@pfq/proto/pricing/v1/pricing_pb';
import type { ReferenceLibrary, ReferenceVersions } from '../storage/reference-library.ts';
import { engineOf } from './engine-of.ts';
import { readDeal } from './read-deal.ts';
import { writePricedDeal } from './write-priced-deal.ts';

/** Prices under recorded versions; no age of the rate sheet matters. */
export async function repriceDeal(
  { deal, pricedUnder }: RepriceDealRequest,
  library: ReferenceLibrary,
): Promise<MessageInitShape<typeof RepriceDealResponseSchema>> {
  const input = readDeal(deal);
  if (!pricedUnder) {
    throw new ServiceError('VALIDATION_FAILED', { message: 'priced_under is missing.', param: 'priced_under' });
  }
  const price = engineOf(pricedUnder.engineVersion);
  return { priced: writePricedDeal(price(input, await library.recorded(readVersions(pricedUnder)))) };
}

function readVersions(pricedUnder: PricedUnder): ReferenceVersions {
  return {
    rateSheet: pricedUnder.rateSheetVersion,
    settings: pricedUnder.settingsVersion,
    carrierDirectory: pricedUnder.carrierDirectoryVersion,
    declinedList: pricedUnder.declinedListVersion,
    coverageList: pricedUnder.coverageListVersion,
  };
}
