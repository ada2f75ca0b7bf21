import assert from 'node:assert/strict';
import { test } from 'node:test';
import { incoming, newAgencyId, newApplication } from '../samples.test-support.ts';
import { listing, listPages } from './scene.test-support.ts';
import type { MakeScene } from './scene.test-support.ts';
import type { ApplicationStore } from './store.ts';

/** That nobody sees or changes what is another's, whatever the engine. */
export function testTenancy(makeScene: MakeScene): void {
  test('no operation shows an application to another agency, in test mode or to another broker, or changes it', async (t) => {
    const { store } = await makeScene(t);
    const [owner, stranger] = [newAgencyId(), newAgencyId()];
    const application = newApplication({ brokerEmail: 'ana@agency.example', clientReferenceId: 'deal 1' });
    await store.upsert(incoming(owner, application), 'dana');
    // `findKnown` is for those who bring applications in, by id alone; every other operation must be here.
    const looks: Omit<Record<keyof ApplicationStore, () => Promise<void>>, 'findKnown'> = {
      async list() {
        const strangers = [
          listing(stranger),
          listing(stranger, { brokerEmail: 'ana@agency.example', clientReferenceId: 'deal 1' }),
          listing(owner, { tenant: { agencyId: owner, mode: 'test' } }),
          listing(owner, { brokerEmail: 'ben@agency.example' }),
          listing('', { clientReferenceId: 'deal 1' }),
        ];
        for (const asked of strangers) assert.deepEqual(await store.list(asked), { applications: [], hasMore: false });
      },
      async upsert() {
        const theirs = { ...application, brokerEmail: 'eve@stranger.example' };
        assert.equal(await store.upsert(incoming(stranger, theirs), 'eve'), null);
      },
    };
    for (const look of Object.values(looks)) await look();
    assert.deepEqual(await listPages(store, listing(stranger)), []);
    assert.deepEqual(await listPages(store, listing(owner, { brokerEmail: 'ana@agency.example' })), [application]);
  });
}
