import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { migrate } from '@pfq/kit/migrate';
import type { Database } from '@pfq/kit/postgres';
import { makeDatabase } from '../../../tests/support/database.ts';
import { postgresQuoteStore } from './storage/postgres.ts';
import {
  insertQuote,
  logger,
  makeMigratedDatabase,
  MIGRATIONS,
  NEW_INTEREST,
  newChange,
  newLinkHash,
  newQuote,
  TENANT,
  WHOLE_AGENCY,
} from './store.test-support.ts';

/** As the release before the second migration stores a link. */
const INSERT_LINK =
  'INSERT INTO hosted_links (token_hash, agency_id, mode, quote_id, issued_at) VALUES ($1, $2, $3, $4, now())';
/** As the release before the third stores a response to a test quote. */
const INSERT_CHANGE = `
  INSERT INTO quote_changes (agency_id, mode, quote_id, id, fate, decided_at) VALUES ($1, $2, $3, $4, 'made', pfq_now())`;
const INSERT_INTEREST = `
  INSERT INTO interests (agency_id, mode, quote_id, change_id, option_id, note, submitted_at,
    notification_status, notification_reason, notification_recipient, notification_at)
  VALUES ($1, $2, $3, $4, 'opt_25_10', NULL, pfq_now(), 'skipped', 'test_mode', NULL, pfq_now())`;
const INSERT_NOTIFICATION = `
  INSERT INTO interests (agency_id, mode, quote_id, change_id, option_id, note, submitted_at, event_id,
    notification_status, notification_reason, notification_recipient, notification_at)
  VALUES ($1, $2, $3, $4, 'opt_25_10', NULL, pfq_now(), $5, $6, $7, $8, pfq_now())`;

