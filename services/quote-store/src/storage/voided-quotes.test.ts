import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutcomeUnknownError } from '@pfq/kit/errors';
import { until } from '../../../../tests/support/until.ts';
import {
  areWaiting,
  insertQuote,
  makeMigratedDatabase,
  NEW_INTEREST,
  newChange,
  newLinkHash,
  newQuote,
  readEverything,
  SECONDS,
  TENANT,
  WHOLE_AGENCY,
} from '../store.test-support.ts';
import { postgresQuoteStore } from './postgres.ts';

const LOST = { code: 'IDEMPOTENCY_RECORD_LOST' };
const ROUNDS = 20;

test('a voided quote is never stored, however late and however often it comes, and is found nowhere', async (t) => {
  const database = (await makeMigratedDatabase(t)).open();
  const store = postgresQuoteStore(database);
  const quote = newQuote();
  for (let time = 1; time <= 2; time += 1) await store.voidQuote(TENANT, quote.id);
  const voided = await readEverything(database);
  for (let time = 1; time <= 2; time += 1) await assert.rejects(store.create(TENANT, quote), LOST);
  assert.equal(await store.find(quote.id, WHOLE_AGENCY), null);
  assert.equal(await store.lookUp(quote.id), null);
  await assert.rejects(store.replaceHostedLink(newChange(quote.id), newLinkHash()), { code: 'NOT_FOUND' });
  await assert.rejects(store.expressInterest(newChange(quote.id), NEW_INTEREST), { code: 'NOT_FOUND' });
  assert.deepEqual(await readEverything(database), voided);
});

test('voiding a quote that is stored changes nothing', async (t) => {
  const database = (await makeMigratedDatabase(t)).open();
  const store = postgresQuoteStore(database);
  const quote = newQuote();
  await store.create(TENANT, quote);
  const stored = await readEverything(database);
  await store.voidQuote(TENANT, quote.id);
  await store.create(TENANT, quote);
  assert.deepEqual(await readEverything(database), stored);
});

test('of a quote and its voiding that meet one wins, for good', async (t) => {
  const store = postgresQuoteStore((await makeMigratedDatabase(t)).open());
  for (let round = 0; round < ROUNDS; round += 1) {
    const quote = newQuote();
    const early = round % 2 === 0 ? store.voidQuote(TENANT, quote.id) : null;
    const creating = Promise.allSettled([store.create(TENANT, quote)]);
    await (early ?? store.voidQuote(TENANT, quote.id));
    const [outcome] = await creating;
    const isStored = (await store.find(quote.id, WHOLE_AGENCY)) !== null;
    if (outcome.status === 'fulfilled') assert.ok(isStored);
    else if (!(outcome.reason instanceof OutcomeUnknownError)) {
      assert.deepEqual([outcome.reason.code, isStored], ['IDEMPOTENCY_RECORD_LOST', false]);
    }
    await (isStored ? store.create(TENANT, quote) : assert.rejects(store.create(TENANT, quote), LOST));
  }
});

test('voiding waits for a quote that is being stored, and yields to it where it comes to be', async (t) => {
  const made = await makeMigratedDatabase(t);
  const [first, store] = [made.open(), postgresQuoteStore(made.open())];
  for (const isKept of [true, false]) {
    const quote = newQuote();
    let voiding: Promise<void> | undefined;
    const storing = first.transaction(async ({ query }) => {
      await insertQuote(query, quote);
      voiding = store.voidQuote(TENANT, quote.id);
      await until(() => areWaiting(first, 1), SECONDS);
      if (!isKept) throw new Error('the quote is rolled back');
    });
    await (isKept ? storing : assert.rejects(storing, /rolled back/));
    await voiding;
    assert.equal((await store.find(quote.id, WHOLE_AGENCY)) !== null, isKept);
    if (!isKept) await assert.rejects(store.create(TENANT, quote), LOST);
  }
});

test('a quote that meets its voiding under way does not know the outcome, and learns it when it is sent again', async (t) => {
  const made = await makeMigratedDatabase(t);
  const [first, store] = [made.open(), postgresQuoteStore(made.open())];
  const quote = newQuote();
  let waiting: Promise<void> | undefined;
  await first.transaction(async ({ query }) => {
    await postgresQuoteStore({ ...first, write: query }).voidQuote(TENANT, quote.id);
    waiting = assert.rejects(store.create(TENANT, quote), OutcomeUnknownError);
    await until(() => areWaiting(first, 1), SECONDS);
  });
  await waiting;
  await assert.rejects(store.create(TENANT, quote), LOST);
});
