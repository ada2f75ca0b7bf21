import { ServiceError } from '@pfq/kit/errors';
import { optionIdsOf } from './options.ts';
import { requireUnexpired } from './quote.ts';
import type { BrokerNotification, Interest, Quote } from './quote.ts';

/** What the insured responds, and what is to become of the broker's notification. */
export type NewInterest = {
  readonly optionId: string;
  /** At most 500 characters; an empty one says as little as none. */
  readonly note: string | null;
  readonly notification: Omit<BrokerNotification, 'at'>;
};

/** What becomes of the notification about a test quote: nobody gets one. */
export const SKIPPED_IN_TEST_MODE = { status: 'skipped', reason: 'test_mode', recipient: null } as const;

/** The interest that a response makes of a quote; QUOTE_ALREADY_INTERESTED, QUOTE_EXPIRED or VALIDATION_FAILED otherwise. */
export function expressInterest(quote: Quote, { optionId, note, notification }: NewInterest): Interest {
  if (quote.interest) {
    const message = 'This quote has a response already and takes only one. Read the quote to see it.';
    throw new ServiceError('QUOTE_ALREADY_INTERESTED', { message });
  }
  requireUnexpired(quote);
  requireOption(optionId, optionIdsOf(quote.pricedMembers));
  return {
    optionId,
    note: noteOrNull(note),
    submittedAt: quote.readAt,
    notification: { ...notification, at: quote.readAt },
  };
}

/** Whether an interest says what a response says. */
export function isInterestOf(interest: Interest | null, { optionId, note }: NewInterest): boolean {
  return interest?.optionId === optionId && interest.note === noteOrNull(note);
}

function noteOrNull(note: string | null): string | null {
  return note === '' ? null : note;
}

function requireOption(optionId: string, optionIds: readonly string[]): void {
  if (optionIds.includes(optionId)) return;
  const param = 'option_id';
  const message =
    optionIds.length === 0
      ? `${param} names no option: this quote has none, and its eligibility.reasons tell why. Create an eligible quote.`
      : `${param} must be one of the options of this quote: ${optionIds.join(', ')}.`;
  throw new ServiceError('VALIDATION_FAILED', { message, param, details: [{ code: 'INVALID_VALUE', param, message }] });
}
