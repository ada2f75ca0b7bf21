import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { after, test } from 'node:test';
import pg from 'pg';
import { OutcomeUnknownError } from './errors.ts';
import { openDatabase, withConnection } from './postgres.ts';
import type { Database, Statements } from './postgres.ts';
import { assertUnavailable, failureOf } from '../../../tests/support/failures.ts';
import { until } from '../../../tests/support/until.ts';
import { INSERT, openScene, SECONDS, SLEEP } from './postgres.test-support.ts';

const scene = await openScene();
const { url, behind, database, logger, logged, nextId, exists, untilRunning, endBackendRunning, endBackendOf } = scene;
after(() => scene.close());

const INSERT_SLOWLY = 'INSERT INTO notes (id, text) SELECT $1, $2 FROM pg_sleep(4)';

test('rows come back as objects, and a date as the day it is', async () => {
  const id = nextId();
  await database.write('INSERT INTO notes VALUES ($1, $2, $3)', [id, 'x', '2026-03-29']);
  const rows = await database.read('SELECT id, text, day FROM notes WHERE id = $1', [id]);
  assert.deepEqual(rows, [{ id, text: 'x', day: '2026-03-29' }]);
});

test('where no server listens, reads, writes and transactions are all SERVICE_UNAVAILABLE', async () => {
  const nowhere = openDatabase('postgres://u:hunter2@127.0.0.1:1/none', logger);
  for (const attempt of attemptsOn(nowhere)) assertUnavailable(await failureOf(attempt()));
  await nowhere.close();
});

test('where the server does not answer, the pool gives up after two seconds', async (t) => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const address = silent.address();
  assert.ok(address !== null && typeof address !== 'string');
  const mute = openDatabase(`postgres://u@127.0.0.1:${address.port}/none`, logger);
  assertUnavailable(await failureOf(mute.read('SELECT 1', [])));
  await mute.close();
});

test('a read whose connection is ended is SERVICE_UNAVAILABLE', async () => {
  const reading = failureOf(database.read(SLEEP, [4]));
  await endBackendRunning('pg_sleep');
  assertUnavailable(await reading);
});

test('a write whose connection is ended has an unknown outcome', async () => {
  const writing = failureOf(database.write(INSERT_SLOWLY, [nextId(), 'x']));
  await endBackendRunning('INSERT INTO notes');
  assert.ok((await writing) instanceof OutcomeUnknownError);
});

test('a broken constraint comes through as the driver throws it', async () => {
  const id = nextId();
  await database.write(INSERT, [id, 'x']);
  for (const attempt of [
    () => database.write(INSERT, [id, 'x']),
    () => database.transaction(({ query }) => query(INSERT, [id, 'x'])),
  ]) {
    const failure = await failureOf(attempt());
    assert.ok(failure instanceof pg.DatabaseError);
    assert.equal(failure.code, '23505');
    assert.equal(failure.constraint, 'notes_pkey');
  }
});

test('a statement past its time limit changed nothing and is SERVICE_UNAVAILABLE', async () => {
  const hurried = openDatabase(url, logger);
  const id = nextId();
  const writing = failureOf(hurried.write('INSERT INTO notes (id, text) SELECT $1, $2 FROM pg_sleep(5.5)', [id, 'x']));
  const working = failureOf(hurried.transaction(({ query }) => query('SELECT pg_sleep(5.4)', [])));
  assertUnavailable(await writing);
  assertUnavailable(await working);
  assert.equal(await exists(id), false);
  await hurried.close();
});

test('a table that the migrations have yet to make is SERVICE_UNAVAILABLE', async () => {
  for (const attempt of [
    () => database.read('SELECT 1 FROM not_yet', []),
    () => database.write('DELETE FROM not_yet', []),
    () => database.transaction(({ query }) => query('DELETE FROM not_yet', [])),
  ])
    assertUnavailable(await failureOf(attempt()));
});

test('no failure of any kind uses up or spoils a connection of the pool', async () => {
  const taken = nextId();
  await database.write(INSERT, [taken, 'x']);
  for (let round = 0; round < 15; round += 1) {
    await Promise.all([
      failureOf(database.write(INSERT, [taken, 'x'])),
      failureOf(database.transaction(({ query }) => query(INSERT, [taken, 'x']))),
      failureOf(database.read('SELECT 1 / $1::integer', [0])),
      failureOf(database.read('SELECT no_such_column FROM notes', [])),
      failureOf(database.transaction(endSessionAndAsk)),
    ]);
  }
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => database.read<{ index: number }>('SELECT $1::integer AS index', [index])),
  );
  assert.deepEqual(
    answers.map(([row]) => row?.index),
    Array.from({ length: 50 }, (_, index) => index),
  );
});

test('when idle connections are lost the process lives on, and the log names them without a password', async () => {
  await Promise.all(Array.from({ length: 3 }, () => database.read('SELECT 1', [])));
  logged.length = 0;
  const { rowCount } = await behind.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await until(
    () => logged.filter(({ msg }) => msg === 'an idle database connection was lost').length === rowCount,
    SECONDS,
  );
  const text = JSON.stringify(logged);
  assert.ok(!text.includes(new URL(url).password));
  assert.ok(text.length < 5_000, 'a whole connection was logged');
  assert.equal((await database.read('SELECT 1', [])).length, 1);
});

test('closing lets statements under way finish and refuses later ones', async () => {
  const closing = openDatabase(url, logger);
  const id = nextId();
  const running = closing.write('INSERT INTO notes (id, text) SELECT $1, $2 FROM pg_sleep(0.3) RETURNING id', [
    id,
    'x',
  ]);
  await untilRunning('pg_sleep');
  const closed = closing.close();
  for (const attempt of attemptsOn(closing)) assertUnavailable(await failureOf(attempt()));
  assert.deepEqual(await running, [{ id }]);
  await closed;
});

test('on a connection of one’s own a statement has the time that it is given, and the work’s failure comes through', async () => {
  const slowly = (seconds: number, limit: { answerMs?: number }) =>
    withConnection(url, (client) => client.query(SLEEP, [seconds]), limit);
  await assert.rejects(slowly(10, { answerMs: 200 }), /Query read timeout/);
  await slowly(0.5, {});
  await assert.rejects(
    withConnection(url, () => Promise.reject(new Error('no'))),
    /^Error: no$/,
  );
});

test('PostgreSQL notices within ten seconds that the other end of such a connection is gone without a word', async () => {
  const { rows } = await withConnection(url, (client) =>
    client.query("SELECT name, setting FROM pg_settings WHERE name LIKE 'tcp_keepalives%' ORDER BY name"),
  );
  const settings = rows.map(({ name, setting }) => [name, Number(setting)]);
  assert.deepEqual(settings, [
    ['tcp_keepalives_count', 3],
    ['tcp_keepalives_idle', 4],
    ['tcp_keepalives_interval', 2],
  ]);
});

function attemptsOn(target: Database): ReadonlyArray<() => Promise<unknown>> {
  return [
    () => target.read('SELECT 1', []),
    () => target.write('SELECT 1', []),
    () => target.transaction(({ query }) => query('SELECT 1', [])),
  ];
}

async function endSessionAndAsk({ query }: Statements): Promise<void> {
  await endBackendOf(query);
  await query('SELECT 1', []);
}
