import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@pfq/kit/ids';
import { setTime } from '../../../../tests/support/database.ts';
import type { Standing } from '../domain/attempt.ts';
import { jobsOf, newEmail, openEmails, readForSending } from '../notification.test-support.ts';

const SENT: Standing = { status: 'sent' };
const FAILED: Standing = { status: 'failed', reason: 'mailbox_rejected', lastError: '550 No such mailbox' };
const LATER: Standing = { status: 'pending', lastError: '451 Later', delayMs: 20_000, isUnconfirmed: false };
const A_MOMENT_AGO = new Date('2026-12-01T11:58:29.500Z');
const BY = { actor: 'olga' };
const NOON = new Date('2026-12-01T12:00:00.000Z');

test('an email is kept as it was accepted, byte for byte, and is to be sent at once', async (t) => {
  const { database, store } = await openEmails(t);
  await setTime(database, NOON.toISOString());
  const message = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const email = newEmail({
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    message,
    submittedAt: A_MOMENT_AGO,
  });
  assert.equal(await store.accept(email), true);
  const toSend = (await readForSending(store, email)) ?? assert.fail('nothing to send');
  const { message: kept, recentAttempts, unconfirmedAttempts, triedForMs, ...standing } = toSend;
  const { triedSince, submittedForMs, ...read } = standing;
  const { message: _, submittedAt: __, ...given } = email;
  assert.deepEqual(Buffer.from(kept), Buffer.from(message));
  assert.deepEqual([recentAttempts, unconfirmedAttempts, triedForMs], [0, 0, 0]);
  assert.deepEqual([triedSince, submittedForMs], [NOON, 90_500]);
  assert.deepEqual(read, {
    ...given,
    status: 'pending',
    reason: null,
    lastError: null,
    attempts: 0,
    revision: 0,
    createdAt: NOON,
    statusAt: NOON,
    nextAttemptAt: NOON,
  });
  assert.deepEqual(await store.find(email), read);
  assert.deepEqual(await jobsOf(database), ['send-email']);
});

test('of fifty deliveries of one event at once one makes an email and a job', async (t) => {
  const { database, store } = await openEmails(t);
  const email = newEmail();
  const answers = await Promise.all(Array.from({ length: 50 }, () => store.accept(email)));
  assert.equal(answers.filter((isNew) => isNew).length, 1);
  assert.deepEqual(await jobsOf(database), ['send-email']);
  assert.equal((await store.list({ failedOnly: false, limit: 10 })).length, 1);
});

test('an email whose job cannot be added is not accepted', async (t) => {
  const { database, store } = await openEmails(t);
  await database.write('ALTER SCHEMA graphile_worker RENAME TO elsewhere', []);
  const email = newEmail();
  await assert.rejects(store.accept(email));
  await database.write('ALTER SCHEMA elsewhere RENAME TO graphile_worker', []);
  assert.equal(await store.find(email), null);
  assert.equal(await store.accept(email), true);
});

test('while somebody sends an email nobody else does, and afterwards anybody may', async (t) => {
  const { store } = await openEmails(t);
  const [email, other] = [newEmail(), newEmail()];
  await store.accept(email);
  await store.accept(other);
  let sends = 0;
  await store.whileSending(email, async () => {
    sends += 1;
    await assert.rejects(readForSending(store, email), /another process is sending/);
    assert.ok(await readForSending(store, other), 'other emails are sent meanwhile');
  });
  await assert.rejects(
    store.whileSending(email, () => Promise.reject(new Error('the sender broke'))),
    /the sender broke/,
  );
  assert.ok(await readForSending(store, email));
  assert.equal(sends, 1);
});

test('an email that is sent is so for good, and there is an outcome to tell', async (t) => {
  const { database, store } = await openEmails(t);
  const email = newEmail();
  await store.accept(email);
  const toSend = (await readForSending(store, email)) ?? assert.fail('nothing to send');
  assert.equal(await store.settle(toSend, SENT), true);
  for (const standing of [SENT, FAILED, LATER]) assert.equal(await store.settle(toSend, standing), false);
  assert.partialDeepStrictEqual(await store.find(email), { status: 'sent', attempts: 1, revision: 1, lastError: null });
  assert.equal(await readForSending(store, email), null);
  assert.equal(await store.accept(email), false);
  assert.deepEqual(await jobsOf(database), ['record-outcome', 'send-email']);
});

test('an email that is not taken yet waits for its next attempt, and there is nothing to tell', async (t) => {
  const { database, store } = await openEmails(t);
  await setTime(database, NOON.toISOString());
  const email = newEmail();
  await store.accept(email);
  const toSend = (await readForSending(store, email)) ?? assert.fail('nothing to send');
  assert.equal(await store.settle(toSend, LATER), true);
  assert.equal(await store.settle(toSend, LATER), false, 'another sender has recorded an attempt meanwhile');
  assert.equal(await store.settle(toSend, FAILED), false);
  assert.partialDeepStrictEqual(await store.find(email), {
    status: 'pending',
    attempts: 1,
    revision: 0,
    lastError: '451 Later',
    nextAttemptAt: new Date('2026-12-01T12:00:20.000Z'),
  });
  assert.deepEqual(await jobsOf(database), ['send-email']);
  await setTime(database, '2026-12-01T13:00:00Z');
  assert.equal((await readForSending(store, email))?.triedForMs, 3_600_000);
});

