import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import type { Db } from 'mongodb';
import { pino } from 'pino';
import { assertUnavailable, failureOf } from '../../../tests/support/failures.ts';
import { makeMongo, WITHOUT_MONGO } from '../../../tests/support/mongo.ts';
import { until } from '../../../tests/support/until.ts';
import { OutcomeUnknownError } from './errors.ts';
import { isMongoUrl, openMongo, OPERATION_LIMIT } from './mongo.ts';
import type { MongoDatabase } from './mongo.ts';

const SECONDS = 3_000;
/** More than finding a server may take, and less than it takes twice. */
const QUICKLY_MS = 3_000;

type Note = { readonly _id: number; readonly text: string };

test('where no server listens, reads and writes are SERVICE_UNAVAILABLE within two seconds', async () => {
  const nowhere = openMongo('mongodb://u:hunter2@127.0.0.1:1/none', pino({ level: 'silent' }));
  const startedMs = performance.now();
  for (const attempt of [read(nowhere), write(nowhere, 1)]) {
    const failure = await failureOf(attempt);
    assertUnavailable(failure);
    assert.ok(!String(failure).includes('hunter2'));
  }
  assert.ok(performance.now() - startedMs < QUICKLY_MS);
  await nowhere.close();
});

const FAILURES = {
  'a connection that was lost': { error: new MongoNetworkError('connection closed'), isUnknownOfWrites: true },
  'a server that is no longer the primary': { error: serverError(10_107), isUnknownOfWrites: true },
  'a server that ran out of time': { error: serverError(50), isUnknownOfWrites: true },
  'a write that too few servers have confirmed': { error: serverError(64), isUnknownOfWrites: true },
  'a refusal of our credentials': { error: withLabel(serverError(18), 'HandshakeError'), isUnknownOfWrites: false },
};
for (const [url, isOne] of [
  ['mongodb://db.example/application', true],
  ['mongodb+srv://cluster.example/application', true],
  ['mongodb+srv2://cluster.example/application', false],
  ['postgres://mongodb.example/application', false],
] as const) {
  test(`${url} is ${isOne ? 'an' : 'no'} address of MongoDB`, () => assert.equal(isMongoUrl(url), isOne));
}

