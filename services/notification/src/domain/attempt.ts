import type { FailureReason, Trying } from './email.ts';

/** What came of handing an email to the mail server. `reply` is what was heard, for the operator. */
export type AttemptResult =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly reason: FailureReason; readonly reply: string }
  /** Not taken now, or nobody knows. */
  | { readonly kind: 'open'; readonly reply: string };

/** How an email stands after an attempt. */
export type Standing =
  | { readonly status: 'sent' }
  | { readonly status: 'failed'; readonly reason: FailureReason; readonly lastError: string }
  | { readonly status: 'pending'; readonly lastError: string; readonly delayMs: number };

const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 300_000;
/** More would make a number that is none. */
const MOST_DOUBLINGS = 50;

/** An email is tried for as long as it may be, and once after that. */
export function afterAttempt(
  { attempts, triedForMs }: Trying,
  result: AttemptResult,
  { giveUpAfterMs }: { readonly giveUpAfterMs: number },
): Standing {
  if (result.kind === 'taken') return { status: 'sent' };
  const lastError = result.reply;
  if (result.kind === 'refused') return { status: 'failed', reason: result.reason, lastError };
  if (triedForMs >= giveUpAfterMs) return { status: 'failed', reason: 'delivery_timed_out', lastError };
  return { status: 'pending', lastError, delayMs: delayMsAfter(attempts + 1) };
}

/** Five seconds after the first attempt, twice as long after each one that follows, five minutes at most. */
function delayMsAfter(attempts: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, MOST_DOUBLINGS), LONGEST_DELAY_MS);
}
