import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { NotificationStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { setTime } from '../../../tests/support/database.ts';
import { until } from '../../../tests/support/until.ts';
import { AGENCY, newEvent, newInterest, SECONDS } from './notification.test-support.ts';
import { AS_OPERATOR, bringForward, MAIL_FROM, openScene } from './running-notification.test-support.ts';

const { PENDING, SENT, FAILED } = NotificationStatus;

test('an event becomes one email to the broker, and the quote is told, for whom it was and by which request', async (t) => {
  const { smtp, quoteStore, start, mailsOf } = await openScene(t);
  const { accept } = await start();
  const interest = newInterest();
  const event = newEvent(interest);
  await accept(event);
  await quoteStore.untilTold(event, SENT);
  assert.deepEqual(
    mailsOf(event).map(({ from, to }) => ({ from, to })),
    [{ from: MAIL_FROM.address, to: ['dana@broker.example'] }],
  );
  assert.match(String(smtp.received[0]?.raw), /^Subject: .*Lone Star Roofing/m);
  const [told] = quoteStore.told;
  assert.partialDeepStrictEqual(told, {
    quoteId: interest.quoteId,
    eventId: event.eventId,
    revision: 1,
    status: SENT,
    caller: { requestId: event.requestId, tenant: { agencyId: AGENCY, mode: 'live' } },
  });
  assert.equal(told?.reason, undefined);
});

test('fifty deliveries of one event at once, and one more when it is sent, are one email', async (t) => {
  const { quoteStore, smtp, start } = await openScene(t);
  const { accept, admin } = await start();
  const event = newEvent();
  await Promise.all(Array.from({ length: 50 }, () => accept(event)));
  await quoteStore.untilTold(event, SENT);
  await accept(event);
  const after = newEvent();
  await accept(after);
  await quoteStore.untilTold(after, SENT);
  assert.equal(smtp.received.length, 2);
  assert.equal((await admin.listEmails({}, AS_OPERATOR)).emails.length, 2);
});

test('an email that the server does not take now goes out unchanged when it does', async (t) => {
  const { smtp, quoteStore, start, open } = await openScene(t);
  const { accept, admin } = await start();
  smtp.behave({ message: '451 4.3.0 Try again later' });
  const event = newEvent();
  await accept(event);
  await until(async () => (await admin.listEmails({}, AS_OPERATOR)).emails[0]?.attempts === 1, SECONDS);
  const [email] = (await admin.listEmails({}, AS_OPERATOR)).emails;
  assert.partialDeepStrictEqual(email, { status: PENDING, lastError: '451 4.3.0 Try again later' });
  assert.ok(email?.nextAttemptAt);
  smtp.behave({});
  await bringForward(open());
  await quoteStore.untilTold(event, SENT);
  assert.deepEqual([smtp.received.length, quoteStore.told.length], [1, 1]);
  const [sent] = (await admin.listEmails({}, AS_OPERATOR)).emails;
  assert.partialDeepStrictEqual(sent, { status: SENT, attempts: 2 });
  assert.deepEqual([sent?.lastError, sent?.nextAttemptAt], [undefined, undefined]);
});

test('a mail server that is away is tried again, and takes the email once when it is back', async (t) => {
  const { smtp, quoteStore, start, open } = await openScene(t);
  const { accept, admin } = await start();
  await smtp.goAway();
  const event = newEvent();
  await accept(event);
  await until(async () => (await admin.listEmails({}, AS_OPERATOR)).emails[0]?.attempts === 1, SECONDS);
  await smtp.comeBack();
  await bringForward(open());
  await quoteStore.untilTold(event, SENT);
  assert.equal(smtp.received.length, 1);
});

for (const [what, script, reason] of [
  ['the mailbox', { replies: { RCPT: '550 5.1.1 No such mailbox' } }, 'mailbox_rejected'],
  ['the sender', { replies: { MAIL: '553 5.7.1 Not from you' } }, 'message_rejected'],
  ['the message', { message: '554 5.7.1 Looks like spam' }, 'message_rejected'],
] as const) {
  test(`an email is failed at once where the server refuses ${what} for good, until the operator has it tried again`, async (t) => {
    const { smtp, quoteStore, start } = await openScene(t);
    const { accept, admin } = await start();
    smtp.behave(script);
    const event = newEvent();
    await accept(event);
    await quoteStore.untilTold(event, FAILED);
    const failed = (await admin.listEmails({ failedOnly: true }, AS_OPERATOR)).emails;
    assert.deepEqual(
      failed.map(({ eventId, attempts, reason: given }) => ({ eventId, attempts, given })),
      [{ eventId: event.eventId, attempts: 1, given: reason }],
    );

    smtp.behave({});
    const { email } = await admin.retryEmail({ eventId: event.eventId }, AS_OPERATOR);
    assert.partialDeepStrictEqual(email, { status: PENDING, attempts: 1 });
    await quoteStore.untilTold(event, SENT);
    assert.equal(smtp.received.length, 1);
    assert.deepEqual((await admin.listEmails({ failedOnly: true }, AS_OPERATOR)).emails, []);
    const told = quoteStore.told.map(({ status, revision, reason: given }) => ({ status, revision, given }));
    assert.deepEqual(told[0], { status: FAILED, revision: 1, given: reason });
    assert.deepEqual(told.at(-1), { status: SENT, revision: 3, given: undefined });
    const { email: unchanged } = await admin.retryEmail({ eventId: event.eventId }, AS_OPERATOR);
    assert.partialDeepStrictEqual(unchanged, { status: SENT, attempts: 2 });
  });
}

test('an answer that is lost after the message makes copies that are one message to a mailbox', async (t) => {
  const { smtp, quoteStore, start, open, mailsOf } = await openScene(t);
  const { accept, admin } = await start();
  smtp.behave({ message: 'drop' });
  const event = newEvent();
  await accept(event);
  await until(async () => (await admin.listEmails({}, AS_OPERATOR)).emails[0]?.attempts === 1, SECONDS);
  smtp.behave({});
  await bringForward(open());
  await quoteStore.untilTold(event, SENT);
  const [first, second, ...others] = mailsOf(event).map(({ raw }) => raw);
  assert.ok(first && second && others.length === 0);
  assert.deepEqual(first, second);
});

test('an email that nobody takes has failed when its time is over', async (t) => {
  const { smtp, quoteStore, start, open } = await openScene(t);
  const { accept, admin } = await start({ mailGiveUpAfterHours: 1 });
  smtp.behave({ greeting: '554 5.3.2 No mail today' });
  const event = newEvent();
  await accept(event);
  const database = open();
  await until(async () => (await admin.listEmails({}, AS_OPERATOR)).emails[0]?.attempts === 1, SECONDS);
  const accepted = (await admin.listEmails({}, AS_OPERATOR)).emails[0]?.createdAt ?? assert.fail('no time');
  await setTime(database, new Date(timestampDate(accepted).getTime() + 3_600_001).toISOString());
  await bringForward(database);
  await quoteStore.untilTold(event, FAILED);
  assert.deepEqual(
    quoteStore.told.map(({ reason, revision }) => ({ reason, revision })),
    [{ reason: 'delivery_timed_out', revision: 1 }],
  );
});

test('a quote store that is away is told when it is back', async (t) => {
  const { quoteStore, smtp, start } = await openScene(t);
  const { accept } = await start();
  await quoteStore.goAway();
  const event = newEvent();
  await accept(event);
  await until(() => smtp.received.length === 1, SECONDS);
  await quoteStore.comeBack();
  await quoteStore.untilTold(event, SENT);
  assert.equal(smtp.received.length, 1);
});

test('emails that the mail server is slow to answer hold up no outcome of others', async (t) => {
  const { quoteStore, smtp, start } = await openScene(t);
  const { accept } = await start();
  await quoteStore.goAway();
  const event = newEvent();
  await accept(event);
  await until(() => smtp.received.length === 1, SECONDS);
  smtp.behave({ message: 'hang' });
  for (const slow of Array.from({ length: 10 }, () => newEvent())) await accept(slow);
  await until(() => smtp.received.length === 6, SECONDS);
  await quoteStore.comeBack();
  await quoteStore.untilTold(event, SENT);
});

test('an outcome for a quote that is gone is given up', async (t) => {
  const { quoteStore, start, open } = await openScene(t);
  const { accept } = await start();
  quoteStore.behave('unknown');
  await accept(newEvent());
  const database = open();
  const jobs = 'SELECT id FROM graphile_worker.jobs';
  const sent = "SELECT event_id FROM emails WHERE status = 'sent'";
  await until(async () => (await database.read(sent, [])).length === 1, SECONDS);
  await until(async () => (await database.read(jobs, [])).length === 0, SECONDS);
});

test('an event that cannot be read is INTERNAL to whoever publishes it, and leaves nothing behind', async (t) => {
  const { start, smtp } = await openScene(t);
  const { accept, notification, admin } = await start();
  await assert.rejects(accept(newEvent(newInterest(), { schemaVersion: 2 })), { code: Code.Internal });
  await assert.rejects(notification.acceptEvent({}), { code: Code.Internal });
  assert.deepEqual((await admin.listEmails({}, AS_OPERATOR)).emails, []);
  assert.equal(smtp.received.length, 0);
});

test('the operator alone sees emails, as many as were asked for, and is told where there is none', async (t) => {
  const { start, quoteStore } = await openScene(t);
  const { accept, admin } = await start();
  await assert.rejects(admin.listEmails({}), { code: Code.Unauthenticated });
  await assert.rejects(admin.retryEmail({ eventId: newEvent().eventId }), { code: Code.Unauthenticated });
  const events = [newEvent(), newEvent(), newEvent()];
  for (const event of events) await accept(event);
  for (const event of events) await quoteStore.untilTold(event, SENT);
  const { emails, hasMore } = await admin.listEmails({ limit: 2 }, AS_OPERATOR);
  assert.deepEqual([emails.map(({ eventId }) => eventId), hasMore], [[events[2]?.eventId, events[1]?.eventId], true]);
  assert.equal((await admin.listEmails({ limit: 3 }, AS_OPERATOR)).hasMore, false);
  assert.equal((await admin.listEmails({ limit: 4_000_000_000 }, AS_OPERATOR)).emails.length, 3);
  for (const eventId of [newEvent().eventId, '', 'evt_\0']) {
    await assert.rejects(admin.retryEmail({ eventId }, AS_OPERATOR), { code: Code.NotFound });
  }
});
