import type { Mode } from '@pfq/kit/caller';
import type { Clock } from '@pfq/kit/clock';
import { count, observe, record } from '@pfq/kit/telemetry/metrics';
import type { PricedDeal } from './domain/priced-deal.ts';
import { rateSheetAgeMs } from './domain/rate-sheet.ts';
import type { PricingRules, ReferenceLibrary } from './storage/reference-library.ts';

const SECOND_MS = 1_000;
const DAY_SECONDS = 86_400;
/** Both readings of a collection, and those of collectors that come at once, share one look. */
const LOOK_KEPT_MS = 5_000;

/** Counts a deal that was priced for a quote; the mode is that of the caller, where it has one. */
export function countPriced({ eligibility, options }: PricedDeal, mode: Mode | undefined): void {
  count('pfq.quotes.priced', { 'pfq.quote.outcome': eligibility.status, 'pfq.mode': mode });
  record('pfq.quotes.options', options.length, { 'pfq.mode': mode });
  for (const { code, passed } of eligibility.checks) {
    if (!passed) count('pfq.eligibility.failures', { 'pfq.eligibility.check': code, 'pfq.mode': mode });
  }
}

/** Tells how old the rate sheet that prices now is, and from which age on it prices nothing; until the function is called. */
export function observeRateSheet(library: Pick<ReferenceLibrary, 'currentRules'>, clock: Clock): () => void {
  let look: { readonly atMs: number; readonly rules: Promise<PricingRules | null> } | undefined;
  const currentRules = () => {
    if (!look || clock() - look.atMs >= LOOK_KEPT_MS) look = { atMs: clock(), rules: library.currentRules() };
    return look.rules;
  };
  const forget = [
    observe('pfq.rate_sheet.age', async () => {
      const rules = await currentRules();
      return rules ? [{ value: rateSheetAgeMs(rules.rateSheet, clock()) / SECOND_MS, attributes: {} }] : [];
    }),
    observe('pfq.rate_sheet.age.limit', async () => {
      const days = (await currentRules())?.settings.rateSheetMaxAgeDays ?? null;
      return days === null ? [] : [{ value: days * DAY_SECONDS, attributes: {} }];
    }),
  ];
  return () => {
    for (const each of forget) each();
  };
}
