import { ServiceError } from '@pfq/kit/errors';
import { optionIdsOf } from './options.ts';
import { partiesOf } from './parties.ts';
import { requireUnexpired } from './quote.ts';
import type { BrokerNotification, Interest, Quote } from './quote.ts';

/** What the insured responds, and how others hear of it. */
export type NewInterest = {
  readonly optionId: string;
  /** At most 500 characters; an empty one says as little as none. */
  readonly note: string | null;
  readonly telling: Telling;
};

/** The event that tells of a response to a live quote, and the request and trace under which whatever comes of it is logged. */
export type Telling = { readonly eventId: string; readonly requestId: string; readonly traceparent: string | null };

/** The interest that a response makes of a quote; QUOTE_ALREADY_INTERESTED, QUOTE_EXPIRED or VALIDATION_FAILED otherwise. */
export function expressInterest(quote: Quote, { optionId, note, telling }: NewInterest): Interest {
  if (quote.interest) throw alreadyInterested();
  requireUnexpired(quote);
  requireOption(optionId, optionIdsOf(quote));
  return {
    optionId,
    note: noteOrNull(note),
    submittedAt: quote.readAt,
    eventId: quote.mode === 'live' ? telling.eventId : null,
    notification: firstNotification(quote),
  };
}

export function alreadyInterested(): ServiceError {
  const message = 'This quote has a response already and takes only one. Read the quote to see it.';
  return new ServiceError('QUOTE_ALREADY_INTERESTED', { message });
}

/** Of a test quote nobody is notified, of a live one the broker whose it is, whatever has become of the broker since. */
function firstNotification(quote: Quote): BrokerNotification {
  const at = quote.readAt;
  if (quote.mode === 'test') return { status: 'skipped', reason: 'test_mode', recipient: null, at };
  return { status: 'pending', reason: null, recipient: partiesOf(quote).brokerEmail, at };
}

/** Whether an interest says what a response says. */
export function isInterestOf(
  interest: Interest | null,
  { optionId, note }: Pick<NewInterest, 'optionId' | 'note'>,
): boolean {
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
