import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { assertCannotChangeSchema, makeRoles, migrateFor } from '@pfq/kit/schema-roles.test-support';
import { createSeal } from '@pfq/kit/seal';
import { BrokerStatus } from '@pfq/proto/gateway/v1/admin_pb';
import { setTime } from '../../../tests/support/database.ts';
import { until } from '../../../tests/support/until.ts';
import { attempt, CREATED, SECRET, START } from './storage/idempotency-scene.test-support.ts';
import { postgresIdempotencyStore } from './storage/postgres-idempotency.ts';
import { postgresRequestStore } from './storage/postgres-requests.ts';
import { AS_DANA, makeAgency, makeKey, startWholeGateway } from './whole-gateway.test-support.ts';

const SECONDS = 10_000;
const MUCH_LATER = '2027-11-20T12:00:00.000Z';

test('the gateway does all its work under a role that cannot change its schema', async (t) => {
  const made = await makeRoles(t);
  await migrateFor(t, path.join(import.meta.dirname, 'migrate.ts'), made);
  const gateway = await startWholeGateway(t, { databaseUrl: made.serviceUrl, migrateOnStart: false });
  const { admin, requests } = gateway;
  const agencyId = await makeAgency(gateway, 'ana@a.example', 'ben@a.example');
  const key = await makeKey(gateway, { agencyId, brokerEmail: 'ana@a.example' });
  assert.equal((await gateway.ask('GET', '/v1/whoami', { key: key.secret })).status, 200);
  const { status, headers } = await gateway.ask('POST', '/v1/quotes', { key: key.secret, body: '{}' });
  assert.equal(status, 422);
  const requestId = String(headers['request-id']);
  const show = () => requests.showRequest({ requestId }, AS_DANA);
  await until(() => show().then(Boolean, () => false), SECONDS);
  await requests.resetCounters({ keyId: key.id }, AS_DANA);
  const inactive = { agencyId, email: 'ben@a.example', status: BrokerStatus.INACTIVE };
  await admin.setBrokerStatus(inactive, AS_DANA);
  await admin.revokeKey({ keyId: key.id }, AS_DANA);
  assert.equal((await gateway.ask('GET', '/v1/whoami', { key: key.secret })).status, 401);
  const service = made.openAsService();
  await assertCannotChangeSchema(service, ['agencies', 'api_keys', 'idempotency_keys', 'requests', 'audit_log']);
  await assert.rejects(service.write('DELETE FROM api_keys', []), /permission denied/);
});

test('under that role idempotency keys are claimed, finished, lost and removed with the requests when they are old', async (t) => {
  const made = await makeRoles(t);
  await migrateFor(t, path.join(import.meta.dirname, 'migrate.ts'), made);
  const [owner, service] = [made.openAsOwner(), made.openAsService()];
  await setTime(owner, START);
  const store = postgresIdempotencyStore(service, createSeal([SECRET]));
  const [finished, lost, released] = ['f', 'l', 'r'].map((key) => attempt({ key }));
  assert.ok(finished && lost && released);
  for (const each of [finished, lost, released]) await store.claim(each);
  assert.equal(await store.finish(finished, CREATED), true);
  await store.markLost(lost);
  assert.equal(await store.release(released), true);
  await setTime(owner, MUCH_LATER);
  assert.equal(await store.removeExpired(), 2);
  await postgresRequestStore(service, { keptDays: 30 }).removeExpired();
});
