import { addJob } from '@pfq/kit/jobs';
import type { Database } from '@pfq/kit/postgres';
import type { Standing } from '../domain/attempt.ts';
import type { Email } from '../domain/email.ts';
import { emailJob, RECORD_OUTCOME, SEND_EMAIL } from './email-jobs.ts';
import { EMAIL_COLUMNS, toEmail } from './email-rows.ts';
import type { EmailRow } from './email-rows.ts';
import type { EmailKey, EmailToSend, NewEmail } from './store.ts';

/** By primary key: waits for whoever is accepting the same event, and yields to it. */
const ACCEPT = `
  INSERT INTO emails (agency_id, mode, event_id, quote_id, recipient, message, status,
    created_at, tried_since, status_at, next_attempt_at, request_id, traceparent, submitted_at)
  SELECT $1, $2, $3, $4, $5, $6, 'pending', now, now, now, now, $7, $8, $9 FROM pfq_now() AS now
  ON CONFLICT (agency_id, mode, event_id) DO NOTHING
  RETURNING event_id`;

export function acceptEmail(database: Database, email: NewEmail): Promise<boolean> {
  const { agencyId, mode, eventId, quoteId, recipient, message, requestId, traceparent, submittedAt } = email;
  return database.transaction(async ({ query }) => {
    const values = [agencyId, mode, eventId, quoteId, recipient, message, requestId, traceparent, submittedAt];
    const [isNew] = await query(ACCEPT, values);
    if (!isNew) return false;
    await addJob(query, emailJob(SEND_EMAIL, email));
    return true;
  });
}

/** By primary key. */
const FIND = `SELECT ${EMAIL_COLUMNS} FROM emails WHERE agency_id = $1 AND mode = $2 AND event_id = $3`;

export async function findEmail(database: Database, { agencyId, mode, eventId }: EmailKey): Promise<Email | null> {
  const [row] = await database.read<EmailRow>(FIND, [agencyId, mode, eventId]);
  return row ? toEmail(row) : null;
}

/** By primary key. What somebody else recorded meanwhile stands, unless it says that the email was not sent. */
const SENT = `
  UPDATE emails SET status = 'sent', reason = NULL, last_error = NULL, attempts = attempts + 1, revision = revision + 1,
    status_at = pfq_now(), next_attempt_at = NULL
  WHERE agency_id = $1 AND mode = $2 AND event_id = $3 AND status <> 'sent'
  RETURNING event_id`;

/** By primary key; gives nothing where somebody else has recorded an attempt meanwhile. */
const FAILED = `
  UPDATE emails SET status = 'failed', reason = $5, last_error = $6, attempts = attempts + 1, revision = revision + 1,
    status_at = pfq_now(), next_attempt_at = NULL
  WHERE agency_id = $1 AND mode = $2 AND event_id = $3 AND status = 'pending' AND attempts = $4
  RETURNING event_id`;

/** Likewise. */
const PENDING = `
  UPDATE emails SET last_error = $6, attempts = attempts + 1, recent_attempts = recent_attempts + 1,
    unconfirmed_attempts = unconfirmed_attempts + $7, next_attempt_at = pfq_now() + $5 * interval '1 millisecond'
  WHERE agency_id = $1 AND mode = $2 AND event_id = $3 AND status = 'pending' AND attempts = $4
  RETURNING event_id`;

export function settleEmail(database: Database, email: EmailToSend, standing: Standing): Promise<boolean> {
  const key = [email.agencyId, email.mode, email.eventId];
  return database.transaction(async ({ query }) => {
    if (standing.status === 'pending') {
      const { delayMs, lastError, isUnconfirmed } = standing;
      const values = [...key, email.attempts, delayMs, lastError, isUnconfirmed ? 1 : 0];
      const [isRecorded] = await query(PENDING, values);
      if (!isRecorded) return false;
      await addJob(query, emailJob(SEND_EMAIL, email, { delayMs, since: email.triedSince }));
      return true;
    }
    const [isRecorded] =
      standing.status === 'sent'
        ? await query(SENT, key)
        : await query(FAILED, [...key, email.attempts, standing.reason, standing.lastError]);
    if (!isRecorded) return false;
    await addJob(query, emailJob(RECORD_OUTCOME, email));
    return true;
  });
}
