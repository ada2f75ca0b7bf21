import { addJob } from '@pfq/kit/jobs';
import type { Database } from '@pfq/kit/postgres';
import type { Email } from '../domain/email.ts';
import { emailJob, RECORD_OUTCOME, SEND_EMAIL } from './email-jobs.ts';
import { EMAIL_COLUMNS, toEmail } from './email-rows.ts';
import type { EmailRow } from './email-rows.ts';

/** By emails_by_age. */
const LIST = `SELECT ${EMAIL_COLUMNS} FROM emails ORDER BY created_at DESC, event_id DESC LIMIT $1`;

/** By emails_failed. */
const LIST_FAILED = `
  SELECT ${EMAIL_COLUMNS} FROM emails WHERE status = 'failed' ORDER BY created_at DESC, event_id DESC LIMIT $1`;

export async function listEmails(
  database: Database,
  { failedOnly, limit }: { readonly failedOnly: boolean; readonly limit: number },
): Promise<readonly Email[]> {
  const rows = await database.read<EmailRow>(failedOnly ? LIST_FAILED : LIST, [limit]);
  return rows.map(toEmail);
}

/** By emails_by_event. */
const RETRY = `
  UPDATE emails SET status = 'pending', reason = NULL, revision = revision + 1,
    tried_since = pfq_now(), recent_attempts = 0, unconfirmed_attempts = 0, status_at = pfq_now(), next_attempt_at = pfq_now()
  WHERE event_id = $1 AND status = 'failed'
  RETURNING ${EMAIL_COLUMNS}`;

/** By emails_by_event. */
const LOOK_UP = `SELECT ${EMAIL_COLUMNS} FROM emails WHERE event_id = $1`;

const AUDIT = `INSERT INTO audit_log (actor, action, target, details) VALUES ($1, 'email.retry', $2, $3)`;

export function retryEmail(
  database: Database,
  eventId: string,
  { actor }: { readonly actor: string },
): Promise<{ readonly email: Email; readonly isRetried: boolean } | null> {
  return database.transaction(async ({ query }) => {
    const [retried] = await query<EmailRow>(RETRY, [eventId]);
    if (!retried) {
      const [row] = await query<EmailRow>(LOOK_UP, [eventId]);
      return row ? { email: toEmail(row), isRetried: false } : null;
    }
    const email = toEmail(retried);
    await query(AUDIT, [actor, eventId, JSON.stringify({ agency_id: email.agencyId, quote_id: email.quoteId })]);
    await addJob(query, emailJob(SEND_EMAIL, email));
    await addJob(query, emailJob(RECORD_OUTCOME, email));
    return { email, isRetried: true };
  });
}