test('attempts are counted, those whose outcome nobody knows too, and both anew where the operator has it tried again', async (t) => {
  const { store } = await openEmails(t);
  const email = newEmail();
  await store.accept(email);
  const read = async () => (await readForSending(store, email)) ?? assert.fail('nothing to send');
  for (const isUnconfirmed of [false, true, true]) await store.settle(await read(), { ...LATER, isUnconfirmed });
  assert.partialDeepStrictEqual(await read(), { attempts: 3, recentAttempts: 3, unconfirmedAttempts: 2 });
  await store.settle(await read(), FAILED);
  await store.retry(email.eventId, BY);
  assert.partialDeepStrictEqual(await read(), { attempts: 4, recentAttempts: 0, unconfirmedAttempts: 0 });
  await store.settle(await read(), LATER);
  assert.partialDeepStrictEqual(await read(), { attempts: 5, recentAttempts: 1, unconfirmedAttempts: 0 });
});

test('an email that failed for one sender is sent once another says so', async (t) => {
  const { store } = await openEmails(t);
  const email = newEmail();
  await store.accept(email);
  const toSend = (await readForSending(store, email)) ?? assert.fail('nothing to send');
  assert.equal(await store.settle(toSend, FAILED), true);
  assert.partialDeepStrictEqual(await store.find(email), { status: 'failed', reason: 'mailbox_rejected', revision: 1 });
  assert.equal(await store.settle(toSend, SENT), true);
  assert.partialDeepStrictEqual(await store.find(email), { status: 'sent', reason: null, attempts: 2, revision: 2 });
});

test('a failed email is tried again by the operator, with its time starting anew, its outcome told and who wanted it noted', async (t) => {
  const { database, store } = await openEmails(t);
  await setTime(database, NOON.toISOString());
  const email = newEmail();
  await store.accept(email);
  const toSend = (await readForSending(store, email)) ?? assert.fail('nothing to send');
  await store.settle(toSend, FAILED);
  await setTime(database, '2026-12-05T12:00:00Z');
  const [first, second] = await Promise.all([store.retry(email.eventId, BY), store.retry(email.eventId, BY)]);
  assert.ok(first && second);
  assert.deepEqual([first, second].filter(({ isRetried }) => isRetried).length, 1);
  assert.partialDeepStrictEqual(second.email, {
    status: 'pending',
    reason: null,
    attempts: 1,
    revision: 2,
    lastError: '550 No such mailbox',
    statusAt: new Date('2026-12-05T12:00:00.000Z'),
  });
  assert.deepEqual(first.email, second.email);
  assert.equal((await readForSending(store, email))?.triedForMs, 0);
  assert.deepEqual(await jobsOf(database), ['record-outcome', 'send-email']);
  const audit = await database.read('SELECT actor, action, target, details FROM audit_log', []);
  const details = { agency_id: email.agencyId, quote_id: email.quoteId };
  assert.deepEqual(audit, [{ actor: 'olga', action: 'email.retry', target: email.eventId, details }]);
  for (const change of ['UPDATE audit_log SET actor = actor', 'DELETE FROM audit_log', 'TRUNCATE audit_log']) {
    await assert.rejects(database.write(change, []), /append-only/);
  }
});

test('an email that has not failed is shown to the operator as it is', async (t) => {
  const { database, store } = await openEmails(t);
  const email = newEmail();
  await store.accept(email);
  const before = await store.find(email);
  assert.deepEqual(await store.retry(email.eventId, BY), { email: before, isRetried: false });
  assert.equal(await store.retry(newEmail().eventId, BY), null);
  assert.deepEqual(await database.read('SELECT id FROM audit_log', []), []);
});

test('emails are listed newest first, all of them or those that failed', async (t) => {
  const { database, store } = await openEmails(t);
  const emails = Array.from({ length: 6 }, (_, index) => newEmail({ eventId: newId('evt_', index) }));
  for (const [index, email] of emails.entries()) {
    await setTime(database, `2026-12-01T12:00:0${Math.floor(index / 2)}Z`);
    await store.accept(email);
    const toSend = (await readForSending(store, email)) ?? assert.fail('nothing to send');
    if (index % 2 === 0) await store.settle(toSend, FAILED);
  }
  const idsOf = async (failedOnly: boolean, limit: number) =>
    (await store.list({ failedOnly, limit })).map(({ eventId }) => eventId);
  const newestFirst = emails.map(({ eventId }) => eventId).toReversed();
  assert.deepEqual(await idsOf(false, 10), newestFirst);
  assert.deepEqual(await idsOf(false, 3), newestFirst.slice(0, 3));
  assert.deepEqual(
    await idsOf(true, 10),
    newestFirst.filter((_, index) => index % 2 === 1),
  );
});
