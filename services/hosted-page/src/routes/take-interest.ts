import { OutcomeUnknownError, ServiceError } from '@pfq/kit/errors';
import { untilCertain } from '@pfq/kit/rpc/until-certain';
import { LinkState } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import { readNote } from '../domain/note.ts';
import type { Option } from '../domain/quote.ts';
import type { FilledIn } from '../pages/page.ts';
import type { Reviewed } from '../review/nonce.ts';
import type { Answer } from './answer.ts';
import { findQuote } from './link-request.ts';
import type { LinkDeps, LinkRequest } from './link-request.ts';
import { AGAIN, pageOf, SENT } from './show-quote.ts';

type Fields = ReadonlyMap<string, string>;
type Problem = FilledIn['problem'];

/** A response that may be stored. */
type Response = {
  readonly kind: 'response';
  readonly changeId: string;
  readonly optionId: string;
  readonly note: string;
};

/** Where sending a response ended. A quote that takes none any more is as good as sent: its page tells how it stands. */
type Sent = 'response-stored' | 'response-too-late' | 'replaced' | 'unavailable' | 'unknown-outcome';

type Led = { readonly option: Option | null; readonly after: Extract<Sent, `response-${string}`> };

/**
 * `POST /q/{token}/interest`: stores the insured's response once the form proves to come from a review page of ours, is
 * confirmed, and has a note that can be kept. Otherwise the review page comes back with all that was filled in. Where there is
 * a response already, the store alone knows whether it is this very one, sent once more.
 */
export async function takeInterest(link: LinkRequest, fields: Fields, deps: LinkDeps): Promise<Answer> {
  const { paths, linkHash } = link;
  const found = await findQuote(link, deps);
  if (found.kind === 'page') return found;
  const { quote } = found;
  const option = quote.options.find(({ id }) => id === fields.get('option')) ?? null;
  const standing = pageOf(quote, paths, link.query);
  const tooLate = seeQuote(link, { option, after: 'response-too-late' });
  if (standing.kind !== 'quote' && standing.kind !== 'interested') return tooLate;
  if (!option)
    return standing.kind === 'quote' ? { kind: 'page', page: { ...standing, problem: 'no-choice' } } : tooLate;

  const reviewed = { linkHash, optionId: option.id };
  const reviewAgain = (problem: Problem): Answer => {
    const isOutdated = problem.kind === 'form-outdated';
    const nonce = isOutdated ? deps.nonces.issue(reviewed, deps.clock()) : (fields.get('nonce') ?? '');
    const filledIn = { note: fields.get('note') ?? '', problem };
    return { kind: 'page', page: { kind: 'review', quote, paths, option, nonce, filledIn } };
  };
  const response = readResponse(fields, reviewed, deps);
  if (response.kind !== 'response') return standing.kind === 'quote' ? reviewAgain(response) : tooLate;
  const sent = await sendResponse(link, response, deps);
  if (sent === 'replaced') return { kind: 'page', page: { kind: 'replaced', mode: quote.mode } };
  if (sent === 'unavailable' || sent === 'unknown-outcome') return reviewAgain({ kind: sent });
  return seeQuote(link, { option, after: sent });
}

/** The response that a form holds, or what is wrong with the form. */
function readResponse(fields: Fields, reviewed: Reviewed, { nonces, clock }: LinkDeps): Response | Problem {
  const changeId = nonces.read(fields.get('nonce') ?? '', reviewed, clock());
  if (changeId === null) return { kind: 'form-outdated' };
  if (fields.get('confirmed') !== 'yes') return { kind: 'not-confirmed' };
  const reading = readNote(fields.get('note') ?? '');
  if (reading.kind !== 'note') return reading;
  return { kind: 'response', changeId, optionId: reviewed.optionId, note: reading.note };
}

async function sendResponse(
  link: LinkRequest,
  { changeId, optionId, note }: Response,
  { store }: LinkDeps,
): Promise<Sent> {
  const { linkHash, headers, remainingMs, exchange } = link;
  const doubt = `change ${changeId} of quote ${exchange.quoteId} may or may not be made`;
  try {
    const { linkState } = await untilCertain({
      attempt: (call) =>
        store.expressInterest({ hostedLinkHash: linkHash, changeId, optionId, note }, { headers, ...call }),
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
function seeQuote({ paths, exchange }: LinkRequest, { option, after }: Led): Answer {
  const marker = after === 'response-stored' ? SENT : AGAIN;
  const query = new URLSearchParams({ ...(option && { [marker]: option.id }), lang: exchange.language });
  return { kind: 'see-other', path: `${paths.quote}?${query}`, after };
}
