import type { Deal } from './deal.ts';
import { priceDealWithEngine1 } from './engine-1/price-deal.ts';
import type { PricedDeal } from './priced-deal.ts';
import type { ReferenceData } from './reference.ts';

export type Engine = (deal: Deal, reference: ReferenceData) => PricedDeal;

/** The engine that prices new deals. */
export const ENGINE_VERSION = '1';

/** Every engine that a stored quote may name. One that was released is never edited: new rules are a new engine. */
const ENGINES: ReadonlyMap<string, Engine> = new Map([['1', priceDealWithEngine1]]);

/** Null for a version that never was. */
export function findEngine(version: string): Engine | null {
  return ENGINES.get(version) ?? null;
}
