import type { Email } from '../domain/email.ts';

export type EmailRow = {
  agency_id: string;
  mode: 'live';
  event_id: string;
  quote_id: string;
  recipient: string;
  status: Email['status'];
  reason: Email['reason'];
  last_error: string | null;
  attempts: number;
  revision: number;
  created_at: Date;
  status_at: Date;
  next_attempt_at: Date | null;
  request_id: string;
  traceparent: string | null;
};

/** What every reading of an email selects; the message only where it is sent. */
export const EMAIL_COLUMNS = `
  agency_id, mode, event_id, quote_id, recipient, status, reason, last_error, attempts, revision,
  created_at, status_at, next_attempt_at, request_id, traceparent`;

export function toEmail(row: EmailRow): Email {
  return {
    agencyId: row.agency_id,
    mode: row.mode,
    eventId: row.event_id,
    quoteId: row.quote_id,
    recipient: row.recipient,
    status: row.status,
    reason: row.reason,
    lastError: row.last_error,
    attempts: row.attempts,
    revision: row.revision,
    createdAt: row.created_at,
    statusAt: row.status_at,
    nextAttemptAt: row.next_attempt_at,
    requestId: row.request_id,
    traceparent: row.traceparent,
  };
}
