import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Mode } from '@pfq/kit/caller';
import { ServiceError } from '@pfq/kit/errors';
import type { PricedUnderSchema } from '@pfq/proto/pricing/v1/deal_pb';
import type { PriceDealRequest, PriceDealResponseSchema } from '@pfq/proto/pricing/v1/pricing_pb';
import { ENGINE_VERSION } from '../domain/engines.ts';
import { countPriced } from '../metrics.ts';
import type { ReferenceLibrary, ReferenceVersions } from '../storage/reference-library.ts';
import { engineOf } from './engine-of.ts';
import { readDeal } from './read-deal.ts';
import { writePricedDeal } from './write-priced-deal.ts';

type Pricing = { readonly library: ReferenceLibrary; readonly mode: Mode | undefined };

/** Prices under the newest reference data, for a quote of that mode. */
export async function priceDeal(
  { deal, pricedAt }: PriceDealRequest,
  { library, mode }: Pricing,
): Promise<MessageInitShape<typeof PriceDealResponseSchema>> {
  const input = readDeal(deal);
  if (!pricedAt) throw new ServiceError('VALIDATION_FAILED', { message: 'priced_at is missing.', param: 'priced_at' });
  const { reference, versions } = await library.current(timestampMs(pricedAt));
  const priced = engineOf(ENGINE_VERSION)(input, reference);
  countPriced(priced, mode);
  return { priced: writePricedDeal(priced), pricedUnder: writePricedUnder(versions) };
}

function writePricedUnder(versions: ReferenceVersions): MessageInitShape<typeof PricedUnderSchema> {
  return {
    engineVersion: ENGINE_VERSION,
    rateSheetVersion: versions.rateSheet,
    settingsVersion: versions.settings,
    carrierDirectoryVersion: versions.carrierDirectory,
    declinedListVersion: versions.declinedList,
    coverageListVersion: versions.coverageList,
  };
}
