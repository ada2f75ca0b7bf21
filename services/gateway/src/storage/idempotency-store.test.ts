import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Claim } from '../domain/idempotency.ts';
import { memoryIdempotencyStore } from '../memory-idempotency.test-support.ts';
import { attempt, CREATED, openPostgres, START } from './idempotency-scene.test-support.ts';
import type { Scene } from './idempotency-scene.test-support.ts';

/** Every engine keeps the same promises; the one in memory stands in for the other where requests are tested. */
const ENGINES: Readonly<Record<string, (t: TestContext) => Promise<Scene>>> = {
  PostgreSQL: openPostgres,
  memory: async () => memoryIdempotencyStore(new Date(START)),
};

async function stateOf({ store }: Scene, holder: Claim): Promise<string> {
  const { record } = await store.claim({ ...attempt(), agencyId: holder.agencyId, mode: holder.mode, key: holder.key });
  return record.owner === holder.owner ? record.progress.state : 'not held';
}

for (const [engine, open] of Object.entries(ENGINES)) {
  describe(`idempotency keys in ${engine}`, () => {
    test('a free key goes to who claims it, and everyone after gets the record of the first', async (t) => {
      const { store, setTime: moveTo } = await open(t);
      const first = attempt();
      const own = await store.claim(first);
      assert.deepEqual(own, {
        record: { ...first, claimedAt: new Date(START), progress: { state: 'claimed' } },
        now: new Date(START),
      });
      await moveTo('2026-11-20T12:01:59.999Z');
      const second = attempt({ path: '/v1/quotes/qte_1/hosted-link', brokerId: 'brk_2' });
      const { record, now } = await store.claim(second);
      assert.deepEqual(record, own.record);
      assert.deepEqual(now, new Date('2026-11-20T12:01:59.999Z'));
    });

    test('a record names the request that claimed the key, whoever asks', async (t) => {
      const { store, setTime: moveTo } = await open(t);
      const first = attempt();
      await store.claim(first);
      await store.finish(first, CREATED);
      assert.equal((await store.claim(attempt())).record.requestId, first.requestId);
      await moveTo('2026-11-21T12:00:00Z');
      const next = attempt();
      assert.equal((await store.claim(next)).record.requestId, next.requestId, 'taken over after 24 hours');
    });

    test('claiming again under the same owner finds the own claim, so an unanswered claim can be repeated', async (t) => {
      const { store } = await open(t);
      const claim = attempt();
      assert.deepEqual(await store.claim(claim), await store.claim(claim));
    });

    test('of 64 claims at once one wins, and the others are told whose the key is', async (t) => {
      const { store } = await open(t);
      const claims = Array.from({ length: 64 }, () => attempt());
      const told = await Promise.all(claims.map((claim) => store.claim(claim)));
      const winners = claims.filter(({ owner }, index) => told[index]?.record.owner === owner);
      assert.equal(winners.length, 1);
      for (const { record } of told) assert.equal(record.writeId, winners[0]?.writeId);
    });

    test('keys that differ in agency, mode or spelling are different keys', async (t) => {
      const { store } = await open(t);
      const others: readonly Partial<Claim>[] = [
        {},
        { agencyId: 'agy_2' },
        { mode: 'live' },
        { key: 'K' },
        { key: ' k' },
        { key: '%6b' },
        { key: '~'.repeat(255) },
      ];
      for (const change of others) {
        const claim = attempt(change);
        assert.equal((await store.claim(claim)).record.owner, claim.owner, JSON.stringify(change));
      }
    });

    test('a finished record gives the answer back byte for byte', async (t) => {
      const { store } = await open(t);
      for (const [index, body] of ['{"é":"\u{1F600}\\u0000"}', '', null].entries()) {
        const holder = attempt({ key: `k${index}` });
        await store.claim(holder);
        assert.equal(await store.finish(holder, { ...CREATED, body }), true);
        const { progress } = (await store.claim(attempt({ key: `k${index}` }))).record;
        assert.ok(progress.state === 'finished');
        assert.deepEqual(progress.answer(), { ...CREATED, body });
      }
    });

    test('finishing again changes nothing, so an unanswered finish can be repeated', async (t) => {
      const scene = await open(t);
      const holder = attempt();
      await scene.store.claim(holder);
      assert.equal(await scene.store.finish(holder, CREATED), true);
      assert.equal(await scene.store.finish(holder, CREATED), true);
      await scene.store.release(holder);
      await scene.store.markLost(holder);
      assert.equal(await stateOf(scene, holder), 'finished', 'neither freed nor lost');
    });

    test('once a record is lost nothing is written by its holder, who is told', async (t) => {
      const scene = await open(t);
      const holder = attempt();
      await scene.store.claim(holder);
      await scene.store.markLost(holder);
      assert.equal(await scene.store.finish(holder, CREATED), false);
      assert.equal(await scene.store.release(holder), false);
      assert.equal(await stateOf(scene, holder), 'lost');
    });

    test('a released key is free, and releasing it again is no harm', async (t) => {
      const { store } = await open(t);
      const holder = attempt();
      await store.claim(holder);
      assert.equal(await store.release(holder), true);
      const next = attempt();
      assert.equal((await store.claim(next)).record.owner, next.owner);
      assert.equal(await store.release(holder), true);
      assert.equal((await store.claim(attempt())).record.owner, next.owner, 'it has another holder');
    });

    test('whoever does not hold the key changes nothing', async (t) => {
      const scene = await open(t);
      const holder = attempt();
      await scene.store.claim(holder);
      const strangers = [
        attempt(),
        { ...holder, agencyId: 'agy_2' },
        { ...holder, mode: 'live' as const },
        { ...holder, key: 'l' },
      ];
      for (const stranger of strangers) {
        assert.equal(await scene.store.finish(stranger, CREATED), false);
        await scene.store.release(stranger);
        await scene.store.markLost(stranger);
      }
      assert.equal(await stateOf(scene, holder), 'claimed');
    });

    for (const outcome of ['claimed', 'finished', 'lost']) {
      test(`a ${outcome} record stands for 24 hours from the claim, and is taken over on the stroke`, async (t) => {
        const scene = await open(t);
        const { store, setTime: moveTo } = scene;
        const holder = attempt();
        await store.claim(holder);
        await moveTo('2026-11-20T12:05:00Z');
        if (outcome === 'finished') await store.finish(holder, CREATED);
        if (outcome === 'lost') await store.markLost(holder);
        await moveTo('2026-11-21T11:59:59.999Z');
        assert.equal(await stateOf(scene, holder), outcome);
        await moveTo('2026-11-21T12:00:00.000Z');
        const next = attempt({ path: '/v1/other', brokerId: 'brk_2', bodyHash: Buffer.alloc(32, 7) });
        const { record } = await store.claim(next);
        assert.deepEqual(record, {
          ...next,
          claimedAt: new Date('2026-11-21T12:00:00Z'),
          progress: { state: 'claimed' },
        });
        assert.equal(await store.finish(holder, CREATED), false, 'the first holder is fenced off');
        await store.release(holder);
        await store.markLost(holder);
        assert.equal(await stateOf(scene, next), 'claimed');
      });
    }

    test('of 64 claims at once on the stroke of 24 hours one takes the key over', async (t) => {
      const { store, setTime: moveTo } = await open(t);
      const first = attempt();
      await store.claim(first);
      await store.finish(first, CREATED);
      await moveTo('2026-11-21T12:00:00Z');
      const claims = Array.from({ length: 64 }, () => attempt());
      const told = await Promise.all(claims.map((claim) => store.claim(claim)));
      const owners = new Set(told.map(({ record }) => record.owner));
      assert.equal(owners.size, 1);
      assert.ok(!owners.has(first.owner));
    });

    test('of a finish and a loss at the same moment one happens, and whoever asks is told which', async (t) => {
      const scene = await open(t);
      for (let round = 0; round < 20; round += 1) {
        const holder = attempt({ key: `round ${round}` });
        await scene.store.claim(holder);
        const racing = [() => scene.store.finish(holder, CREATED), () => scene.store.markLost(holder)] as const;
        const inOrder = round % 2 === 0 ? racing : racing.toReversed();
        const told = await Promise.all(inOrder.map((act) => act()));
        const isFinished = told.includes(true);
        assert.equal(await stateOf(scene, holder), isFinished ? 'finished' : 'lost');
      }
    });

    test('only records of 24 hours are removed, whatever their state', async (t) => {
      const scene = await open(t);
      const { store, setTime: moveTo } = scene;
      const old = ['a', 'b', 'c'].map((key) => attempt({ key }));
      for (const holder of old) await store.claim(holder);
      await moveTo('2026-11-20T12:00:00.001Z');
      const young = attempt();
      await store.claim(young);
      await moveTo('2026-11-21T11:59:59.999Z');
      assert.equal(await store.removeExpired(), 0);
      await moveTo('2026-11-21T12:00:00.000Z');
      assert.equal(await store.removeExpired(), 3);
      assert.equal(await store.removeExpired(), 0);
      assert.equal(await stateOf(scene, young), 'claimed');
    });
  });
}
