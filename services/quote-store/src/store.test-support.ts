import { randomBytes } from 'node:crypto';
import { createLogger } from '@pfq/kit/log';
import type { Logger } from '@pfq/kit/log';
import { migrateJobs } from '@pfq/kit/jobs';
import { migrate } from '@pfq/kit/migrate';
import { newId } from '@pfq/kit/ids';
import type { Database, Row, Statements } from '@pfq/kit/postgres';
import { databasesPreparedBy } from '../../../tests/support/database.ts';
import type { NewInterest, Telling } from './domain/interest.ts';
import type { Interest, NewQuote, Parties } from './domain/quote.ts';
import type { Change, Visibility } from './storage/store.ts';

export const TENANT = { agencyId: 'agy_1', mode: 'test' } as const;
export const LIVE_TENANT = { ...TENANT, mode: 'live' } as const;
export const WHOLE_AGENCY: Visibility = { tenant: TENANT, brokerId: undefined };
export const MIGRATIONS = `${import.meta.dirname}/../migrations`;
/** More than anything that is waited for takes. */
export const SECONDS = 5_000;
export const logger = createLogger({ service: 'test', level: 'error', format: 'json' });

export const SILENT = createLogger({ service: 'test', level: 'silent', format: 'json' });

/** Keeps what is logged in `lines`. */
export function loggerInto(lines: object[]): Logger {
  const keep = (about: object, msg: string) => void lines.push({ ...about, msg });
  return Object.assign(createLogger({ service: 'test', level: 'silent', format: 'json' }), { info: keep, warn: keep });
}

const migrateQuotes = (databaseUrl: string) => migrate({ databaseUrl, dir: MIGRATIONS, logger });

export const makeMigratedDatabase = databasesPreparedBy(migrateQuotes);

/** Where live responses can be stored too: their jobs have tables of their own. */
export const makeLiveDatabase = databasesPreparedBy(async (databaseUrl) => {
  await migrateQuotes(databaseUrl);
  await migrateJobs(databaseUrl, logger);
});

export const PARTIES: Parties = {
  insuredName: 'Lone Star Roofing LLC',
  agencyName: 'Hill Country Insurance',
  brokerName: 'Avery Stone',
  brokerEmail: 'avery.stone@agency.example',
};

/** A quote that offers two options until far in the future. */
export function newQuote(changes: Partial<NewQuote> = {}): NewQuote {
  return {
    id: newId('qte_', Date.now()),
    brokerId: 'brk_1',
    createdAt: new Date('2026-11-20T10:00:00.123Z'),
    expiresAt: new Date('2126-12-20T10:00:00.123Z'),
    apiVersion: '2026-09-23',
    requestMembers: Buffer.from('"client_reference_id":null,"metadata":{}'),
    pricedMembers: membersOffering('opt_15_9', 'opt_25_10'),
    deal: Buffer.from('what was priced'),
    pricedUnder: Buffer.from('its versions'),
    hostedLinkHash: newLinkHash(),
    parties: PARTIES,
    ...changes,
  };
}

/** The members from pricing of a quote with these options. */
export function membersOffering(...optionIds: readonly string[]): Uint8Array {
  const options = optionIds.map((id) => ({ id, ...OPTION_FIGURES }));
  return Buffer.from(`"totals":{"id":"opt_0_0"},"options":${JSON.stringify(options)}`);
}

const OPTION_FIGURES = {
  down_payment_rate: 0.1965,
  term_months: 9,
  apr: 0.1692,
  down_payment: '12272.38',
  amount_financed: '50182.50',
  monthly_payment: '5978.01',
  finance_charge: '3619.59',
  total_of_payments: '53802.09',
  total_cost: '66074.47',
  spread_clamped: false,
};

export function newLinkHash(): Uint8Array {
  return randomBytes(32);
}

/** A new change of a quote by someone who sees the whole agency. */
export function newChange(quoteId: string, visibility = WHOLE_AGENCY): Change {
  return { id: newId('chg_', Date.now()), quoteId, visibility };
}

/** How a response is told of, where its quote is live. */
export function newTelling(): Telling {
  const now = Date.now();
  return { eventId: newId('evt_', now), requestId: newId('req_', now), traceparent: null };
}

/** A response to a quote as `newQuote` makes it. */
export const NEW_INTEREST: NewInterest = {
  optionId: 'opt_25_10',
  note: 'Please call after five.',
  telling: newTelling(),
};

export const INTEREST: Interest = {
  optionId: 'opt_25_10',
  note: null,
  submittedAt: new Date('2026-12-01T00:00:00.123Z'),
  eventId: null,
  notification: { status: 'skipped', reason: 'test_mode', recipient: null, at: new Date('2026-12-01T00:00:00.123Z') },
};

/** Every row of every table, for comparing what was with what is. */
export function readEverything(database: Database): Promise<Row[][]> {
  return Promise.all(EVERY_ROW.map((sql) => database.read(sql, [])));
}

const EVERY_ROW = [
  'SELECT agency_id, mode, id, broker_id, expires_at, request_members, broker_email, voided_at FROM quotes ORDER BY id, agency_id, mode',
  'SELECT agency_id, mode, quote_id, token_hash, issued_at, replaced_at, change_id FROM hosted_links ORDER BY token_hash',
  'SELECT agency_id, mode, quote_id, change_id, option_id, note, submitted_at, event_id, notification_revision, notification_status, notification_at FROM interests ORDER BY quote_id, agency_id, mode',
  'SELECT agency_id, mode, quote_id, id, fate, decided_at FROM quote_changes ORDER BY id, agency_id, mode',
];

/** The keys of the jobs that wait or run. */
export async function readJobKeys(database: Database): Promise<readonly string[]> {
  const jobs = await database.read<{ key: string }>('SELECT key FROM graphile_worker.jobs ORDER BY id', []);
  return jobs.map(({ key }) => key);
}

/** Inserts a quote without its link, as the release before parties did, or a transaction that goes on after it. */
export async function insertQuote(query: Statements['query'], quote: NewQuote): Promise<void> {
  const { id, brokerId, createdAt, expiresAt, requestMembers, pricedMembers, deal, pricedUnder } = quote;
  const values = [TENANT.agencyId, TENANT.mode, id, brokerId, createdAt, expiresAt, requestMembers, pricedMembers];
  await query(INSERT_QUOTE, [...values, deal, pricedUnder]);
}

const INSERT_QUOTE = `
  INSERT INTO quotes (agency_id, mode, id, broker_id, created_at, expires_at, request_members, priced_members, deal, priced_under)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/** Whether as many connections to the database wait for a lock of another. */
export async function areWaiting(database: Database, connections: number): Promise<boolean> {
  const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  return (await database.read(waiting, [])).length === connections;
}
