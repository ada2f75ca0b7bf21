import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { migrate } from '@pfq/kit/migrate';
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

test('a quote that was stored before responses were is as good as any', async (t) => {
  const made = await makeDatabase(t);
  const first = mkdtempSync(path.join(tmpdir(), 'first-release-'));
  t.after(() => rmSync(first, { recursive: true }));
  copyFileSync(path.join(MIGRATIONS, '0001_quotes.sql'), path.join(first, '0001_quotes.sql'));
  await migrate({ databaseUrl: made.url, dir: first, logger });
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
