import type { Language, Page, TryAgain } from '../pages/page.ts';

/** What a request is answered with. */
export type Answer =
  | { readonly kind: 'page'; readonly page: Page }
  /** To the path of the quote, which is to be asked for with GET; with what was done before that, for the log. */
  | {
      readonly kind: 'see-other';
      readonly path: string;
      readonly after: 'response-stored' | 'response-too-late' | 'no-form';
    }
  | { readonly kind: 'other-method'; readonly allow: string }
  | { readonly kind: 'robots' };

/** What becomes known of a request on its way: the page's frame and the log line tell it. */
export type Exchange = {
  readonly requestId: string;
  /** The route with `{token}` in the place of the link's token. */
  readonly route: string;
  /** What a page of a link was asked for by; null where asking again would change something, or there is no such page. */
  readonly address: { readonly path: string; readonly query: URLSearchParams } | null;
  /** The form that was sent, and the path that takes it. */
  sent?: { readonly path: string; readonly fields: ReadonlyMap<string, string> };
  language: Language;
  quoteId?: string;
  /** What kept us from serving it. */
  failure?: unknown;
};

/** Seconds after which it is worth trying again what cannot be served now. */
const RETRY_AFTER_SECONDS = 30;

/** The status of every page. */
export function statusOf(page: Page): number {
  switch (page.kind) {
    case 'quote':
      return page.problem === null ? 200 : 422;
    case 'review':
      if (page.answer === null) return 200;
      return isOurFault(page.answer.problem.kind) ? 503 : 422;
    case 'interested':
    case 'expired':
    case 'ineligible':
      return 200;
    case 'foreign-form':
      return 403;
    case 'unknown':
      return 404;
    case 'replaced':
      return 410;
    case 'too-large':
      return 413;
    case 'too-many':
      return 429;
    case 'failed':
      return 500;
    case 'unavailable':
      return 503;
  }
}

/** For the log: the page, and what is wrong with it or how one came to it. */
export function outcomeOf(answer: Answer): string {
  if (answer.kind === 'see-other') return answer.after;
  if (answer.kind !== 'page') return answer.kind;
  const { page } = answer;
  if (page.kind === 'review' && page.answer) return page.answer.problem.kind;
  if (page.kind === 'quote' && page.problem) return page.problem;
  return page.kind === 'interested' && page.after ? page.after : page.kind;
}

/** How to try again: the address that was asked for, or the form that was sent. */
export function tryAgainWith({ address, sent }: Exchange): TryAgain | null {
  if (address === null) return sent ? { kind: 'form', ...sent } : null;
  const path = address.query.size === 0 ? address.path : `${address.path}?${address.query}`;
  return { kind: 'link', path };
}

/** Where the page is in the other language; null where it has no address to come back to. */
export function switchTo({ address, language }: Exchange): string | null {
  if (address === null) return null;
  const query = new URLSearchParams(address.query);
  query.set('lang', language === 'en' ? 'es' : 'en');
  return `${address.path}?${query}`;
}

/** `Retry-After`, where waiting helps. */
export function retryAfterOf(page: Page): number | null {
  if (page.kind === 'too-many') return page.retryAfterSeconds;
  return statusOf(page) === 503 ? RETRY_AFTER_SECONDS : null;
}

function isOurFault(problem: string): boolean {
  return problem === 'unavailable' || problem === 'unknown-outcome';
}
