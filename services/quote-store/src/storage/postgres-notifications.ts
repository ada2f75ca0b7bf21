import type { Tenant } from '@pfq/kit/caller';
import type { Database } from '@pfq/kit/postgres';
import type { NotificationOutcome } from './store.ts';

/**
 * By primary key. Gives a row where there is such an interest, whether or not this is news: what is on record may be newer,
 * and a mail that was sent stays sent.
 */
const RECORD = `
  WITH recorded AS (
    UPDATE interests
    SET notification_revision = $5, notification_status = $6, notification_reason = $7, notification_at = $8
    WHERE agency_id = $1 AND mode = $2 AND quote_id = $3 AND event_id = $4
      AND notification_revision < $5 AND notification_status <> 'sent'
  )
  SELECT quote_id FROM interests WHERE agency_id = $1 AND mode = $2 AND quote_id = $3 AND event_id = $4`;

export async function recordNotification(
  database: Database,
  { agencyId, mode }: Tenant,
  { quoteId, eventId, revision, status, reason, at }: NotificationOutcome,
): Promise<boolean> {
  const values = [agencyId, mode, quoteId, eventId, revision, status, reason, at];
  return (await database.write(RECORD, values)).length === 1;
}
