import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '@pfq/kit/migrate';
import { logger, MIGRATIONS, newEmail, openEmails } from './notification.test-support.ts';

test('an email is never kept in a state that means nothing, and none is for test mode', async (t) => {
  const { database, store } = await openEmails(t);
  const email = newEmail();
  await store.accept(email);
  for (const change of [
    "status = 'bounced'",
    "status = 'sent'",
    "status = 'failed', next_attempt_at = NULL",
    "status = 'failed', reason = 'mailbox_rejected'",
    "reason = 'mailbox_rejected'",
    'next_attempt_at = NULL',
    "mode = 'test'",
  ]) {
    const sql = `UPDATE emails SET ${change} WHERE event_id = $1`;
    await assert.rejects(database.write(sql, [email.eventId]), /check constraint/, change);
  }
});

test('migrating again changes nothing', async (t) => {
  const { url, store } = await openEmails(t);
  const email = newEmail();
  await store.accept(email);
  await migrate({ databaseUrl: url, dir: MIGRATIONS, logger });
  assert.equal(await store.accept(email), false);
});