describe('MongoDB behind the kit', { skip: WITHOUT_MONGO }, () => {
  test('what is written is read', async (t) => {
    const database = (await makeMongo(t)).open();
    await write(database, 1);
    assert.deepEqual(await read(database), [{ _id: 1, text: 'x' }]);
  });

  for (const [what, { error, isUnknownOfWrites }] of Object.entries(FAILURES)) {
    test(`${what} is SERVICE_UNAVAILABLE to reads and ${isUnknownOfWrites ? 'an unknown outcome' : 'the same'} to writes`, async (t) => {
      const database = (await makeMongo(t)).open();
      const fail = () => Promise.reject(error);
      assertUnavailable(await failureOf(database.read(fail)));
      const writing = await failureOf(database.write(fail));
      if (isUnknownOfWrites) assert.ok(writing instanceof OutcomeUnknownError);
      else assertUnavailable(writing);
    });
  }

  test('a broken key comes through as the driver throws it', async (t) => {
    const database = (await makeMongo(t)).open();
    await write(database, 1);
    const failure = await failureOf(write(database, 1));
    assert.ok(failure instanceof MongoServerError);
    assert.equal(failure.code, 11_000);
  });

  test('while the server is away nothing is stored for certain, and afterwards work goes on', async (t) => {
    const mongo = await makeMongo(t);
    const database = mongo.open();
    await write(database, 1);
    mongo.refuseConnections();
    assertUnavailable(await failureOf(read(database)));
    assertUnavailable(await failureOf(write(database, 2)));
    mongo.acceptConnections();
    await until(async () => (await read(database).catch(() => [])).length === 1, SECONDS);
    await write(database, 3);
    assert.deepEqual(
      (await read(database)).map(({ _id }) => _id),
      [1, 3],
    );
  });

  test('a server that was away at first is found once it is there', async (t) => {
    const mongo = await makeMongo(t);
    const database = mongo.open();
    mongo.refuseConnections();
    assertUnavailable(await failureOf(read(database)));
    assertUnavailable(await failureOf(write(database, 1)));
    mongo.acceptConnections();
    await until(async () => (await read(database).catch(() => null)) !== null, SECONDS);
    assert.deepEqual(await read(database), []);
  });

  test('an answer that does not come is waited for five seconds: reads are SERVICE_UNAVAILABLE, writes unknown', async (t) => {
    const mongo = await makeMongo(t);
    const database = mongo.open();
    await Promise.all([write(database, 1), read(database)]);
    mongo.fallSilent();
    const startedMs = performance.now();
    const [reading, writing] = await Promise.all([failureOf(read(database)), failureOf(write(database, 2))]);
    assert.ok(performance.now() - startedMs < OPERATION_LIMIT.maxTimeMS + 1_000);
    assertUnavailable(reading);
    assert.ok(writing instanceof OutcomeUnknownError);
  });

  test('a write whose connection is ended has an unknown outcome, and a read is SERVICE_UNAVAILABLE', async (t) => {
    const mongo = await makeMongo(t);
    const database = mongo.open();
    await Promise.all([write(database, 1), read(database)]);
    mongo.fallSilent();
    const [reading, writing] = [failureOf(read(database)), failureOf(write(database, 2))];
    const behind = mongo.openBehind();
    await until(async () => (await read(behind)).length === 2, SECONDS);
    mongo.refuseConnections();
    assertUnavailable(await reading);
    assert.ok((await writing) instanceof OutcomeUnknownError);
  });

  test('a server that is lost is named in the log, once and in short', async (t) => {
    const mongo = await makeMongo(t);
    const lines: string[] = [];
    const database = openMongo(mongo.url, pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }));
    await read(database);
    mongo.refuseConnections();
    assertUnavailable(await failureOf(read(database)));
    await database.close();
    const { host } = new URL(mongo.url);
    assert.equal(lines.filter((line) => line.includes('a MongoDB server was lost') && line.includes(host)).length, 1);
    assert.ok(lines.join('').length < 1_000, 'a whole connection was logged');
  });

  test('closing lets work under way finish and refuses more', async (t) => {
    const database = (await makeMongo(t)).open();
    const writing = write(database, 1);
    const closed = database.close();
    assertUnavailable(await failureOf(read(database)));
    assertUnavailable(await failureOf(write(database, 2)));
    await writing;
    await closed;
  });

  test('closing lets work finish that nobody waits for any more', async (t) => {
    const database = (await makeMongo(t)).open();
    await read(database);
    const slow = Promise.withResolvers<void>();
    const readAtLast = (db: Db) => slow.promise.then(() => db.collection('notes').countDocuments());
    const outcomes: unknown[] = [];
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const reading = database.read((db) => readAtLast(db).then((count) => outcomes.push(count)));
    t.mock.timers.tick(OPERATION_LIMIT.maxTimeMS);
    t.mock.timers.reset();
    assertUnavailable(await failureOf(reading));
    const closed = database.close().then(() => outcomes.push('closed'));
    slow.resolve();
    await closed;
    assert.deepEqual(outcomes, [0, 'closed']);
  });
});

function serverError(code: number): MongoServerError {
  return new MongoServerError({ message: 'the server gave up', code });
}

function withLabel(error: MongoServerError, label: string): MongoServerError {
  error.addErrorLabel(label);
  return error;
}

function write(database: MongoDatabase, id: number): Promise<unknown> {
  return database.write((db) => db.collection<Note>('notes').insertOne({ _id: id, text: 'x' }, OPERATION_LIMIT));
}

function read(database: MongoDatabase): Promise<readonly Note[]> {
  return database.read((db) => db.collection<Note>('notes').find({}, OPERATION_LIMIT).toArray());
}
