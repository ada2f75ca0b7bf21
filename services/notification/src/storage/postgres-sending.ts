import { withConnection } from '@pfq/kit/postgres';
import { EMAIL_COLUMNS, toEmail } from './email-rows.ts';
import type { EmailRow } from './email-rows.ts';
import type { EmailKey, EmailToSend } from './store.ts';

/** A host that is gone without a word is noticed by PostgreSQL after ten seconds, not after its two hours. */
const NOTICE_SOON = 'SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3';

/** Held until the connection ends. */
const CLAIM = `SELECT pg_try_advisory_lock(hashtextextended('email ' || $1, 0)) AS is_claimed`;

/** By primary key. */
const READ = `
  SELECT ${EMAIL_COLUMNS}, message, extract(epoch FROM pfq_now() - tried_since)::float8 * 1000 AS tried_for_ms
  FROM emails WHERE agency_id = $1 AND mode = $2 AND event_id = $3 AND status = 'pending'`;

type Row = EmailRow & { message: Buffer; tried_for_ms: number };

/** The claim has a connection of its own: sending takes longer than a transaction may, and a killed process's must go with it. */
export function whileSending(
  databaseUrl: string,
  { agencyId, mode, eventId }: EmailKey,
  send: (email: EmailToSend) => Promise<void>,
): Promise<void> {
  return withConnection(databaseUrl, async (client) => {
    await client.query(NOTICE_SOON);
    const { rows: claims } = await client.query<{ is_claimed: boolean }>(CLAIM, [eventId]);
    if (!claims[0]?.is_claimed) throw new Error('another process is sending this email');
    const { rows } = await client.query<Row>(READ, [agencyId, mode, eventId]);
    const [row] = rows;
    if (!row) return;
    await send({ ...toEmail(row), message: row.message, triedForMs: row.tried_for_ms });
  });
}
