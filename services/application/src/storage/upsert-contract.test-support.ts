import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@pfq/kit/ids';
import fc from 'fast-check';
import { assertUnavailable, failureOf } from '../../../../tests/support/failures.ts';
import { until } from '../../../../tests/support/until.ts';
import { anyApplication, CREATED_AT, incoming, newAgencyId, newApplication } from '../samples.test-support.ts';
import { actorsOf, idsOf, listIds, listing, listPages } from './scene.test-support.ts';
import type { MakeScene } from './scene.test-support.ts';
import type { ApplicationStore } from './store.ts';

const RECOVERY_MS = 10_000;
const AT_ONCE = 20;

/** What storing promises, whatever the engine. */
export function testUpserts(makeScene: MakeScene): void {
  test('whatever an application holds comes back unchanged', async (t) => {
    const { store } = await makeScene(t);
    await fc.assert(
      fc.asyncProperty(anyApplication, async (any) => {
        const agencyId = newAgencyId();
        const application = { ...any, id: newId('app_', Date.now()) };
        await store.upsert(incoming(agencyId, application), 'dana');
        assert.deepEqual(await listPages(store, listing(agencyId)), [application]);
      }),
      { numRuns: 100 },
    );
  });

  test('an application is created, changed, or found to be known just so, and who changed it is kept', async (t) => {
    const { store, audit } = await makeScene(t);
    const agencyId = newAgencyId();
    const [one, two] = [newApplication(), newApplication()];
    const later = { ...one, status: 'active', brokerEmail: 'ben@agency.example', pricing: null } as const;
    assert.deepEqual(await store.upsert(incoming(agencyId, one), 'dana'), { created: 1, updated: 0, unchanged: 0 });
    assert.deepEqual(await store.upsert(incoming(agencyId, one, two), 'eli'), { created: 1, updated: 0, unchanged: 1 });
    assert.deepEqual(await store.upsert(incoming(agencyId, later, two), 'mail intake'), {
      created: 0,
      updated: 1,
      unchanged: 1,
    });
    assert.deepEqual(new Set(await listPages(store, listing(agencyId))), new Set([later, two]));
    assert.deepEqual(await listIds(store, listing(agencyId, { brokerEmail: 'ben@agency.example' })), [one.id]);
    assert.deepEqual(await actorsOf({ audit }, one.id), ['dana', 'mail intake']);
    assert.deepEqual(await actorsOf({ audit }, two.id), ['eli']);
  });

  test('it is known whose the applications of ids are and when they were created, and of other ids nothing', async (t) => {
    const { store } = await makeScene(t);
    const [agencyId, other] = [newAgencyId(), newAgencyId()];
    const [one, two] = [newApplication({ createdAt: new Date(1) }), newApplication({ createdAt: new Date(2) })];
    await store.upsert([...incoming(agencyId, one), ...incoming(other, two)], 'dana');
    const known = await store.findKnown([two.id, newId('app_', Date.now()), one.id]);
    assert.deepEqual(
      new Set(known),
      new Set([
        { id: one.id, agencyId, createdAt: new Date(1) },
        { id: two.id, agencyId: other, createdAt: new Date(2) },
      ]),
    );
    assert.deepEqual(await store.findKnown([]), []);
  });

  const later = new Date(CREATED_AT.getTime() + 1);
  for (const [what, agencyChange, createdAt] of [
    ['of another agency', newAgencyId(), CREATED_AT],
    ['with another time of creation', null, later],
  ] as const) {
    test(`an id that is known ${what} is refused, and nothing that came with it is stored`, async (t) => {
      const { store, audit } = await makeScene(t);
      const agencyId = newAgencyId();
      const application = newApplication();
      const company = newApplication();
      await store.upsert(incoming(agencyId, application), 'dana');
      const late = incoming(agencyChange ?? agencyId, company, { ...application, createdAt });
      assert.equal(await store.upsert(late, 'eve'), null);
      assert.deepEqual(await listPages(store, listing(agencyId)), [application]);
      assert.deepEqual(await store.findKnown([company.id]), []);
      assert.deepEqual(await actorsOf({ audit }, application.id), ['dana']);
    });
  }

  test('an id that two agencies bring in at once belongs to one of them, with all that this one said', async (t) => {
    const { store, other } = await makeScene(t);
    for (let round = 1; round <= AT_ONCE; round += 1) {
      const id = newId('app_', Date.now());
      const sides = [store, other].map((at, index) => ({
        at,
        agencyId: newAgencyId(),
        application: newApplication({ id, portalUrl: `https://portal.example/${index}` }),
      }));
      const counts = await Promise.all(
        sides.map(({ at, agencyId, application }) => at.upsert(incoming(agencyId, application), 'dana')),
      );
      assert.deepEqual(counts.filter((one) => one !== null).length, 1);
      for (const [index, { agencyId, application }] of sides.entries()) {
        const expected = counts[index] === null ? [] : [application];
        assert.deepEqual(await listPages(store, listing(agencyId)), expected);
      }
    }
  });

  test('an application that many calls bring in at once is there once, as one of them said', async (t) => {
    const { store, other } = await makeScene(t);
    const agencyId = newAgencyId();
    const id = newId('app_', Date.now());
    const versions = Array.from({ length: AT_ONCE }, (_, index) =>
      newApplication({ id, portalUrl: `https://portal.example/${index}` }),
    );
    const calls = versions.map((version, index) =>
      upsertAtLast(index % 2 === 0 ? store : other, incoming(agencyId, version)),
    );
    const counts = await Promise.all(calls);
    assert.ok(counts.reduce((sum, { created }) => sum + created, 0) >= 1);
    const [stored, ...more] = await listPages(store, listing(agencyId));
    assert.deepEqual(more, []);
    assert.ok(versions.some(({ portalUrl }) => portalUrl === stored?.portalUrl));
  });

  test('calls with many applications in common, in opposite order, all succeed', async (t) => {
    const { store, other } = await makeScene(t);
    const agencyId = newAgencyId();
    const applications = Array.from({ length: 100 }, () => newApplication());
    const version = (status: 'active' | 'canceled') => applications.map((one) => ({ ...one, status }));
    const calls = Array.from({ length: 3 }, () => [
      upsertAtLast(store, incoming(agencyId, ...version('active'))),
      upsertAtLast(other, incoming(agencyId, ...version('canceled').toReversed())),
    ]);
    await Promise.all(calls.flat());
    assert.deepEqual(new Set(await listIds(store, listing(agencyId))), new Set(idsOf(applications)));
  });

  test('while the database is away nothing is stored or shown for certain, and afterwards the store goes on', async (t) => {
    const { store, refuseConnections, acceptConnections } = await makeScene(t);
    const agencyId = newAgencyId();
    const application = newApplication();
    await store.findKnown([]);
    await refuseConnections();
    assertUnavailable(await failureOf(store.list(listing(agencyId))));
    assertUnavailable(await failureOf(store.findKnown([application.id])));
    assertUnavailable(await failureOf(store.upsert(incoming(agencyId, application), 'dana')));
    await acceptConnections();
    await until(() => isThere(store), RECOVERY_MS);
    assert.deepEqual(await listIds(store, listing(agencyId)), []);
    await store.upsert(incoming(agencyId, application), 'dana');
    assert.deepEqual(await listIds(store, listing(agencyId)), [application.id]);
  });
}

/** Asks again where an id was taken meanwhile, as those who bring in applications do. */
async function upsertAtLast(store: ApplicationStore, applications: ReturnType<typeof incoming>) {
  const counts = (await store.upsert(applications, 'dana')) ?? (await store.upsert(applications, 'dana'));
  assert.ok(counts !== null, 'the second time nothing stands against it');
  return counts;
}

async function isThere(store: ApplicationStore): Promise<boolean> {
  return store.findKnown([]).then(
    () => true,
    () => false,
  );
}