/** The database as the migrations up to a number left it. */
async function makeDatabaseOf(t: TestContext, release: number) {
  const made = await makeDatabase(t);
  const dir = mkdtempSync(path.join(tmpdir(), 'earlier-release-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const files = readdirSync(MIGRATIONS).sort().slice(0, release);
  for (const file of files) copyFileSync(path.join(MIGRATIONS, file), path.join(dir, file));
  await migrate({ databaseUrl: made.url, dir, logger });
  return made;
}

test('a quote that was stored before responses were is as good as any', async (t) => {
  const made = await makeDatabaseOf(t, 1);
  const [database, store] = [made.open(), postgresQuoteStore(made.open())];
  const quote = newQuote();
  await insertQuote(database.write, quote);
  await database.write(INSERT_LINK, [quote.hostedLinkHash, TENANT.agencyId, TENANT.mode, quote.id]);

  await migrate({ databaseUrl: made.url, dir: MIGRATIONS, logger });
  await store.create(TENANT, quote);
  await store.voidQuote(TENANT, quote.id);
  await store.replaceHostedLink(newChange(quote.id), newLinkHash());
  await store.expressInterest(newChange(quote.id), NEW_INTEREST);
  const found = await store.find(quote.id, WHOLE_AGENCY);
  assert.deepEqual([found?.apiVersion, found?.interest?.optionId], ['2026-09-23', 'opt_25_10']);
});

test('a response that was stored before events told of any is read as ever, and so is its quote', async (t) => {
  const made = await makeDatabaseOf(t, 2);
  const [database, store] = [made.open(), postgresQuoteStore(made.open())];
  const quote = newQuote();
  await insertQuote(database.write, quote);
  await insertTestInterest(database, quote.id);
  await migrate({ databaseUrl: made.url, dir: MIGRATIONS, logger });
  const found = await store.find(quote.id, WHOLE_AGENCY);
  assert.deepEqual([found?.parties, found?.interest?.eventId], [null, null]);
  assert.deepEqual(found?.interest?.notification.reason, 'test_mode');
});

test('the release before goes on storing responses to test quotes, and what it stored without parties is known again', async (t) => {
  const made = await makeMigratedDatabase(t);
  const [database, store] = [made.open(), postgresQuoteStore(made.open())];
  const quote = newQuote();
  await insertQuote(database.write, quote);
  await database.write(INSERT_LINK, [quote.hostedLinkHash, TENANT.agencyId, TENANT.mode, quote.id]);
  await insertTestInterest(database, quote.id);
  await store.create(TENANT, quote);
  const found = await store.find(quote.id, WHOLE_AGENCY);
  assert.deepEqual([found?.parties, found?.interest?.notification.status], [null, 'skipped']);
});

const HALF_TOLD = [
  ['a live response of which no event tells', 'live', null, 'pending', null, 'broker@agency.example'],
  ['a live response of which nobody hears', 'live', 'evt_1', 'pending', null, null],
  ['a live response that is skipped', 'live', null, 'skipped', 'test_mode', null],
  ['a failure without a reason', 'live', 'evt_1', 'failed', null, 'broker@agency.example'],
  ['a mail that was sent for a reason', 'live', 'evt_1', 'sent', 'late', 'broker@agency.example'],
  ['a state that there is not', 'live', 'evt_1', 'bounced', null, 'broker@agency.example'],
  ['a test response of which somebody hears', 'test', null, 'skipped', 'test_mode', 'broker@agency.example'],
  ['a test response of which an event tells', 'test', 'evt_1', 'skipped', 'test_mode', null],
] as const;

test('a row is never half told of', async (t) => {
  const made = await makeMigratedDatabase(t);
  const [database, store] = [made.open(), postgresQuoteStore(made.open())];
  for (const [what, mode, eventId, ...notification] of HALF_TOLD) {
    const quote = newQuote();
    await store.create({ ...TENANT, mode }, quote);
    const key = [TENANT.agencyId, mode, quote.id, newChange(quote.id).id];
    await database.write(INSERT_CHANGE, key);
    const inserting = database.write(INSERT_NOTIFICATION, [...key, eventId, ...notification]);
    await assert.rejects(inserting, /check constraint/, what);
  }
});

async function insertTestInterest(database: Database, quoteId: string): Promise<void> {
  const key = [TENANT.agencyId, TENANT.mode, quoteId, newChange(quoteId).id];
  await database.write(INSERT_CHANGE, key);
  await database.write(INSERT_INTEREST, key);
}

test('the release before goes on storing quotes, and a voided one is kept from it too', async (t) => {
  const made = await makeMigratedDatabase(t);
  const [database, store] = [made.open(), postgresQuoteStore(made.open())];
  const [quote, voided] = [newQuote(), newQuote()];
  await insertQuote(database.write, quote);
  await store.voidQuote(TENANT, voided.id);
  await assert.rejects(insertQuote(database.write, voided), /duplicate key/);
  assert.equal((await store.find(quote.id, WHOLE_AGENCY))?.apiVersion, '2026-09-23');
});

test('a row is a whole quote or a voided id, never half of either', async (t) => {
  const made = await makeMigratedDatabase(t);
  const [database, store] = [made.open(), postgresQuoteStore(made.open())];
  const [quote, voided] = [newQuote(), newQuote()];
  await store.create(TENANT, quote);
  await store.voidQuote(TENANT, voided.id);
  for (const column of [
    'broker_id',
    'created_at',
    'expires_at',
    'request_members',
    'priced_members',
    'deal',
    'priced_under',
  ]) {
    const take = `UPDATE quotes SET ${column} = NULL WHERE id = $1`;
    await assert.rejects(database.write(take, [quote.id]), /quotes_whole_or_voided/, column);
    const give = `UPDATE quotes SET ${column} = (SELECT o.${column} FROM quotes o WHERE o.id = $2) WHERE id = $1`;
    await assert.rejects(database.write(give, [voided.id, quote.id]), /quotes_whole_or_voided/, column);
  }
  await assert.rejects(
    database.write('UPDATE quotes SET voided_at = now() WHERE id = $1', [quote.id]),
    /whole_or_voided/,
  );
  await assert.rejects(
    database.write('UPDATE quotes SET voided_at = NULL WHERE id = $1', [voided.id]),
    /whole_or_voided/,
  );
});
