import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import {
  assertCannotChangeSchema,
  assertLeavesLaterRelease,
  makeRoles,
  migrateFor,
} from '@pfq/kit/schema-roles.test-support';
import { NotificationStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { newEvent, SECONDS } from './notification.test-support.ts';
import { AS_OPERATOR, bringForward, openScene } from './running-notification.test-support.ts';
import { until } from '../../../tests/support/until.ts';

const MIGRATE = path.join(import.meta.dirname, 'migrate.ts');

test('notification does all its work under a role that cannot change its schema', async (t) => {
  const made = await makeRoles(t);
  await migrateFor(t, MIGRATE, made);
  const { smtp, quoteStore, start } = await openScene(t);
  const { accept, admin } = await start({ databaseUrl: made.serviceUrl, migrateOnStart: false });
  smtp.behave({ message: '451 4.3.0 Try again later' });
  const event = newEvent();
  await accept(event);
  await until(async () => (await admin.listEmails({}, AS_OPERATOR)).emails[0]?.attempts === 1, SECONDS);
  smtp.behave({ message: '554 5.7.1 Looks like spam' });
  await bringForward(made.openAsService());
  await quoteStore.untilTold(event, NotificationStatus.FAILED);
  smtp.behave({});
  await admin.retryEmail({ eventId: event.eventId }, AS_OPERATOR);
  await quoteStore.untilTold(event, NotificationStatus.SENT);
  const service = made.openAsService();
  await until(async () => (await service.read('SELECT id FROM graphile_worker.jobs', [])).length === 0, SECONDS);
  assert.equal((await service.read('SELECT id FROM audit_log', [])).length, 1);
  await assertCannotChangeSchema(service, ['emails', 'audit_log']);
});

test('on the schema of a later release the program makes no topics either, and does not say that all is up to date', (t) =>
  assertLeavesLaterRelease(t, MIGRATE));
