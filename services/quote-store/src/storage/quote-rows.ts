import type { Quote } from '../domain/quote.ts';

export type QuoteRow = {
  id: string;
  mode: 'live' | 'test';
  expires_at: Date;
  api_version: string;
  request_members: Buffer;
  priced_members: Buffer;
  read_at: Date;
} & ({ option_id: null } | InterestRow);

type InterestRow = {
  option_id: string;
  note: string | null;
  submitted_at: Date;
  notification_status: 'skipped';
  notification_reason: string | null;
  notification_recipient: string | null;
  notification_at: Date;
};

/** What every reading of a quote selects from QUOTES_AS_THEY_STAND. */
export const QUOTE_COLUMNS = `
  q.id, q.mode, q.expires_at, q.api_version, q.request_members, q.priced_members, pfq_now() AS read_at,
  i.option_id, i.note, i.submitted_at,
  i.notification_status, i.notification_reason, i.notification_recipient, i.notification_at`;

/** The interest by primary key; a voided id must be kept out by the statement. */
export const QUOTES_AS_THEY_STAND = `
  quotes q LEFT JOIN interests i ON (i.agency_id, i.mode, i.quote_id) = (q.agency_id, q.mode, q.id)`;

export function toQuote(row: QuoteRow): Quote {
  return {
    id: row.id,
    mode: row.mode,
    expiresAt: row.expires_at,
    apiVersion: row.api_version,
    requestMembers: row.request_members,
    pricedMembers: row.priced_members,
    interest: row.option_id === null ? null : toInterest(row),
    readAt: row.read_at,
  };
}

function toInterest(row: InterestRow): Quote['interest'] {
  return {
    optionId: row.option_id,
    note: row.note,
    submittedAt: row.submitted_at,
    notification: {
      status: row.notification_status,
      reason: row.notification_reason,
      recipient: row.notification_recipient,
      at: row.notification_at,
    },
  };
}
