import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { newId } from '@pfq/kit/ids';
import { setTime } from '../../../../tests/support/database.ts';
import { until } from '../../../../tests/support/until.ts';
import {
  areWaiting,
  LIVE_TENANT,
  makeLiveDatabase,
  makeMigratedDatabase,
  membersOffering,
  NEW_INTEREST,
  newChange,
  newLinkHash,
  newQuote,
  newTelling,
  PARTIES,
  readEverything,
  readJobKeys,
  SECONDS,
  TENANT,
} from '../store.test-support.ts';
import { postgresQuoteStore } from './postgres.ts';
import type { LinkedQuote, LinkedResponse, Visibility } from './store.ts';

const LIVE: Visibility = { tenant: LIVE_TENANT, brokerId: undefined };
const LOCKED = "SELECT pid FROM pg_locks WHERE relation = 'quotes'::regclass AND mode = 'RowShareLock'";
const LATE = '2126-12-20T10:00:00.123Z';

async function openWithQuote(t: TestContext, changes: Parameters<typeof newQuote>[0] = {}) {
  const database = (await makeLiveDatabase(t)).open();
  const store = postgresQuoteStore(database);
  const quote = newQuote(changes);
  await store.create(LIVE_TENANT, quote);
  const respond = (response: LinkedResponse) => store.expressInterestByLink(quote.hostedLinkHash, response);
  const replaceLink = () => store.replaceHostedLink(newChange(quote.id, LIVE), newLinkHash());
  return { database, store, quote, respond, replaceLink };
}

/** A response of its own, as a page that was asked for anew sends it. */
function newResponse(changes: Partial<LinkedResponse['interest']> = {}): LinkedResponse {
  return { changeId: newId('chg_', Date.now()), interest: { ...NEW_INTEREST, telling: newTelling(), ...changes } };
}

function interestOf(linked: LinkedQuote | null) {
  return (linked?.link === 'current' && linked.quote.interest) || assert.fail('there is no interest');
}

test('a link leads to its quote as it stands, whatever that is, until it is replaced', async (t) => {
  const { database, store, quote, respond, replaceLink } = await openWithQuote(t);
  const read = () => store.readByLink(quote.hostedLinkHash);
  const find = async () => ({ link: 'current', quote: await store.find(quote.id, LIVE) });
  await setTime(database, '2126-12-20T10:00:00.122Z');
  assert.deepEqual(await read(), await find());
  await respond(newResponse());
  assert.deepEqual(await read(), await find());
  await setTime(database, LATE);
  const late = await read();
  assert.deepEqual(late, await find());
  assert.deepEqual(late?.link === 'current' && late.quote.parties, PARTIES);
  await setTime(database, '2126-12-20T10:00:00.122Z');
  await replaceLink();
  assert.deepEqual(await read(), { link: 'replaced', mode: 'live' });
  assert.equal(await store.readByLink(newLinkHash()), null);
});

test('a live response is stored with the one job that tells of it, and the broker is waiting to hear', async (t) => {
  const { database, respond } = await openWithQuote(t);
  const response = newResponse();
  const { eventId } = response.interest.telling;
  const { notification, ...interest } = interestOf(await respond(response));
  assert.deepEqual(
    [interest.optionId, interest.note, interest.eventId],
    ['opt_25_10', 'Please call after five.', eventId],
  );
  const { submittedAt: at } = interest;
  assert.deepEqual(notification, { status: 'pending', reason: null, recipient: PARTIES.brokerEmail, at });
  assert.deepEqual(await readJobKeys(database), [`publish-interest:${eventId}`]);
});

test('a test response through a link is stored, and nobody is told', async (t) => {
  const { database, store } = await openWithQuote(t);
  const quote = newQuote();
  await store.create(TENANT, quote);
  const { eventId, notification } = interestOf(await store.expressInterestByLink(quote.hostedLinkHash, newResponse()));
  assert.deepEqual([eventId, notification.status, notification.recipient], [null, 'skipped', null]);
  assert.deepEqual(await readJobKeys(database), []);
});

test('of fifty responses at once through one link one is stored and told of, and the others learn that there is one', async (t) => {
  const { database, store, quote, respond } = await openWithQuote(t);
  const responses = Array.from({ length: 50 }, (_, index) => newResponse({ note: `response ${index}` }));
  const calls = await Promise.allSettled(responses.map(respond));
  const made = calls.filter((call) => call.status === 'fulfilled').map(({ value }) => interestOf(value));
  assert.deepEqual(made, [(await store.find(quote.id, LIVE))?.interest]);
  for (const call of calls) {
    if (call.status === 'rejected') assert.equal(call.reason.code, 'QUOTE_ALREADY_INTERESTED', String(call.reason));
  }
  assert.deepEqual(await readJobKeys(database), [`publish-interest:${made[0]?.eventId}`]);
  assert.equal((await database.read('SELECT id FROM quote_changes', [])).length, 1);
});

test('one response sent fifty times at once is stored and told of once, and every call gets the same answer', async (t) => {
  const { database, respond } = await openWithQuote(t);
  const response = newResponse();
  const again = () => respond({ ...response, interest: { ...response.interest, telling: newTelling() } });
  const answers = await Promise.all(Array.from({ length: 50 }, again));
  assert.equal(answers.filter((answer) => answer?.link === 'current' && answer.isMadeNow).length, 1);
  const [first, ...others] = answers.map(interestOf);
  for (const other of others) assert.deepEqual(other, first);
  assert.deepEqual(await readJobKeys(database), [`publish-interest:${first?.eventId}`]);
});

