import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@pfq/kit/ids';
import fc from 'fast-check';
import { CREATED_AT, incoming, newAgencyId, newApplication } from '../samples.test-support.ts';
import { idsOf, listIds, listing, listPages, newestFirst } from './scene.test-support.ts';
import type { MakeScene } from './scene.test-support.ts';

const TIED = Array.from({ length: 7 }, () => CREATED_AT);

/** What a list promises, whatever the engine. */
export function testListings(makeScene: MakeScene): void {
  test('applications are listed newest first, and those of one instant by their ids byte by byte', async (t) => {
    const { store } = await makeScene(t);
    const agencyId = newAgencyId();
    const ids = ['Zz', 'zA', '0z', 'az', 'aA', 'A9', 'aa'].map((start) => `app_${start}${'0'.repeat(20)}`);
    const tied = ids.map((id) => newApplication({ id }));
    const newer = newApplication({ id: `app_${'0'.repeat(22)}`, createdAt: new Date(CREATED_AT.getTime() + 1) });
    const older = newApplication({ id: `app_${'z'.repeat(22)}`, createdAt: new Date(CREATED_AT.getTime() - 1) });
    await store.upsert(incoming(agencyId, older, ...tied, newer), 'dana');
    const expected = [newer.id, ...ids.toSorted().toReversed(), older.id];
    assert.deepEqual(await listIds(store, listing(agencyId)), expected);
    assert.deepEqual(await listIds(store, listing(agencyId, { limit: 2 })), expected);
  });

  test('paging through any applications by any limit shows every visible one exactly once, in order', async (t) => {
    const { store } = await makeScene(t);
    const set = fc.array(
      fc.record({ instant: fc.nat({ max: 3 }), broker: fc.constantFrom('ana@a.example', 'ben@a.example') }),
      { maxLength: 25 },
    );
    const asking = fc.record({
      limit: fc.integer({ min: 1, max: 30 }),
      brokerEmail: fc.constantFrom(undefined, 'ana@a.example'),
    });
    await fc.assert(
      fc.asyncProperty(set, asking, async (given, { limit, brokerEmail }) => {
        const agencyId = newAgencyId();
        const applications = given.map(({ instant, broker }) =>
          newApplication({ createdAt: new Date(CREATED_AT.getTime() + instant), brokerEmail: broker }),
        );
        if (applications.length > 0) await store.upsert(incoming(agencyId, ...applications), 'dana');
        const visible = applications.filter((one) => brokerEmail === undefined || one.brokerEmail === brokerEmail);
        assert.deepEqual(await listPages(store, listing(agencyId, { limit, brokerEmail })), newestFirst(visible));
      }),
      { numRuns: 60 },
    );
  });

  test('whatever is added while a list is paged through, all that was there is shown exactly once', async (t) => {
    const { store, other } = await makeScene(t);
    const agencyId = newAgencyId();
    const before = Array.from({ length: 40 }, (_, index) =>
      newApplication({ createdAt: new Date(CREATED_AT.getTime() + (index % 4)) }),
    );
    await store.upsert(incoming(agencyId, ...before), 'dana');
    const add = (instant: number) =>
      other.upsert(
        incoming(agencyId, newApplication({ createdAt: new Date(CREATED_AT.getTime() + instant) })),
        'mail intake',
      );
    const adding: Promise<unknown>[] = [];
    const addAround = async () => void adding.push(...[-1, 0, 1, 2, 3, 4].map(add));
    const found = await listPages(store, listing(agencyId, { limit: 3 }), addAround);
    await Promise.all(adding);
    assert.ok(adding.length >= 60);
    assert.deepEqual(found, newestFirst(found));
    assert.equal(new Set(idsOf(found)).size, found.length);
    const known = new Set(idsOf(before));
    assert.deepEqual(
      found.filter(({ id }) => known.has(id)),
      newestFirst(before),
    );
  });

  test('a page is full whenever another one follows, and says so', async (t) => {
    const { store } = await makeScene(t);
    const agencyId = newAgencyId();
    await store.upsert(incoming(agencyId, ...TIED.map((createdAt) => newApplication({ createdAt }))), 'dana');
    const sizes = [1, 6, 7, 8].map(async (limit) => {
      const page = await store.list(listing(agencyId, { limit }));
      return [page?.applications.length, page?.hasMore];
    });
    assert.deepEqual(await Promise.all(sizes), [
      [1, true],
      [6, true],
      [7, false],
      [7, false],
    ]);
  });

  test('a broker is found by the address in any case, and sees nothing of the others', async (t) => {
    const { store } = await makeScene(t);
    const agencyId = newAgencyId();
    const mine = newApplication({ brokerEmail: 'Ana@Agency.EXAMPLE' });
    const theirs = newApplication({ brokerEmail: 'ana@agency.example.org' });
    await store.upsert(incoming(agencyId, mine, theirs), 'dana');
    for (const brokerEmail of ['ana@agency.example', 'ANA@AGENCY.EXAMPLE']) {
      const page = await store.list(listing(agencyId, { brokerEmail }));
      assert.deepEqual(page?.applications, [mine]);
    }
    assert.deepEqual(await listIds(store, listing(agencyId, { brokerEmail: '' })), []);
  });

  test("only what carries exactly the caller's own id is listed for it", async (t) => {
    const { store } = await makeScene(t);
    const agencyId = newAgencyId();
    const references = ['deal 1', 'deal 1 ', 'Deal 1', '', null, 'deal 1'];
    const applications = references.map((clientReferenceId) => newApplication({ clientReferenceId }));
    await store.upsert(incoming(agencyId, ...applications), 'dana');
    for (const clientReferenceId of ['deal 1', '', 'deal 2']) {
      const carrying = applications.filter((one) => one.clientReferenceId === clientReferenceId);
      const asked = listing(agencyId, { clientReferenceId, limit: 1 });
      assert.deepEqual(await listPages(store, asked), newestFirst(carrying), clientReferenceId);
    }
  });

  test('a page can start after any application that is visible, even one that the page would not show', async (t) => {
    const { store } = await makeScene(t);
    const agencyId = newAgencyId();
    const older = newApplication({ clientReferenceId: 'deal 1', createdAt: new Date(1) });
    const newer = newApplication({ clientReferenceId: 'deal 1', createdAt: new Date(3) });
    const between = newApplication({ createdAt: new Date(2) });
    await store.upsert(incoming(agencyId, older, newer, between), 'dana');
    const asked = listing(agencyId, { clientReferenceId: 'deal 1', startingAfter: between.id });
    assert.deepEqual(await store.list(asked), { applications: [older], hasMore: false });
    const last = listing(agencyId, { startingAfter: older.id });
    assert.deepEqual(await store.list(last), { applications: [], hasMore: false });
  });

  test('a page cannot start after what is not there or not visible', async (t) => {
    const { store } = await makeScene(t);
    const [agencyId, stranger] = [newAgencyId(), newAgencyId()];
    const application = newApplication({ brokerEmail: 'ana@agency.example' });
    await store.upsert(incoming(agencyId, application), 'dana');
    await store.upsert(incoming(stranger, newApplication()), 'dana');
    const startingAfter = application.id;
    const strange = {
      'an unknown id': listing(agencyId, { startingAfter: newId('app_', Date.now()) }),
      'one of another agency': listing(stranger, { startingAfter }),
      'one of another broker': listing(agencyId, { startingAfter, brokerEmail: 'ben@agency.example' }),
      'any, in test mode': listing(agencyId, { startingAfter, tenant: { agencyId, mode: 'test' } }),
    };
    for (const [what, asked] of Object.entries(strange)) assert.equal(await store.list(asked), null, what);
    const asked = listing(agencyId, { startingAfter, brokerEmail: 'ANA@agency.example' });
    assert.deepEqual(await store.list(asked), { applications: [], hasMore: false });
  });
}
