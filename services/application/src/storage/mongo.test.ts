import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { systemClock } from '@pfq/kit/clock';
import { withMongo } from '@pfq/kit/mongo';
import { makeMongo, WITHOUT_MONGO } from '../../../../tests/support/mongo.ts';
import { incoming, newAgencyId, newApplication } from '../samples.test-support.ts';
import { mongoAuditLog } from './mongo-audit.ts';
import { createApplicationIndexes, mongoApplicationStore } from './mongo.ts';
import { actorsOf, allChanges } from './scene.test-support.ts';
import type { Scene } from './scene.test-support.ts';
import { testStoreContract } from './store-contract.test-support.ts';

async function makeScene(t: TestContext): Promise<Scene> {
  const made = await makeMongo(t);
  await withMongo(made.url, createApplicationIndexes);
  const database = made.open();
  return {
    ...made,
    store: mongoApplicationStore(database, systemClock),
    other: mongoApplicationStore(made.open(), systemClock),
    audit: mongoAuditLog(database),
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
        ['changes.at'],
      ],
    );
  });

  test('a change that was kept without saying what it was is told as an update', async (t) => {
    const database = (await makeMongo(t)).open();
    const at = new Date('2026-11-20T00:00:00Z');
    const older = { _id: 'app_1', agencyId: 'agy_1', changes: [{ at, actor: 'dana' }] };
    await database.write((db) => db.collection<typeof older>('applications').insertOne(older));
    assert.deepEqual(await mongoAuditLog(database).list(allChanges()), [
      {
        id: '2026-11-20T00:00:00.000Z app_1 0',
        at,
        actor: 'dana',
        action: 'application.update',
        target: 'app_1',
        details: { agency_id: 'agy_1' },
      },
    ]);
  });

  test('changes of one application in one millisecond are told apart, the newer first', async (t) => {
    const database = (await makeMongo(t)).open();
    const at = new Date('2026-11-20T00:00:00Z');
    const changes = ['dana', 'eli', 'zoë'].map((actor) => ({ at, actor }));
    const application = { _id: 'app_1', agencyId: 'agy_1', changes };
    await database.write((db) => db.collection<typeof application>('applications').insertOne(application));
    const found = await mongoAuditLog(database).list(allChanges());
    assert.deepEqual(
      found.map(({ actor }) => actor),
      ['zoë', 'eli', 'dana'],
    );
    assert.equal(new Set(found.map(({ id }) => id)).size, changes.length);
  });

  test('of an application that changes for ever, who made the newest hundred changes is kept', async (t) => {
    const { store, audit } = await makeScene(t);
    const agencyId = newAgencyId();
    const application = newApplication();
    const actors = Array.from({ length: 103 }, (_, index) => `actor ${index}`);
    for (const actor of actors) {
      await store.upsert(incoming(agencyId, { ...application, clientReferenceId: actor }), actor);
    }
    assert.deepEqual(await actorsOf({ audit }, application.id), actors.slice(3));
  });
});
