import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database, Row } from '@pfq/kit/postgres';
import {
  LIVE_TENANT,
  makeLiveDatabase,
  makeMigratedDatabase,
  NEW_INTEREST,
  newChange,
  newLinkHash,
  newQuote,
  readEverything,
  TENANT,
} from '../store.test-support.ts';
import { postgresQuoteStore } from './postgres.ts';
import type { NotificationOutcome, QuoteStore, Visibility } from './store.ts';

const OTHER_AGENCY = { ...TENANT, agencyId: 'agy_2' };
const OTHER_MODE = { ...TENANT, mode: 'live' as const };
const STRANGERS: readonly Visibility[] = [
  { tenant: OTHER_AGENCY, brokerId: undefined },
  { tenant: OTHER_MODE, brokerId: undefined },
  { tenant: OTHER_AGENCY, brokerId: 'brk_1' },
  { tenant: OTHER_MODE, brokerId: 'brk_1' },
  { tenant: TENANT, brokerId: 'brk_2' },
  { tenant: TENANT, brokerId: '' },
];

type Look = (stranger: Visibility) => Promise<unknown>;

test('no statement shows a quote to another agency, the other mode or another broker, or lets them change it', async (t) => {
  const database = (await makeMigratedDatabase(t)).open();
  const store = postgresQuoteStore(database);
  const quote = newQuote();
  const change = newChange(quote.id);
  const link = newLinkHash();
  await store.create(TENANT, quote);
  const before = await readOwners(database);
  const missing = { code: 'NOT_FOUND' };

  // `lookUp` is the operator's, by id alone, and whoever has a link needs nothing else; every other method of the store must
  // be here.
  const looks: Omit<Record<keyof QuoteStore, Look>, 'lookUp' | 'readByLink' | 'expressInterestByLink'> = {
    async find(visibility) {
      assert.equal(await store.find(quote.id, visibility), null);
    },
    replaceHostedLink: (visibility) =>
      assert.rejects(store.replaceHostedLink({ ...change, visibility }, link), missing),
    expressInterest: (visibility) =>
      assert.rejects(store.expressInterest({ ...change, visibility }, NEW_INTEREST), missing),
    async recordNotification({ tenant }) {
      if (tenant !== TENANT) assert.equal(await store.recordNotification(tenant, outcomeFor(quote.id)), false);
    },
    async voidChange({ tenant }) {
      if (tenant !== TENANT) await store.voidChange(tenant, change);
    },
    async voidQuote({ tenant }) {
      if (tenant !== TENANT) await store.voidQuote(tenant, quote.id);
    },
    async create({ tenant }) {
      if (tenant !== TENANT) await assert.rejects(store.create(tenant, quote), { code: 'IDEMPOTENCY_RECORD_LOST' });
    },
  };
  for (const look of Object.values(looks)) for (const stranger of STRANGERS) await look(stranger);

  assert.deepEqual(await readOwners(database), before);
  const owner = { tenant: TENANT, brokerId: 'brk_1' };
  await store.create(TENANT, quote);
  await store.replaceHostedLink({ ...change, visibility: owner }, link);
  await store.expressInterest(newChange(quote.id, owner), NEW_INTEREST);
  assert.equal((await store.find(quote.id, owner))?.interest?.optionId, NEW_INTEREST.optionId);
});

test('the same ids in another agency and in the other mode are different quotes and changes', async (t) => {
  const database = (await makeMigratedDatabase(t)).open();
  const store = postgresQuoteStore(database);
  const quote = newQuote();
  const change = newChange(quote.id);
  await store.create(TENANT, quote);
  await store.replaceHostedLink(change, newLinkHash());
  await store.expressInterest(newChange(quote.id), NEW_INTEREST);
  const before = await readOwners(database);
  for (const tenant of [OTHER_AGENCY, OTHER_MODE]) {
    const visibility = { tenant, brokerId: undefined };
    await store.create(tenant, { ...quote, requestMembers: Buffer.from('theirs'), hostedLinkHash: newLinkHash() });
    const theirs = await store.replaceHostedLink({ ...change, visibility }, newLinkHash());
    assert.deepEqual([Buffer.from(theirs.requestMembers).toString(), theirs.interest], ['theirs', null]);
  }
  assert.deepEqual(await readOwners(database), before);
});

test('what became of a notification is recorded for the agency whose interest it is, and in its mode', async (t) => {
  const database = (await makeLiveDatabase(t)).open();
  const store = postgresQuoteStore(database);
  const quote = newQuote();
  await store.create(LIVE_TENANT, quote);
  await store.expressInterestByLink(quote.hostedLinkHash, { changeId: newChange(quote.id).id, interest: NEW_INTEREST });
  const before = await readEverything(database);
  const outcome = outcomeFor(quote.id);
  for (const stranger of [{ ...LIVE_TENANT, agencyId: 'agy_2' }, TENANT, OTHER_AGENCY]) {
    assert.equal(await store.recordNotification(stranger, outcome), false);
  }
  assert.deepEqual(await readEverything(database), before);
  assert.equal(await store.recordNotification(LIVE_TENANT, outcome), true);
});

test('a link changes nothing but its own quote', async (t) => {
  const database = (await makeLiveDatabase(t)).open();
  const store = postgresQuoteStore(database);
  const quote = newQuote();
  await store.create(TENANT, quote);
  for (const tenant of [OTHER_AGENCY, OTHER_MODE]) {
    const theirs = { ...quote, hostedLinkHash: newLinkHash() };
    await store.create(tenant, theirs);
    const response = { changeId: newChange(quote.id).id, interest: NEW_INTEREST };
    await store.expressInterestByLink(theirs.hostedLinkHash, response);
    assert.equal((await store.find(quote.id, { tenant, brokerId: undefined }))?.interest?.optionId, 'opt_25_10');
  }
  assert.equal((await store.find(quote.id, { tenant: TENANT, brokerId: undefined }))?.interest, null);
});

function outcomeFor(quoteId: string): NotificationOutcome {
  const { eventId } = NEW_INTEREST.telling;
  return { quoteId, eventId, revision: 1, status: 'sent', reason: null, at: new Date() };
}

/** Every row of the tenant of these tests. */
async function readOwners(database: Database) {
  const isOwners = (row: Row) => row['agency_id'] === TENANT.agencyId && row['mode'] === TENANT.mode;
  return (await readEverything(database)).map((rows) => rows.filter(isOwners));
}
