import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenableDatabase } from './database.ts';
import { databasesPreparedBy, makeDatabase } from './database.ts';

const prepared: string[] = [];
const makePrepared = databasesPreparedBy(async (url) => void prepared.push(url));

test('the database of a test is there until everything else was stopped that the test stops', async (t) => {
  const made: OpenableDatabase[] = [];
  await t.test('one', async (one) => {
    const database = await makeDatabase(one);
    made.push(database);
    one.after(async () => assert.equal((await database.open().read('SELECT 1', [])).length, 1));
  });
  await assert.rejects(async () => made[0]?.open().read('SELECT 1', []));
});

test('what is prepared for a file is prepared once, and each test gets a copy of its own', async (t) => {
  const [one, other] = await Promise.all([makePrepared(t), makePrepared(t)]);
  assert.equal(prepared.length, 1);
  assert.equal(new Set([...prepared, one.url, other.url]).size, 3);
});
