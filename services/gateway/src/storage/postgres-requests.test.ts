import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { withConnection } from '@pfq/kit/postgres';
import { keptRequest, SENDER } from '../kept-request.test-support.ts';
import { openPostgres, START } from './idempotency-scene.test-support.ts';
import { postgresRequestStore } from './postgres-requests.ts';

const NOON = new Date(START);
const DAY_MS = 86_400_000;
const COUNT = 'SELECT count(*)::integer AS count FROM requests';

async function openStore(t: TestContext) {
  const scene = await openPostgres(t);
  const [store, other] = [scene.database, scene.open()].map((database) =>
    postgresRequestStore(database, { keptDays: 30 }),
  );
  assert.ok(store && other);
  const count = async () => (await scene.database.read<{ count: number }>(COUNT, []))[0]?.count;
  return { ...scene, store, other, count };
}

test('a request is found as it was kept, with all that may be absent and without', async (t) => {
  const { store } = await openStore(t);
  const full = keptRequest(new Date('2026-11-20T12:00:00.123Z'), {
    errorCode: 'QUOTE_EXPIRED',
    hasIdempotencyKey: true,
    replayOf: 'req_first',
    traceId: 'a'.repeat(32),
    path: '/v1/…',
  });
  const bare = keptRequest(NOON, { sender: null, quoteId: null, status: 0 });
  await store.keep([full, bare]);
  assert.deepEqual(await store.find(full.requestId), { request: full, replays: [] });
  assert.deepEqual(await store.find(bare.requestId), { request: bare, replays: [] });
  assert.equal(await store.find(keptRequest(NOON).requestId), null);
});

test('keeping a batch again changes nothing, so one whose fate is not known can be repeated', async (t) => {
  const { store, count } = await openStore(t);
  const [first, second] = [keptRequest(NOON), keptRequest(NOON)];
  await store.keep([first]);
  await store.keep([{ ...first, status: 500 }, second]);
  assert.equal(await count(), 2);
  assert.equal((await store.find(first.requestId))?.request.status, 201);
});

test('a request lists its replays, oldest first and 100 at most, and none of another agency or mode', async (t) => {
  const { store } = await openStore(t);
  const first = keptRequest(NOON);
  const replays = Array.from({ length: 120 }, (_, index) =>
    keptRequest(new Date(NOON.getTime() + index), { replayOf: first.requestId }),
  );
  const strangers = [{ agencyId: 'agy_2' }, { mode: 'live' as const }].map((change) =>
    keptRequest(NOON, { replayOf: first.requestId, sender: { ...SENDER, ...change } }),
  );
  await store.keep([first, ...replays.toReversed(), ...strangers]);
  const found = await store.find(first.requestId);
  assert.deepEqual(
    found?.replays,
    replays.slice(0, 100).map(({ requestId, receivedAt }) => ({ requestId, receivedAt })),
  );
});

test('requests are kept for 30 days of the database, to the moment', async (t) => {
  const { store, setTime, count } = await openStore(t);
  const [older, old, young] = [-1, 0, 1].map((ms) => keptRequest(new Date(NOON.getTime() + ms)));
  assert.ok(older && old && young);
  await store.keep([older, old, young]);
  await setTime(new Date(NOON.getTime() + 30 * DAY_MS).toISOString());
  assert.equal(await store.removeExpired(), 1);
  assert.equal(await store.removeExpired(), 0);
  assert.equal(await store.find(older.requestId), null);
  await setTime(new Date(NOON.getTime() + 30 * DAY_MS + 1).toISOString());
  assert.equal(await store.removeExpired(), 1);
  assert.equal(await count(), 1);
});

test('requests are removed in batches, and two gateways that do it never wait for each other', async (t) => {
  const { store, other, setTime, count } = await openStore(t);
  await store.keep(Array.from({ length: 3_300 }, (_, index) => keptRequest(new Date(NOON.getTime() + index))));
  await setTime(new Date(NOON.getTime() + 31 * DAY_MS).toISOString());
  const batches = await Promise.all([store, other, store, other].map((each) => each.removeExpired()));
  assert.ok(
    batches.every((removed) => removed <= 1_000),
    batches.join(),
  );
  const removed = batches.reduce((sum, number) => sum + number);
  assert.equal(await count(), 3_300 - removed);
  while ((await store.removeExpired()) > 0);
  assert.equal(await count(), 0);
});

test('two gateways that keep requests at the same time lose none', async (t) => {
  const { store, other, count } = await openStore(t);
  const batches = Array.from({ length: 20 }, () => Array.from({ length: 50 }, () => keptRequest(NOON)));
  const shared = Array.from({ length: 50 }, () => keptRequest(NOON));
  await Promise.all(batches.map((batch, index) => (index % 2 === 0 ? store : other).keep([...batch, ...shared])));
  assert.equal(await count(), 1_050);
});

/** Writes down, as a transaction commits, whether its commit waits for the disk. */
const NOTE_COMMITS = `
  DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$;
  CREATE TABLE commits (changed text, waits text);
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN INSERT INTO commits SELECT TG_TABLE_NAME, current_setting('synchronous_commit'); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER note AFTER INSERT ON requests DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION note();
  CREATE CONSTRAINT TRIGGER note AFTER INSERT ON idempotency_keys DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION note()`;

test('keeping requests commits without waiting for the disk: on the same connection, every other change waits', async (t) => {
  const { url, open } = await openPostgres(t);
  await withConnection(url, (client) => client.query(NOTE_COMMITS));
  const database = open();
  await postgresRequestStore(database, { keptDays: 30 }).keep([keptRequest(NOON)]);
  await database.write(
    `INSERT INTO idempotency_keys (agency_id, mode, key, owner, method, path, body_hash, broker_id, write_id, claimed_at, state)
     VALUES ('agy_1', 'test', 'k', gen_random_uuid(), 'POST', '/', $1, 'brk_1', 'w', pfq_now(), 'claimed')`,
    [Buffer.alloc(32)],
  );
  assert.deepEqual(await database.read('SELECT changed, waits FROM commits ORDER BY changed', []), [
    { changed: 'idempotency_keys', waits: 'on' },
    { changed: 'requests', waits: 'off' },
  ]);
});
