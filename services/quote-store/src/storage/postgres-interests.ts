import { addJob } from '@pfq/kit/jobs';
import type { Database, Statements } from '@pfq/kit/postgres';
import { count } from '@pfq/kit/telemetry/metrics';
import { expressInterest as express, isInterestOf } from '../domain/interest.ts';
import type { NewInterest } from '../domain/interest.ts';
import { makeChange } from './postgres-changes.ts';
import { publishJob } from './publish-job.ts';
import type { Change, ChangedQuote } from './store.ts';

/** How a response reaches the quote. */
export type Way = {
  /** Throws, under the quote's lock, where the way was closed meanwhile. */
  readonly requireOpen: (query: Statements['query']) => Promise<void>;
  /** Throws what whoever came this way is told where the change was made in other words. */
  readonly refuseOtherWords: () => void;
};

const INSERT = `
  INSERT INTO interests (agency_id, mode, quote_id, change_id, option_id, note, submitted_at, event_id,
    notification_status, notification_reason, notification_recipient, notification_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

/** By primary key. */
const IS_STORED = `
  SELECT quote_id FROM interests WHERE agency_id = $1 AND mode = $2 AND quote_id = $3 AND change_id = $4`;

/** Stores the one response and, where somebody hears of it, the job that tells them: both or neither. */
export async function expressInterest(
  database: Database,
  change: Change,
  { interest: wanted, way }: { interest: NewInterest; way: Way },
): Promise<ChangedQuote> {
  const { tenant } = change.visibility;
  const key = [tenant.agencyId, tenant.mode, change.quoteId, change.id];
  const changed = await makeChange(database, change, {
    async make(quote, query) {
      await way.requireOpen(query);
      const interest = express(quote, wanted);
      const { optionId, note, submittedAt, eventId } = interest;
      const { status, reason, recipient, at } = interest.notification;
      await query(INSERT, [...key, optionId, note, submittedAt, eventId, status, reason, recipient, at]);
      const { quoteId } = change;
      if (eventId !== null) await addJob(query, publishJob({ tenant, quoteId, telling: wanted.telling }));
      return { ...quote, interest };
    },
    async wasMade({ interest }, query) {
      const [made] = await query(IS_STORED, key);
      const isSame = isInterestOf(interest, wanted);
      if (made && !isSame) way.refuseOtherWords();
      return made !== undefined && isSame;
    },
  });
  if (changed.isMadeNow) count('pfq.interests', { 'pfq.mode': tenant.mode });
  return changed;
}
