import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { OutcomeUnknownError } from '@pfq/kit/errors';
import { setTime } from '../../../../tests/support/database.ts';
import { until } from '../../../../tests/support/until.ts';
import {
  makeMigratedDatabase,
  membersOffering,
  NEW_INTEREST,
  newChange,
  newLinkHash,
  newQuote,
  readEverything,
  SECONDS,
  TENANT,
  WHOLE_AGENCY,
} from '../store.test-support.ts';
import type { NewInterest } from '../domain/interest.ts';
import { postgresQuoteStore } from './postgres.ts';

const SLEEP_FUNCTION =
  'CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(4); RETURN NULL; END $$';
const SLEEP_AT_COMMIT = `
  CREATE CONSTRAINT TRIGGER sleep_at_commit AFTER INSERT ON interests DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION sleep()`;
const END_COMMIT = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE query = 'COMMIT' AND state = 'active' AND datname = current_database()`;

async function openWithQuote(t: TestContext, changes: Parameters<typeof newQuote>[0] = {}) {
  const database = (await makeMigratedDatabase(t)).open();
  const store = postgresQuoteStore(database);
  const quote = newQuote(changes);
  await store.create(TENANT, quote);
  return { database, store, quote, change: newChange(quote.id) };
}

test('a response is given back with the quote from then on, as it was answered', async (t) => {
  const { database, store, quote, change } = await openWithQuote(t);
  await setTime(database, '2026-12-01T12:00:00.123456Z');
  const answered = await store.expressInterest(change, NEW_INTEREST);
  const at = new Date('2026-12-01T12:00:00.123Z');
  assert.deepEqual(answered.interest, {
    optionId: 'opt_25_10',
    note: 'Please call after five.',
    submittedAt: at,
    eventId: null,
    notification: { status: 'skipped', reason: 'test_mode', recipient: null, at },
  });
  assert.deepEqual(await store.find(quote.id, WHOLE_AGENCY), answered);
  assert.deepEqual((await store.lookUp(quote.id))?.quote, answered);
});

const NOTES = ['', null, ' ', '\u{1F4B5}'.repeat(500), 'it\'s "fine"\n\u2028</script>\\u0000', '__proto__'];
for (const note of NOTES) {
  test(`the note ${JSON.stringify(note)?.slice(0, 40)} comes back as it was written, or null where it says nothing`, async (t) => {
    const { store, quote, change } = await openWithQuote(t);
    await store.expressInterest(change, { ...NEW_INTEREST, note });
    assert.equal((await store.find(quote.id, WHOLE_AGENCY))?.interest?.note, note === '' ? null : note);
  });
}

test('a note of more than 500 characters is never stored', async (t) => {
  const { database, store, change } = await openWithQuote(t);
  await assert.rejects(store.expressInterest(change, { ...NEW_INTEREST, note: 'x'.repeat(501) }), /check constraint/);
  assert.deepEqual(await database.read('SELECT quote_id FROM interests', []), []);
});

test('a response that is sent again is stored once, even when the quote has expired meanwhile', async (t) => {
  const { database, store, change } = await openWithQuote(t);
  const first = await store.expressInterest(change, NEW_INTEREST);
  const stored = await readEverything(database);
  await setTime(database, '2200-01-01T00:00:00Z');
  assert.deepEqual((await store.expressInterest(change, NEW_INTEREST)).interest, first.interest);
  assert.deepEqual(await readEverything(database), stored);
});

test('of fifty responses at once one is stored, and the others are told that there is one', async (t) => {
  const { database, store, quote } = await openWithQuote(t);
  const calls = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) =>
      store.expressInterest(newChange(quote.id), { ...NEW_INTEREST, note: `response ${index}` }),
    ),
  );
  const made = calls.filter((call) => call.status === 'fulfilled').map(({ value }) => value.interest);
  assert.deepEqual(made, [(await store.find(quote.id, WHOLE_AGENCY))?.interest]);
  for (const call of calls) {
    if (call.status === 'rejected') assert.equal(call.reason.code, 'QUOTE_ALREADY_INTERESTED', String(call.reason));
  }
  const ROWS =
    'SELECT (SELECT count(*)::int FROM interests) AS interests, (SELECT count(*)::int FROM quote_changes) AS changes';
  assert.deepEqual(await database.read(ROWS, []), [{ interests: 1, changes: 1 }]);
});

test('the same response sent fifty times at once is stored once, and every call succeeds', async (t) => {
  const { database, store, change } = await openWithQuote(t);
  await Promise.all(Array.from({ length: 50 }, () => store.expressInterest(change, NEW_INTEREST)));
  assert.deepEqual(await database.read('SELECT change_id FROM interests', []), [{ change_id: change.id }]);
});

test('a response whose commit was cut off may or may not be stored, and sending it again settles it', async (t) => {
  const { database, store, change } = await openWithQuote(t);
  await database.write(SLEEP_FUNCTION, []);
  await database.write(SLEEP_AT_COMMIT, []);
  const cutOff = assert.rejects(store.expressInterest(change, NEW_INTEREST), OutcomeUnknownError);
  await until(async () => (await database.read(END_COMMIT, [])).length === 1, SECONDS);
  await cutOff;
  await database.write('DROP TRIGGER sleep_at_commit ON interests', []);
  await store.expressInterest(change, NEW_INTEREST);
  assert.deepEqual(await database.read('SELECT change_id FROM interests', []), [{ change_id: change.id }]);
});

test('a response and a new link at once are both made', async (t) => {
  const { store, quote, change } = await openWithQuote(t);
  await Promise.all([
    store.expressInterest(change, NEW_INTEREST),
    store.replaceHostedLink(newChange(quote.id), newLinkHash()),
  ]);
  assert.equal((await store.find(quote.id, WHOLE_AGENCY))?.interest?.optionId, 'opt_25_10');
});

test('a quote takes a response until the moment it expires, and one whenever it was given outlasts that', async (t) => {
  const { database, store, quote } = await openWithQuote(t);
  await setTime(database, '2126-12-20T10:00:00.123Z');
  await assert.rejects(store.expressInterest(newChange(quote.id), NEW_INTEREST), { code: 'QUOTE_EXPIRED' });
  await setTime(database, '2126-12-20T10:00:00.122Z');
  const { interest } = await store.expressInterest(newChange(quote.id), NEW_INTEREST);
  await setTime(database, '2126-12-20T10:00:00.123Z');
  assert.deepEqual((await store.find(quote.id, WHOLE_AGENCY))?.interest, interest);
  await assert.rejects(store.expressInterest(newChange(quote.id), NEW_INTEREST), { code: 'QUOTE_ALREADY_INTERESTED' });
});

test('a response that is refused leaves nothing behind, and may be sent again in another form', async (t) => {
  const { database, store, quote, change } = await openWithQuote(t);
  const stored = await readEverything(database);
  const refused = store.expressInterest(change, { ...NEW_INTEREST, optionId: 'opt_99_9' });
  await assert.rejects(refused, { code: 'VALIDATION_FAILED', param: 'option_id' });
  assert.deepEqual(await readEverything(database), stored);
  await store.expressInterest(change, NEW_INTEREST);
  assert.equal((await store.find(quote.id, WHOLE_AGENCY))?.interest?.optionId, 'opt_25_10');
});

test('a quote without options takes no response', async (t) => {
  const { store, change } = await openWithQuote(t, { pricedMembers: membersOffering() });
  await assert.rejects(store.expressInterest(change, NEW_INTEREST), { code: 'VALIDATION_FAILED', param: 'option_id' });
});

test('a change that stands for another response, or for a link, is never reported as made', async (t) => {
  const { database, store, quote, change } = await openWithQuote(t);
  const link = newChange(quote.id);
  await store.replaceHostedLink(link, newLinkHash());
  await assert.rejects(store.expressInterest(link, NEW_INTEREST), /made already with other content/);
  await store.expressInterest(change, NEW_INTEREST);
  const stored = await readEverything(database);
  const others: readonly Partial<NewInterest>[] = [{ optionId: 'opt_15_9' }, { note: null }, { note: 'Another.' }];
  for (const other of others) {
    const repeated = store.expressInterest(change, { ...NEW_INTEREST, ...other });
    await assert.rejects(repeated, /made already with other content/);
  }
  await assert.rejects(store.expressInterest(link, NEW_INTEREST), /made already with other content/);
  assert.deepEqual(await readEverything(database), stored);
});

test('a response that waited until its quote had expired is refused', async (t) => {
  const createdAt = new Date(Date.now() - 1_000);
  const expiresAt = new Date(Date.now() + 600);
  const { database, store, quote, change } = await openWithQuote(t, { createdAt, expiresAt });
  const lock = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = database.transaction(async ({ query }) => {
    await query('SELECT id FROM quotes WHERE id = $1 FOR UPDATE', [quote.id]);
    held.resolve();
    await lock.promise;
  });
  await held.promise;
  const refused = assert.rejects(store.expressInterest(change, NEW_INTEREST), { code: 'QUOTE_EXPIRED' });
  await until(() => Date.now() > expiresAt.getTime(), SECONDS);
  lock.resolve();
  await Promise.all([holding, refused]);
});
