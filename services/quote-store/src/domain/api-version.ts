import type { Quote } from './quote.ts';

/** The one that there was before callers told theirs. */
export const FIRST_API_VERSION = '2026-09-23';

/** In whose shapes the members that the store itself needs can be read here; everything else is kept in any. */
const KNOWN_VERSIONS: ReadonlySet<string> = new Set([FIRST_API_VERSION]);

/** To be asked before a quote's members are read. A later version may give them another shape or meaning. */
export function requireKnownVersion({ apiVersion }: Pick<Quote, 'apiVersion'>): void {
  if (KNOWN_VERSIONS.has(apiVersion)) return;
  throw new Error(`the quote is stored in the shape of an API version that this release does not know: ${apiVersion}`);
}
