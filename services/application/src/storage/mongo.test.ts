import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { systemClock } from '@pfq/kit/clock';
import { withMongo } from '@pfq/kit/mongo';
import { makeMongo, WITHOUT_MONGO } from '../../../../tests/support/mongo.ts';
import { incoming, newAgencyId, newApplication } from '../samples.test-support.ts';
import { createApplicationIndexes, mongoApplicationStore } from './mongo.ts';
import type { Scene } from './scene.test-support.ts';
import { testStoreContract } from './store-contract.test-support.ts';

type Changed = { readonly _id: string; readonly changes: readonly { readonly actor: string; readonly at: Date }[] };

async function makeScene(t: TestContext): Promise<Scene> {
  const made = await makeMongo(t);
  await withMongo(made.url, createApplicationIndexes);
  const database = made.open();
  return {
    ...made,
    store: mongoApplicationStore(database, systemClock),
    other: mongoApplicationStore(made.open(), systemClock),
    async actorsOf(id) {
      const found = await database.read((db) => db.collection<Changed>('applications').findOne({ _id: id }));
      return (found?.changes ?? []).map(({ actor }) => actor);
    },
  };
}

describe('applications in MongoDB', { skip: WITHOUT_MONGO }, () => {
  testStoreContract(makeScene);

  test('every list of an agency can be read from an index, and indexes are made once', async (t) => {
    const { url, open } = await makeMongo(t);
    for (let time = 1; time <= 2; time += 1) await withMongo(url, createApplicationIndexes);
    const indexes = await open().read((db) => db.collection('applications').indexes());
    assert.deepEqual(
      indexes.map(({ key }) => Object.keys(key)),
      [
        ['_id'],
        ['agencyId', 'mode', 'createdAt', '_id'],
        ['agencyId', 'mode', 'brokerEmailKey', 'createdAt', '_id'],
        ['agencyId', 'mode', 'clientReferenceId', 'createdAt', '_id'],
      ],
    );
  });

  test('who changed an application is kept with the time of the change', async (t) => {
    const database = (await makeMongo(t)).open();
    const store = mongoApplicationStore(database, () => Date.UTC(2026, 10, 21));
    const application = newApplication();
    await store.upsert(incoming(newAgencyId(), application), 'dana');
    const found = await database.read((db) => db.collection<Changed>('applications').findOne({ _id: application.id }));
    assert.deepEqual(found?.changes, [{ at: new Date('2026-11-21T00:00:00Z'), actor: 'dana' }]);
  });

  test('of an application that changes for ever, who made the newest hundred changes is kept', async (t) => {
    const { store, actorsOf } = await makeScene(t);
    const agencyId = newAgencyId();
    const application = newApplication();
    const actors = Array.from({ length: 103 }, (_, index) => `actor ${index}`);
    for (const actor of actors) {
      await store.upsert(incoming(agencyId, { ...application, clientReferenceId: actor }), actor);
    }
    assert.deepEqual(await actorsOf(application.id), actors.slice(3));
  });
});
