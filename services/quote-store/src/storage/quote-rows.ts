import type { BrokerNotification, Interest, Quote } from '../domain/quote.ts';

export type QuoteRow = {
  id: string;
  mode: 'live' | 'test';
  expires_at: Date;
  api_version: string;
  request_members: Buffer;
  priced_members: Buffer;
  insured_name: string | null;
  agency_name: string | null;
  broker_name: string | null;
  /** Null exactly where the quote was stored without parties. */
  broker_email: string | null;
  read_at: Date;
} & ({ option_id: null } | InterestRow);

type InterestRow = {
  option_id: string;
  note: string | null;
  submitted_at: Date;
  event_id: string | null;
  notification_at: Date;
} & NotificationRow;

/** By the constraint interests_notification. */
type NotificationRow =
  | { notification_status: 'skipped'; notification_reason: 'test_mode'; notification_recipient: null }
  | { notification_status: 'pending' | 'sent'; notification_reason: null; notification_recipient: string }
  | { notification_status: 'failed'; notification_reason: string; notification_recipient: string };

/** What every reading of a quote selects from QUOTES_AS_THEY_STAND. */
export const QUOTE_COLUMNS = `
  q.id, q.mode, q.expires_at, q.api_version, q.request_members, q.priced_members,
  q.insured_name, q.agency_name, q.broker_name, q.broker_email, pfq_now() AS read_at,
  i.option_id, i.note, i.submitted_at, i.event_id,
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
    parties: toParties(row),
    interest: row.option_id === null ? null : toInterest(row),
    readAt: row.read_at,
  };
}

function toParties(row: QuoteRow): Quote['parties'] {
  if (row.broker_email === null) return null;
  return {
    insuredName: row.insured_name,
    agencyName: row.agency_name,
    brokerName: row.broker_name,
    brokerEmail: row.broker_email,
  };
}

function toInterest(row: InterestRow): Interest {
  return {
    optionId: row.option_id,
    note: row.note,
    submittedAt: row.submitted_at,
    eventId: row.event_id,
    notification: toNotification(row),
  };
}

function toNotification(row: InterestRow): BrokerNotification {
  const at = row.notification_at;
  if (row.notification_status === 'skipped') {
    return { status: 'skipped', reason: row.notification_reason, recipient: row.notification_recipient, at };
  }
  if (row.notification_status === 'failed') {
    return { status: 'failed', reason: row.notification_reason, recipient: row.notification_recipient, at };
  }
  return { status: row.notification_status, reason: null, recipient: row.notification_recipient, at };
}
