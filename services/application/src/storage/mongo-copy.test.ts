import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { systemClock } from '@pfq/kit/clock';
import { withMongo } from '@pfq/kit/mongo';
import { BSON } from 'mongodb';
import { makeMongo, WITHOUT_MONGO } from '../../../../tests/support/mongo.ts';
import { incoming, newAgencyId, newApplication } from '../samples.test-support.ts';
import { restoreCopy, writeCopy } from './mongo-copy.ts';
import { createApplicationIndexes, mongoApplicationStore } from './mongo.ts';

/** More than is inserted at once. */
const COUNT = 1_100;

function makeFile(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfq-copy-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return path.join(folder, 'application.gz');
}

/** A database with applications and the changes that were made to them. */
async function makeFilled(t: TestContext) {
  const made = await makeMongo(t);
  await withMongo(made.url, createApplicationIndexes);
  const store = mongoApplicationStore(made.open(), systemClock);
  const agencyId = newAgencyId();
  const applications = Array.from({ length: COUNT }, () => newApplication({ metadata: [{ name: 'zoë', value: '✓' }] }));
  await store.upsert(incoming(agencyId, ...applications), 'dana');
  return made;
}

/** Every document with the exact types of its members, and the indexes. */
function contentOf(url: string): Promise<readonly string[]> {
  return withMongo(url, async (db) => {
    const documents = await db.collection('applications').find({}, { promoteValues: false }).sort({ _id: 1 }).toArray();
    const indexes = await db.collection('applications').indexes();
    return [...documents, ...indexes.map(({ key, name }) => ({ key, name }))].map((one) =>
      BSON.EJSON.stringify(one, { relaxed: false }),
    );
  });
}

describe('a copy of a MongoDB database', { skip: WITHOUT_MONGO }, () => {
  test('gives an empty database the same documents and indexes', async (t) => {
    const [filled, empty] = [await makeFilled(t), await makeMongo(t)];
    const file = makeFile(t);
    assert.equal(await writeCopy(filled.url, file), COUNT);
    assert.equal(await restoreCopy(empty.url, file), COUNT);
    assert.deepEqual(await contentOf(empty.url), await contentOf(filled.url));
  });

  test('is not put where there is something already', async (t) => {
    const filled = await makeFilled(t);
    const file = makeFile(t);
    await writeCopy(filled.url, file);
    const before = await contentOf(filled.url);
    await assert.rejects(restoreCopy(filled.url, file), /is not empty: applications has documents/);
    assert.deepEqual(await contentOf(filled.url), before);
  });

  test('that was cut short is refused', async (t) => {
    const [filled, empty] = [await makeFilled(t), await makeMongo(t)];
    const file = makeFile(t);
    await writeCopy(filled.url, file);
    writeFileSync(file, readFileSync(file).subarray(0, -20));
    await assert.rejects(restoreCopy(empty.url, file), /unexpected end of file/);
  });
});
