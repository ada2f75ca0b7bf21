import { single } from '../requests/target.ts';
import type { Answer } from './answer.ts';
import { findQuote } from './link-request.ts';
import type { LinkDeps, LinkRequest } from './link-request.ts';
import { pageOf } from './show-quote.ts';

/** `GET /q/{token}/review?option=…`: the chosen option once more, with the form that sends it. */
export async function showReview(link: LinkRequest, deps: LinkDeps): Promise<Answer> {
  const found = await findQuote(link, deps);
  if (found.kind === 'page') return found;
  const { quote } = found;
  const { paths, linkHash } = link;
  const standing = pageOf(quote, paths, link.query);
  if (standing.kind !== 'quote') return { kind: 'page', page: standing };
  const optionId = single(link.query, 'option');
  const option = quote.options.find(({ id }) => id === optionId);
  if (!option) return { kind: 'page', page: { ...standing, problem: 'no-choice' } };
  const nonce = deps.nonces.issue({ linkHash, optionId: option.id }, deps.clock());
  return { kind: 'page', page: { kind: 'review', quote, paths, option, nonce, filledIn: null } };
}
