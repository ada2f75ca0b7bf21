import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@pfq/kit/ids';
import type { Database } from '@pfq/kit/postgres';
import { newEmail, openEmails, readForSending } from '../notification.test-support.ts';
import type { EmailStore } from './store.ts';

test('no statement shows an email to another agency, or lets it be changed by one', async (t) => {
  const { database, store } = await openEmails(t);
  const email = newEmail();
  const stranger = { ...email, agencyId: newId('agy_', Date.now()) };
  await store.accept(email);
  const toSend = (await readForSending(store, email)) ?? assert.fail('nothing to send');
  const before = await readAll(database);

  // `list` and `retry` are the operator's; every other method of the store must be here.
  const looks: Record<Exclude<keyof EmailStore, 'list' | 'retry'>, () => Promise<void>> = {
    async find() {
      assert.equal(await store.find(stranger), null);
    },
    async whileSending() {
      assert.equal(await readForSending(store, stranger), null);
    },
    async settle() {
      const theirs = { ...toSend, agencyId: stranger.agencyId };
      assert.equal(await store.settle(theirs, { status: 'sent' }), false);
      const later = { status: 'pending', lastError: '', delayMs: 0, isUnconfirmed: true } as const;
      assert.equal(await store.settle(theirs, later), false);
      const failed = { status: 'failed', reason: 'message_rejected', lastError: '' } as const;
      assert.equal(await store.settle(theirs, failed), false);
    },
    async accept() {
      assert.equal(await store.accept({ ...stranger, recipient: 'theirs@other.example' }), true);
    },
  };
  for (const look of Object.values(looks)) await look();

  const after = await readAll(database);
  assert.deepEqual(
    after.filter(({ agency_id: agencyId }) => agencyId === email.agencyId),
    before,
  );
});

async function readAll(database: Database) {
  const sql = 'SELECT agency_id, mode, event_id, recipient, status, attempts, revision FROM emails';
  return database.read(sql, []);
}
