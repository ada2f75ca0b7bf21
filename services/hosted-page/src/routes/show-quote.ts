import type { Quote } from '../domain/quote.ts';
import type { AfterSending, Page, Paths } from '../pages/page.ts';
import { single } from '../requests/target.ts';
import type { Answer } from './answer.ts';
import { findQuote } from './link-request.ts';
import type { LinkDeps, LinkRequest } from './link-request.ts';

/**
 * The parameters that name the option which the insured has just confirmed: `?sent=opt_20_9` once it is the response,
 * `?again=opt_20_9` where there was one before.
 */
export const SENT = 'sent';
export const AGAIN = 'again';

/** `GET /q/{token}`: the options to choose from, or how the quote stands. */
export async function showQuote(link: LinkRequest, deps: LinkDeps): Promise<Answer> {
  const found = await findQuote(link, deps);
  if (found.kind === 'page') return found;
  return { kind: 'page', page: pageOf(found.quote, link.paths, link.query) };
}

/** The page for the quote as it stands. The query tells how the insured came here; the stored response alone what was chosen. */
export function pageOf(quote: Quote, paths: Paths, query: URLSearchParams): Page {
  if (quote.status === 'interested') return { kind: 'interested', quote, after: afterSending(quote, query) };
  if (quote.status === 'expired') return { kind: 'expired', quote };
  if (quote.ineligibleBecause.length > 0 || quote.options.length === 0) return { kind: 'ineligible', quote };
  return { kind: 'quote', quote, paths, problem: null };
}

function afterSending({ interest }: Quote, query: URLSearchParams): AfterSending | null {
  const [sentId, againId] = [single(query, SENT), single(query, AGAIN)];
  const optionId = sentId ?? againId;
  if (optionId === null) return null;
  if (interest?.option.id !== optionId) return 'sent-another';
  return sentId === null ? 'sent-before' : 'sent';
}
