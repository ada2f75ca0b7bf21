import { OutcomeUnknownError, ServiceError } from '@pfq/kit/errors';
import { untilCertain } from '@pfq/kit/rpc/until-certain';
import { LinkState } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import { readNote } from '../domain/note.ts';
import type { Option } from '../domain/quote.ts';
import type { Answer as TypedAnswer, Page } from '../pages/page.ts';
import type { Answer } from './answer.ts';
import { findQuote } from './link-request.ts';
import type { LinkDeps, LinkRequest } from './link-request.ts';
import { pageOf, SENT } from './show-quote.ts';

type Fields = ReadonlyMap<string, string>;
type Problem = TypedAnswer['problem'];

/** A response that may be stored. */
type Response = { readonly changeId: string; readonly optionId: string; readonly note: string };

/** Where sending a response ended. A quote that takes none any more is as good as sent: its page tells how it stands. */
type Sent = 'response-stored' | 'response-too-late' | 'replaced' | 'unavailable' | 'unknown-outcome';

type Led = { readonly sent: Option | null; readonly after: Extract<Sent, `response-${string}`> };

/**
 * `POST /q/{token}/interest`: stores the insured's response once the form proves to come from a review page of ours, is
 * confirmed, and has a note that can be kept. Otherwise the review page comes back with all that was filled in.
 */
export async function takeInterest(link: LinkRequest, fields: Fields, deps: LinkDeps): Promise<Answer> {
  const { paths, linkHash } = link;
  const optionId = fields.get('option') ?? '';
  const found = await findQuote(link, deps);
  if (found.kind !== 'current') return { kind: 'page', page: found };
  const standing = pageOf(found.quote, paths);
  const option = found.quote.options.find(({ id }) => id === optionId) ?? null;
  if (standing.kind !== 'quote') return seeQuote(link, { sent: option, after: 'response-too-late' });
  if (!option) return { kind: 'page', page: { ...standing, problem: 'no-choice' } };

  const nonce = fields.get('nonce') ?? '';
  const typed = fields.get('note') ?? '';
  const reviewAgain = (problem: Problem, valid = nonce): Answer => {
    const answer = { note: typed, problem };
    const page: Page = { kind: 'review', quote: found.quote, paths, option, nonce: valid, answer };
    return { kind: 'page', page };
  };
  const changeId = deps.nonces.read(nonce, { linkHash, optionId }, deps.clock());
  if (changeId === null) {
    return reviewAgain({ kind: 'form-outdated' }, deps.nonces.issue({ linkHash, optionId }, deps.clock()));
  }
  if (fields.get('confirmed') !== 'yes') return reviewAgain({ kind: 'not-confirmed' });
  const reading = readNote(typed);
  if (reading.kind !== 'note') return reviewAgain(reading);
  const sent = await sendResponse(link, { changeId, optionId, note: reading.note }, deps);
  if (sent === 'replaced') return { kind: 'page', page: { kind: 'replaced' } };
  if (sent === 'unavailable' || sent === 'unknown-outcome') return reviewAgain({ kind: sent });
  return seeQuote(link, { sent: option, after: sent });
}

async function sendResponse(link: LinkRequest, response: Response, { store }: LinkDeps): Promise<Sent> {
  const { linkHash, headers, remainingMs, exchange } = link;
  const doubt = `change ${response.changeId} of quote ${exchange.quoteId} may or may not be made`;
  try {
    const { linkState } = await untilCertain({
      attempt: (call) => store.expressInterest({ hostedLinkHash: linkHash, ...response }, { headers, ...call }),
      remainingMs,
      doubt,
    });
    return linkState === LinkState.REPLACED ? 'replaced' : 'response-stored';
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : null;
    if (code === 'QUOTE_ALREADY_INTERESTED' || code === 'QUOTE_EXPIRED') return 'response-too-late';
    if (code !== 'SERVICE_UNAVAILABLE' && !(error instanceof OutcomeUnknownError)) throw error;
    exchange.failure = error;
    return code === null ? 'unknown-outcome' : 'unavailable';
  }
}

/** Back to the quote by GET, so that showing it again sends nothing again. */
function seeQuote({ paths, exchange }: LinkRequest, { sent, after }: Led): Answer {
  const query = new URLSearchParams({ ...(sent && { [SENT]: sent.id }), lang: exchange.language });
  return { kind: 'see-other', path: `${paths.quote}?${query}`, after };
}
