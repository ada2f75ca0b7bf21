import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeal } from '@pfq/kit/seal';
import { until } from '../../../../tests/support/until.ts';
import { attempt, CREATED, openPostgres, SECRET } from './idempotency-scene.test-support.ts';
import { postgresIdempotencyStore } from './postgres-idempotency.ts';

const SECONDS = 5_000;

test('the stored body shows nothing of the hosted link, and opens under an older secret', async (t) => {
  const { store, database } = await openPostgres(t);
  const holder = attempt();
  await store.claim(holder);
  await store.finish(holder, CREATED);
  const [row] = await database.read<{ sealed_body: Buffer }>('SELECT sealed_body FROM idempotency_keys', []);
  assert.ok(row && !row.sealed_body.includes('pay.example') && !row.sealed_body.includes('a-token'));
  const rotated = postgresIdempotencyStore(database, createSeal(['another secret that is long enough', SECRET]));
  const { progress } = (await rotated.claim(attempt())).record;
  assert.ok(progress.state === 'finished');
  assert.deepEqual(progress.answer(), CREATED);
});

test('a key that the release before claimed is replayed, and names no request', async (t) => {
  const { store, database } = await openPostgres(t);
  const holder = attempt();
  await database.write(
    `INSERT INTO idempotency_keys (agency_id, mode, key, owner, method, path, body_hash, broker_id, write_id, claimed_at, state)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, pfq_now(), 'claimed')`,
    [
      holder.agencyId,
      holder.mode,
      holder.key,
      holder.owner,
      holder.method,
      holder.path,
      holder.bodyHash,
      holder.brokerId,
      holder.writeId,
    ],
  );
  await store.finish(holder, CREATED);
  const { requestId, progress } = (await store.claim(attempt())).record;
  assert.ok(progress.state === 'finished');
  assert.deepEqual([requestId, progress.answer()], [null, CREATED]);
});

test('a row that the release before takes over after a day, or whose owner changed in any way, names no request', async (t) => {
  const { store, database } = await openPostgres(t);
  const first = attempt();
  assert.equal((await store.claim(first)).record.requestId, first.requestId);
  const taker = attempt();
  await database.write(
    "UPDATE idempotency_keys SET owner = $1, write_id = $2, claimed_at = pfq_now(), state = 'claimed'",
    [taker.owner, taker.writeId],
  );
  await store.finish(taker, CREATED);
  for (const repetition of [attempt(), attempt()]) {
    const { owner, requestId } = (await store.claim(repetition)).record;
    assert.deepEqual([owner, requestId], [taker.owner, null]);
  }
});

test('a body does not open in the row of another agency, mode, key or owner, nor under another secret', async (t) => {
  const { store, database } = await openPostgres(t);
  const holder = attempt();
  await store.claim(holder);
  await store.finish(holder, CREATED);
  const moves = ["agency_id = 'agy_2'", "mode = 'live'", "key = 'l'", 'owner = gen_random_uuid()'];
  for (const move of moves) {
    const [row] = await database.write<{ agency_id: string; mode: 'test' | 'live'; key: string }>(
      `UPDATE idempotency_keys SET ${move} RETURNING agency_id, mode, key`,
      [],
    );
    assert.ok(row);
    const place = { agencyId: row.agency_id, mode: row.mode, key: row.key };
    const { progress } = (await store.claim(attempt(place))).record;
    assert.ok(progress.state === 'finished');
    assert.throws(() => progress.answer(), /changed or moved/, move);
    await database.write(`UPDATE idempotency_keys SET agency_id = $1, mode = $2, key = $3, owner = $4`, [
      holder.agencyId,
      holder.mode,
      holder.key,
      holder.owner,
    ]);
  }
  const stranger = postgresIdempotencyStore(database, createSeal(['a secret that never sealed anything']));
  const { progress } = (await stranger.claim(attempt())).record;
  assert.ok(progress.state === 'finished');
  assert.throws(() => progress.answer(), /secret is not known/);
});

test('records are removed in batches along their index, and two gateways never wait for each other', async (t) => {
  const { store, setTime: moveTo, database } = await openPostgres(t);
  await database.write(
    `INSERT INTO idempotency_keys
        (agency_id, mode, key, owner, method, path, body_hash, broker_id, write_id, claimed_at, state)
       SELECT 'agy_1', 'test', 'k' || n, gen_random_uuid(), 'POST', '/', $1, 'brk_1', 'w', pfq_now(), 'claimed'
       FROM generate_series(1, 1200) n`,
    [Buffer.alloc(32)],
  );
  await moveTo('2026-11-22T12:00:00Z');
  const held = Promise.withResolvers<void>();
  const sweeping = database.transaction(async ({ query }) => {
    await query("SELECT key FROM idempotency_keys WHERE key <= 'k1050' FOR UPDATE", []);
    await held.promise;
  });
  await until(async () => {
    const locks = await database.read("SELECT pid FROM pg_locks WHERE mode = 'RowShareLock' AND granted", []);
    return locks.length > 0;
  }, SECONDS);
  const removed: number[] = [];
  do removed.push(await store.removeExpired());
  while (removed.at(-1) !== 0);
  held.resolve();
  await sweeping;
  assert.ok(
    removed.every((count) => count <= 500),
    removed.join(),
  );
  const [left] = await database.read<{ count: number }>('SELECT count(*)::integer AS count FROM idempotency_keys', []);
  assert.equal(1_200 - removed.reduce((sum, count) => sum + count), left?.count);
  assert.ok((left?.count ?? 0) > 0, 'what the other gateway is removing is left to it');
  while ((await store.removeExpired()) > 0);
  assert.deepEqual(await database.read('SELECT key FROM idempotency_keys', []), []);
});
