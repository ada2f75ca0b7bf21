import type { CarrierDirectory } from './carriers.ts';
import type { DeclinedList } from './declined.ts';
import type { RateSheet } from './rate-sheet.ts';
import type { PricingSettings } from './settings.ts';

/** Everything besides the deal itself that a price depends on. Each part is versioned; a quote names the versions used. */
export type ReferenceData = {
  readonly rateSheet: RateSheet;
  readonly settings: PricingSettings;
  readonly carriers: CarrierDirectory;
  readonly declined: DeclinedList;
  /** Coverage types whose minimum earned premium the broker should verify. */
  readonly verifyMinimumEarnedCoverages: ReadonlySet<string>;
};
