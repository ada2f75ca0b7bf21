import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { makeDatabase } from '../../../tests/support/database.ts';
import { assertUnavailable, failureOf } from '../../../tests/support/failures.ts';
import { until } from '../../../tests/support/until.ts';
import { openDatabase } from './postgres.ts';
import { recordTelemetry } from './telemetry/recording.test-support.ts';

const telemetry = recordTelemetry();
const SECONDS = 3_000;
const CLOSE_MS = 2_000;

test('a pool tells how many connections it has, may have and is asked for, until it is closed', async (t) => {
  const { url } = await makeDatabase(t);
  const pool = openDatabase(url, pino({ level: 'silent' }), { poolSize: 1 });
  const gate = Promise.withResolvers<void>();
  const busy = pool.transaction(async () => gate.promise);
  const waiting = pool.read('SELECT 1 AS one', []);
  const read = async (name: 'count' | 'limit' | 'pending_requests') =>
    (await telemetry.readings(`db.client.connection.${name}`)).map(({ value, attributes }) => [
      value,
      ...Object.values(attributes),
    ]);
  await until(async () => (await read('pending_requests'))[0]?.[0] === 1, SECONDS);
  assert.deepEqual(await read('limit'), [[1, 'requests']]);
  assert.deepEqual(await read('count'), [
    [0, 'requests', 'idle'],
    [1, 'requests', 'used'],
  ]);
  gate.resolve();
  await Promise.all([busy, waiting]);
  assert.deepEqual(await read('count'), [
    [1, 'requests', 'idle'],
    [0, 'requests', 'used'],
  ]);
  await pool.close();
  assert.deepEqual(await read('limit'), []);
});

test('closing waits two seconds for work under way, then drops its connection', async (t) => {
  const { url } = await makeDatabase(t);
  const pool = openDatabase(url, pino({ level: 'silent' }), { poolSize: 1 });
  const working = failureOf(pool.read('SELECT pg_sleep(60)', []));
  await until(async () => (await telemetry.readings('db.client.connection.count'))[1]?.value === 1, SECONDS);
  const startedMs = performance.now();
  await pool.close();
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs >= CLOSE_MS - 10 && tookMs < CLOSE_MS + 1_000, `${tookMs}`);
  assertUnavailable(await working);
});

test('a connection to a server that takes no writes any more is given up, so that the next finds the one that does', async (t) => {
  const { url, name, open } = await makeDatabase(t);
  const pool = openDatabase(url, pino({ level: 'silent' }), { poolSize: 1 });
  t.after(() => pool.close());
  const owner = open();
  await owner.write('CREATE TABLE notes (id integer)', []);
  await owner.write(`ALTER DATABASE ${name} SET default_transaction_read_only = on`, []);
  const insert = () => pool.write('INSERT INTO notes (id) VALUES (1) RETURNING id', []);
  await assert.rejects(insert(), { code: 'SERVICE_UNAVAILABLE' });
  await owner.write(`ALTER DATABASE ${name} RESET default_transaction_read_only`, []);
  assert.deepEqual(await insert(), [{ id: 1 }]);
});
