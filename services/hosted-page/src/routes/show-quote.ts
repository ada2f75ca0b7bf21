import type { Quote } from '../domain/quote.ts';
import type { Page, Paths } from '../pages/page.ts';
import { single } from '../requests/target.ts';
import type { Answer } from './answer.ts';
import { findQuote } from './link-request.ts';
import type { LinkDeps, LinkRequest } from './link-request.ts';

/** The parameter that names the option which the insured has just confirmed: `?sent=opt_20_9`. */
export const SENT = 'sent';

/** `GET /q/{token}`: the options to choose from, or how the quote stands. */
export async function showQuote(link: LinkRequest, deps: LinkDeps): Promise<Answer> {
  const found = await findQuote(link, deps);
  if (found.kind !== 'current') return { kind: 'page', page: found };
  return { kind: 'page', page: pageOf(found.quote, link.paths, single(link.query, SENT)) };
}

/** The page for the quote as it stands. What was sent tells how the insured came here; the stored response alone what was chosen. */
export function pageOf(quote: Quote, paths: Paths, sentOptionId: string | null = null): Page {
  if (quote.status === 'interested')
    return { kind: 'interested', quote, paths, after: afterSending(quote, sentOptionId) };
  if (quote.status === 'expired') return { kind: 'expired', quote, paths };
  if (quote.ineligibleBecause.length > 0 || quote.options.length === 0) return { kind: 'ineligible', quote, paths };
  return { kind: 'quote', quote, paths, problem: null };
}

function afterSending({ interest }: Quote, sentOptionId: string | null): 'sent' | 'sent-another' | null {
  if (sentOptionId === null) return null;
  return interest?.option.id === sentOptionId ? 'sent' : 'sent-another';
}