test('a response that was made is answered as made, though its quote has expired and its link is replaced', async (t) => {
  const { database, respond, replaceLink } = await openWithQuote(t);
  const response = newResponse();
  const first = interestOf(await respond(response));
  await replaceLink();
  await setTime(database, LATE);
  const stored = await readEverything(database);
  assert.deepEqual(interestOf(await respond(response)), first);
  assert.deepEqual(await readEverything(database), stored);
});

test('a response confirmed again in other words changes nothing, and learns that there is one', async (t) => {
  const { database, respond } = await openWithQuote(t);
  const response = newResponse();
  await respond(response);
  const stored = await readEverything(database);
  for (const other of [{ note: 'Another.' }, { note: null }, { optionId: 'opt_15_9' }]) {
    const again = respond({ ...response, interest: { ...response.interest, ...other } });
    await assert.rejects(again, { code: 'QUOTE_ALREADY_INTERESTED' });
  }
  assert.deepEqual(await readEverything(database), stored);
  assert.equal((await readJobKeys(database)).length, 1);
});

test('an unknown or a replaced link takes no response, and that leaves nothing behind', async (t) => {
  const { database, store, respond, replaceLink } = await openWithQuote(t);
  await replaceLink();
  const stored = await readEverything(database);
  assert.deepEqual(await respond(newResponse()), { link: 'replaced', mode: 'live' });
  assert.equal(await store.expressInterestByLink(newLinkHash(), newResponse()), null);
  assert.deepEqual(await readEverything(database), stored);
  assert.deepEqual(await readJobKeys(database), []);
});

test('a response that was waiting while its link was replaced is not stored', async (t) => {
  const { database, store, quote, respond, replaceLink } = await openWithQuote(t);
  const lock = Promise.withResolvers<void>();
  const holding = database.transaction(async ({ query }) => {
    await query('SELECT id FROM quotes WHERE id = $1 FOR NO KEY UPDATE', [quote.id]);
    await lock.promise;
  });
  const waitFor = (waiting: number) => until(() => areWaiting(database, waiting), SECONDS);
  await until(async () => (await database.read(LOCKED, [])).length > 0, SECONDS);
  const replacing = replaceLink();
  await waitFor(1);
  const response = respond(newResponse());
  await waitFor(2);
  lock.resolve();
  await Promise.all([holding, replacing]);
  assert.deepEqual(await response, { link: 'replaced', mode: 'live' });
  assert.equal((await store.find(quote.id, LIVE))?.interest, null);
  assert.deepEqual(await readJobKeys(database), []);
});

const REFUSALS = [
  ['has expired', {}, LATE, {}, 'QUOTE_EXPIRED'],
  ['is ineligible', { pricedMembers: membersOffering() }, null, {}, 'VALIDATION_FAILED'],
  ['offers another option', {}, null, { optionId: 'opt_99_9' }, 'VALIDATION_FAILED'],
] as const;
for (const [what, changes, now, wanted, code] of REFUSALS) {
  test(`a response to a quote that ${what} is refused, and that leaves nothing behind`, async (t) => {
    const { database, respond } = await openWithQuote(t, changes);
    if (now !== null) await setTime(database, now);
    const stored = await readEverything(database);
    await assert.rejects(respond(newResponse(wanted)), { code });
    assert.deepEqual(await readEverything(database), stored);
    assert.deepEqual(await readJobKeys(database), []);
  });
}

test('a response to a quote in a version of the API that is not known here is not stored, by whichever way it comes', async (t) => {
  const { database, store, quote, respond } = await openWithQuote(t, { apiVersion: '2027-01-01' });
  const stored = await readEverything(database);
  const change = newChange(quote.id, LIVE);
  for (const attempt of [() => respond(newResponse()), () => store.expressInterest(change, NEW_INTEREST)]) {
    await assert.rejects(attempt, /API version that this release does not know: 2027-01-01/);
  }
  assert.deepEqual(await readEverything(database), stored);
  assert.deepEqual(await readJobKeys(database), []);
});

const FAIL_FUNCTION =
  "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no commit'; END $$";
const FAIL_AT_COMMIT = `
  CREATE CONSTRAINT TRIGGER fail_at_commit AFTER INSERT ON interests DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION fail()`;

test('a response that fails at the last moment leaves neither itself nor a job', async (t) => {
  const { database, respond } = await openWithQuote(t);
  await database.write(FAIL_FUNCTION, []);
  await database.write(FAIL_AT_COMMIT, []);
  const stored = await readEverything(database);
  await assert.rejects(respond(newResponse()), /no commit/);
  assert.deepEqual(await readEverything(database), stored);
  assert.deepEqual(await readJobKeys(database), []);
});

test('a live response of which nobody can be told is not stored', async (t) => {
  const database = (await makeMigratedDatabase(t)).open();
  const store = postgresQuoteStore(database);
  const quote = newQuote();
  await store.create(LIVE_TENANT, quote);
  const stored = await readEverything(database);
  await assert.rejects(store.expressInterestByLink(quote.hostedLinkHash, newResponse()), /graphile_worker/);
  assert.deepEqual(await readEverything(database), stored);
});
