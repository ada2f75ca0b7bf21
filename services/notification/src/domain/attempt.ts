import type { FailureReason, Trying } from './email.ts';

/** What came of handing an email to the mail server. `reply` is what was heard, for the operator. */
export type AttemptResult =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly reason: FailureReason; readonly reply: string }
  /** Not taken now. */
  | { readonly kind: 'open'; readonly reply: string }
  /** Handed over whole, and nobody knows whether it was taken. */
  | { readonly kind: 'unknown'; readonly reply: string };

/** How an email stands after an attempt. */
export type Standing =
  | { readonly status: 'sent' }
  | { readonly status: 'failed'; readonly reason: FailureReason; readonly lastError: string }
  | {
      readonly status: 'pending';
      readonly lastError: string;
      readonly delayMs: number;
      /** Whether the server may have taken it all the same. */
      readonly isUnconfirmed: boolean;
    };

/** From one attempt to the next: `firstMs` after the first, `factor` times as long after each one that follows. */
type Schedule = { readonly firstMs: number; readonly factor: number; readonly longestMs: number };

const OPEN: Schedule = { firstMs: 5_000, factor: 2, longestMs: 300_000 };
/** Each attempt may be a copy in the mailbox, so these move apart quickly: 5 s, 1 min, 12 min, 1 h. */
const UNKNOWN: Schedule = { firstMs: 5_000, factor: 12, longestMs: 3_600_000 };
const MOST_UNCONFIRMED = 6;

/** An email is tried for as long as it may be, and once after that; where nobody knows what became of it, six times at most. */
export function afterAttempt(
  { recentAttempts, unconfirmedAttempts, triedForMs }: Trying,
  result: AttemptResult,
  { giveUpAfterMs }: { readonly giveUpAfterMs: number },
): Standing {
  if (result.kind === 'taken') return { status: 'sent' };
  const lastError = result.reply;
  if (result.kind === 'refused') return { status: 'failed', reason: result.reason, lastError };
  const isUnconfirmed = result.kind === 'unknown';
  const unconfirmed = unconfirmedAttempts + (isUnconfirmed ? 1 : 0);
  if (triedForMs >= giveUpAfterMs || (isUnconfirmed && unconfirmed >= MOST_UNCONFIRMED)) {
    return { status: 'failed', reason: unconfirmed > 0 ? 'delivery_unconfirmed' : 'delivery_timed_out', lastError };
  }
  const delayMs = isUnconfirmed ? delayMsAfter(unconfirmed, UNKNOWN) : delayMsAfter(recentAttempts + 1, OPEN);
  return { status: 'pending', lastError, delayMs, isUnconfirmed };
}

function delayMsAfter(attempts: number, { firstMs, factor, longestMs }: Schedule): number {
  return Math.min(firstMs * factor ** (attempts - 1), longestMs);
}
