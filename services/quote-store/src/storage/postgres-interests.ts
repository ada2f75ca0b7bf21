import type { Database } from '@pfq/kit/postgres';
import { expressInterest as express, isInterestOf } from '../domain/interest.ts';
import type { NewInterest } from '../domain/interest.ts';
import type { Quote } from '../domain/quote.ts';
import { makeChange } from './postgres-changes.ts';
import type { Change } from './store.ts';

const INSERT = `
  INSERT INTO interests (agency_id, mode, quote_id, change_id, option_id, note, submitted_at,
    notification_status, notification_reason, notification_recipient, notification_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

/** By primary key. */
const IS_STORED = `
  SELECT quote_id FROM interests WHERE agency_id = $1 AND mode = $2 AND quote_id = $3 AND change_id = $4`;

export function expressInterest(database: Database, change: Change, wanted: NewInterest): Promise<Quote> {
  const { agencyId, mode } = change.visibility.tenant;
  const key = [agencyId, mode, change.quoteId, change.id];
  return makeChange(database, change, {
    async make(quote, query) {
      const interest = express(quote, wanted);
      const { status, reason, recipient, at } = interest.notification;
      const response = [interest.optionId, interest.note, interest.submittedAt];
      await query(INSERT, [...key, ...response, status, reason, recipient, at]);
      return { ...quote, interest };
    },
    wasMade: async ({ interest }, query) =>
      isInterestOf(interest, wanted) && (await query(IS_STORED, key)).length === 1,
  });
}
