import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { createLogger } from '@pfq/kit/log';
import { migrate } from '@pfq/kit/migrate';
import { newId } from '@pfq/kit/ids';
import type { Database, Row, Statements } from '@pfq/kit/postgres';
import { makeDatabase } from '../../../tests/support/database.ts';
import type { OpenableDatabase } from '../../../tests/support/database.ts';
import type { NewInterest } from './domain/interest.ts';
import type { Interest, NewQuote } from './domain/quote.ts';
import type { Change, Visibility } from './storage/store.ts';

export const TENANT = { agencyId: 'agy_1', mode: 'test' } as const;
export const WHOLE_AGENCY: Visibility = { tenant: TENANT, brokerId: undefined };
export const MIGRATIONS = `${import.meta.dirname}/../migrations`;
/** More than anything that is waited for takes. */
export const SECONDS = 5_000;
export const logger = createLogger({ service: 'test', level: 'error', format: 'json' });

export async function makeMigratedDatabase(t: TestContext): Promise<OpenableDatabase> {
  const made = await makeDatabase(t);
  await migrate({ databaseUrl: made.url, dir: MIGRATIONS, logger });
  return made;
}

/** A quote that offers two options until far in the future. */
export function newQuote(changes: Partial<NewQuote> = {}): NewQuote {
  return {
    id: newId('qte_', Date.now()),
    brokerId: 'brk_1',
    createdAt: new Date('2026-11-20T10:00:00.123Z'),
    expiresAt: new Date('2126-12-20T10:00:00.123Z'),
    apiVersion: '2026-09-23',
    requestMembers: Buffer.from('"metadata":{}'),
    pricedMembers: membersOffering('opt_15_9', 'opt_25_10'),
    deal: Buffer.from('what was priced'),
    pricedUnder: Buffer.from('its versions'),
    hostedLinkHash: newLinkHash(),
    ...changes,
  };
}

/** The members from pricing of a quote with these options. */
export function membersOffering(...optionIds: readonly string[]): Uint8Array {
  const options = optionIds.map((id) => ({ id, down_payment_rate: 0.25 }));
  return Buffer.from(`"totals":{"id":"opt_0_0"},"options":${JSON.stringify(options)}`);
}

export function newLinkHash(): Uint8Array {
  return randomBytes(32);
}

/** A new change of a quote by someone who sees the whole agency. */
export function newChange(quoteId: string, visibility = WHOLE_AGENCY): Change {
  return { id: newId('chg_', Date.now()), quoteId, visibility };
}

/** A response to a quote as `newQuote` makes it. */
export const NEW_INTEREST: NewInterest = {
  optionId: 'opt_25_10',
  note: 'Please call after five.',
  notification: { status: 'skipped', reason: 'test_mode', recipient: null },
};

export const INTEREST: Interest = {
  optionId: 'opt_25_10',
  note: null,
  submittedAt: new Date('2026-12-01T00:00:00.123Z'),
  notification: { status: 'skipped', reason: 'test_mode', recipient: null, at: new Date('2026-12-01T00:00:00.123Z') },
};

/** Every row of every table, for comparing what was with what is. */
export function readEverything(database: Database): Promise<Row[][]> {
  return Promise.all(EVERY_ROW.map((sql) => database.read(sql, [])));
}

const EVERY_ROW = [
  'SELECT agency_id, mode, id, broker_id, expires_at, request_members, voided_at FROM quotes ORDER BY id, agency_id, mode',
  'SELECT agency_id, mode, quote_id, token_hash, issued_at, replaced_at, change_id FROM hosted_links ORDER BY token_hash',
  'SELECT agency_id, mode, quote_id, change_id, option_id, note, submitted_at FROM interests ORDER BY quote_id, agency_id, mode',
  'SELECT agency_id, mode, quote_id, id, fate, decided_at FROM quote_changes ORDER BY id, agency_id, mode',
];

/** Inserts a quote without its link, as a transaction that goes on after it. */
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
