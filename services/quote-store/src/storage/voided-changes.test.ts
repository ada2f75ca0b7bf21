import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { until } from '../../../../tests/support/until.ts';
import {
  areWaiting,
  makeMigratedDatabase,
  NEW_INTEREST,
  newChange,
  newQuote,
  readEverything,
  SECONDS,
  TENANT,
} from '../store.test-support.ts';
import type { Quote } from '../domain/quote.ts';
import { postgresQuoteStore } from './postgres.ts';
import type { Change, QuoteStore } from './store.ts';

const LOST = { code: 'IDEMPOTENCY_RECORD_LOST' };
const ROUNDS = 20;

type MakeChange = (store: QuoteStore, change: Change) => Promise<Quote>;

const CHANGES: Readonly<Record<string, MakeChange>> = {
  'new link': (store, change) => store.replaceHostedLink(change, createHash('sha256').update(change.id).digest()),
  response: (store, change) => store.expressInterest(change, NEW_INTEREST),
};
for (const [what, make] of Object.entries(CHANGES)) {
  test(`a voided ${what} is never made, however late and however often it comes, but another one is`, async (t) => {
    const database = (await makeMigratedDatabase(t)).open();
    const store = postgresQuoteStore(database);
    const quote = newQuote();
    await store.create(TENANT, quote);
    const change = newChange(quote.id);
    for (let time = 1; time <= 2; time += 1) await store.voidChange(TENANT, change);
    const voided = await readEverything(database);
    for (let time = 1; time <= 2; time += 1) await assert.rejects(make(store, change), LOST);
    assert.deepEqual(await readEverything(database), voided);
    await make(store, newChange(quote.id));
  });

  test(`voiding a ${what} that was made changes nothing`, async (t) => {
    const database = (await makeMigratedDatabase(t)).open();
    const store = postgresQuoteStore(database);
    const quote = newQuote();
    await store.create(TENANT, quote);
    const change = newChange(quote.id);
    await make(store, change);
    const made = await readEverything(database);
    await store.voidChange(TENANT, change);
    await make(store, change);
    assert.deepEqual(await readEverything(database), made);
  });

  test(`a ${what} that was refused can still be voided`, async (t) => {
    const store = postgresQuoteStore((await makeMigratedDatabase(t)).open());
    const quote = newQuote({ expiresAt: new Date('2026-11-20T10:00:00.124Z') });
    await store.create(TENANT, quote);
    const change = newChange(quote.id);
    await assert.rejects(make(store, change), { code: 'QUOTE_EXPIRED' });
    await store.voidChange(TENANT, change);
    await assert.rejects(make(store, change), LOST);
  });

  test(`a ${what} can be voided before its quote is there`, async (t) => {
    const store = postgresQuoteStore((await makeMigratedDatabase(t)).open());
    const quote = newQuote();
    const change = newChange(quote.id);
    await store.voidChange(TENANT, change);
    await store.create(TENANT, quote);
    await assert.rejects(make(store, change), LOST);
  });

  test(`of a ${what} and its voiding that meet one wins, for good`, async (t) => {
    const store = postgresQuoteStore((await makeMigratedDatabase(t)).open());
    for (let round = 0; round < ROUNDS; round += 1) {
      const quote = newQuote();
      await store.create(TENANT, quote);
      const change = newChange(quote.id);
      const early = round % 2 === 0 ? store.voidChange(TENANT, change) : null;
      const making = Promise.allSettled([make(store, change)]);
      await (early ?? store.voidChange(TENANT, change));
      const [outcome] = await making;
      if (outcome.status === 'fulfilled') await make(store, change);
      else await assert.rejects(make(store, change), LOST);
    }
  });

  test(`a ${what} that waits for its turn while it is voided is not made`, async (t) => {
    const made = await makeMigratedDatabase(t);
    const [first, store] = [made.open(), postgresQuoteStore(made.open())];
    const quote = newQuote();
    await store.create(TENANT, quote);
    const change = newChange(quote.id);
    let waiting: Promise<void> | undefined;
    await first.transaction(async ({ query }) => {
      await query('SELECT id FROM quotes WHERE id = $1 FOR UPDATE', [quote.id]);
      waiting = assert.rejects(make(store, change), LOST);
      await until(() => areWaiting(first, 1), SECONDS);
      await store.voidChange(TENANT, change);
    });
    await waiting;
  });
}

test('voiding waits for a change that is being made, and yields to it', async (t) => {
  const made = await makeMigratedDatabase(t);
  const [first, store] = [made.open(), postgresQuoteStore(made.open())];
  const quote = newQuote();
  await store.create(TENANT, quote);
  const change = newChange(quote.id);
  const replace = () => store.replaceHostedLink(change, createHash('sha256').update(change.id).digest());
  let replacing: Promise<Quote> | undefined;
  let voiding: Promise<void> | undefined;
  await first.transaction(async ({ query }) => {
    await query('SELECT quote_id FROM hosted_links WHERE quote_id = $1 FOR UPDATE', [quote.id]);
    replacing = replace();
    await until(() => areWaiting(first, 1), SECONDS);
    voiding = store.voidChange(TENANT, change);
    await until(() => areWaiting(first, 2), SECONDS);
  });
  await Promise.all([replacing, voiding]);
  await replace();
});
