import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { systemClock } from '@pfq/kit/clock';
import { gunzipSync, gzipSync } from 'node:zlib';
import { withMongo } from '@pfq/kit/mongo';
import { BSON } from 'mongodb';
import { makeMongo, WITHOUT_MONGO } from '../../../../tests/support/mongo.ts';
import { incoming, newAgencyId, newApplication } from '../samples.test-support.ts';
import { restoreCopy, writeCopy } from './mongo-copy.ts';
import { createApplicationIndexes, mongoApplicationStore } from './mongo.ts';

/** More than is inserted at once. */
const MANY = 600;
const FEW = 5;

function makeFile(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfq-copy-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return path.join(folder, 'application.gz');
}

/** A database with applications and the changes that were made to them. */
async function makeFilled(t: TestContext, count = FEW) {
  const made = await makeMongo(t);
  await withMongo(made.url, createApplicationIndexes);
  const store = mongoApplicationStore(made.open(), systemClock);
  const agencyId = newAgencyId();
  const applications = Array.from({ length: count }, () => newApplication({ metadata: [{ name: 'zoë', value: '✓' }] }));
  if (count > 0) await store.upsert(incoming(agencyId, ...applications), 'dana');
  // As other programs may write them: whole numbers that are no 32-bit integers.
  const numbers = {
    double: new BSON.Double(1),
    long: BSON.Long.fromNumber(5),
    decimal: BSON.Decimal128.fromString('1.00'),
  };
  await withMongo(made.url, (db) => db.collection('notes').insertOne(numbers));
  return made;
}

function withLines(copy: Buffer, change: (lines: string[]) => readonly string[]): Buffer {
  const lines = gunzipSync(copy).toString().trimEnd().split('\n');
  return gzipSync(`${change(lines).join('\n')}\n`);
}

/** Every document with the exact types of its members, and the indexes. */
function contentOf(url: string): Promise<readonly string[]> {
  return withMongo(url, async (db) => {
    const read = (name: string) => db.collection(name).find({}, { promoteValues: false }).sort({ _id: 1 }).toArray();
    const documents = [...(await read('applications')), ...(await read('notes'))];
    const indexes = await db.collection('applications').indexes();
    return [...documents, ...indexes.map(({ key, name }) => ({ key, name }))].map((one) =>
      BSON.EJSON.stringify(one, { relaxed: false }),
    );
  });
}

describe('a copy of a MongoDB database', { skip: WITHOUT_MONGO }, () => {
  for (const count of [0, FEW, MANY]) {
    test(`gives an empty database the same documents and indexes: ${count} applications`, async (t) => {
      const [filled, empty] = [await makeFilled(t, count), await makeMongo(t)];
      const file = makeFile(t);
      assert.equal(await writeCopy(filled.url, file), count + 1);
      assert.equal(await restoreCopy(empty.url, file), count + 1);
      assert.deepEqual(await contentOf(empty.url), await contentOf(filled.url));
    });
  }

  test('is not put where there is something already', async (t) => {
    const filled = await makeFilled(t);
    const file = makeFile(t);
    await writeCopy(filled.url, file);
    const before = await contentOf(filled.url);
    await assert.rejects(restoreCopy(filled.url, file), /is not empty: applications has documents/);
    assert.deepEqual(await contentOf(filled.url), before);
  });

  for (const [what, change, words] of [
    ['cut short', (copy: Buffer) => copy.subarray(0, -20), /unexpected end of file/],
    ['cut at the end of a line', (copy: Buffer) => withLines(copy, (lines) => lines.slice(0, 3)), /is cut off/],
    [
      'robbed of a line',
      (copy: Buffer) => withLines(copy, (lines) => lines.toSpliced(3, 1)),
      /it has 5 of 6 documents/,
    ],
  ] as const) {
    test(`that was ${what} is refused before anything is written`, async (t) => {
      const [filled, empty] = [await makeFilled(t), await makeMongo(t)];
      const file = makeFile(t);
      await writeCopy(filled.url, file);
      writeFileSync(file, change(readFileSync(file)));
      await assert.rejects(restoreCopy(empty.url, file), words);
      assert.deepEqual(await withMongo(empty.url, (db) => db.listCollections().toArray()), []);
    });
  }

  test('is not made of a database without applications, as one whose name is misspelt', async (t) => {
    const { url } = await makeMongo(t);
    await assert.rejects(writeCopy(url, makeFile(t)), /has no collection applications$/);
  });
});
