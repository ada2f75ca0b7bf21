import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDatabase } from '../../../tests/support/database.ts';
import { AS_DANA, startWholeGateway } from './whole-gateway.test-support.ts';

test('replicas that start at once bring one database up to date, and both serve', async (t) => {
  const { url } = await makeDatabase(t);
  const replicas = await Promise.all([1, 2, 3].map(() => startWholeGateway(t, { databaseUrl: url })));
  for (const { admin } of replicas) assert.deepEqual((await admin.listAgencies({}, AS_DANA)).agencies, []);
});
