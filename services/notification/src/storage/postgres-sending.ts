import { QUICK_STATEMENTS, statementsOn, withConnection } from '@pfq/kit/postgres';
import type { Connection } from '@pfq/kit/postgres';
import { EMAIL_COLUMNS, toEmail } from './email-rows.ts';
import type { EmailRow } from './email-rows.ts';
import type { EmailKey, EmailToSend } from './store.ts';

/** Held until the connection ends. */
const CLAIM = `SELECT pg_try_advisory_lock(hashtextextended('email ' || $1, 0)) AS is_claimed`;

/** By primary key. */
const READ = `
  SELECT ${EMAIL_COLUMNS}, message, recent_attempts, unconfirmed_attempts, tried_since,
    extract(epoch FROM pfq_now() - tried_since)::float8 * 1000 AS tried_for_ms,
    extract(epoch FROM pfq_now() - submitted_at)::float8 * 1000 AS submitted_for_ms
  FROM emails WHERE agency_id = $1 AND mode = $2 AND event_id = $3 AND status = 'pending'`;

type Row = EmailRow & {
  message: Buffer;
  recent_attempts: number;
  unconfirmed_attempts: number;
  tried_since: Date;
  tried_for_ms: number;
  submitted_for_ms: number | null;
};

/** The claim has a connection of its own: sending takes longer than a transaction may, and a killed process's must go with it. */
export function whileSending(
  databaseUrl: string,
  { agencyId, mode, eventId }: EmailKey,
  send: (email: EmailToSend) => Promise<void>,
): Promise<void> {
  const work = async (client: Connection) => {
    const { query } = statementsOn(client, databaseUrl);
    const [claim] = await query<{ is_claimed: boolean }>(CLAIM, [eventId]);
    if (!claim?.is_claimed) throw new Error('another process is sending this email');
    const [row] = await query<Row>(READ, [agencyId, mode, eventId]);
    if (!row) return;
    await send(toEmailToSend(row));
  };
  return withConnection(databaseUrl, work, QUICK_STATEMENTS);
}

function toEmailToSend(row: Row): EmailToSend {
  return {
    ...toEmail(row),
    message: row.message,
    recentAttempts: row.recent_attempts,
    unconfirmedAttempts: row.unconfirmed_attempts,
    triedSince: row.tried_since,
    triedForMs: row.tried_for_ms,
    submittedForMs: row.submitted_for_ms,
  };
}
