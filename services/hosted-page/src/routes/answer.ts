import type { Page } from '../pages/page.ts';

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

/** Seconds after which it is worth trying again what cannot be served now. */
const RETRY_AFTER_SECONDS = 30;

/** The status of every page. */
export function statusOf(page: Page): number {
  switch (page.kind) {
    case 'quote':
      return page.problem === null ? 200 : 422;
    case 'review':
      if (page.filledIn === null) return 200;
      return isOurFault(page.filledIn.problem.kind) ? 503 : 422;
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
  if (page.kind === 'review' && page.filledIn) return page.filledIn.problem.kind;
  if (page.kind === 'quote' && page.problem) return page.problem;
  return page.kind === 'interested' && page.after ? page.after : page.kind;
}

/** `Retry-After`, where waiting helps. */
export function retryAfterOf(page: Page): number | null {
  if (page.kind === 'too-many') return page.retryAfterSeconds;
  return statusOf(page) === 503 ? RETRY_AFTER_SECONDS : null;
}

function isOurFault(problem: string): boolean {
  return problem === 'unavailable' || problem === 'unknown-outcome';
}
