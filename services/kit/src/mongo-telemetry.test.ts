import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, test } from 'node:test';
import { makeMongo, WITHOUT_MONGO } from '../../../tests/support/mongo.ts';
import { observeMongo } from './mongo-telemetry.ts';
import { recordTelemetry } from './telemetry/recording.test-support.ts';
import { inSpan, SpanKind } from './telemetry/spans.ts';

const telemetry = recordTelemetry();
beforeEach(() => telemetry.forgetSpans());

const asRequest = <T>(work: () => Promise<T>) => inSpan('request', { kind: SpanKind.SERVER }, work);
const FIND = { commandName: 'find', databaseName: 'application', address: 'db.example:27018' };
const SERVER = { 'server.address': 'db.example', 'server.port': 27_018, 'db.namespace': 'application' };
const TARGET = { 'db.operation.name': 'find', 'db.collection.name': 'notes', 'db.query.summary': 'find notes' };

test('an operation is a span of what goes on, with its collection, where it went and no value', async () => {
  const client = new EventEmitter();
  observeMongo(client, { poolSize: 3 });
  const command = { find: 'notes', filter: { text: 'secret' } };
  await asRequest(async () => void client.emit('commandStarted', { ...FIND, requestId: 1, command }));
  client.emit('commandSucceeded', { requestId: 1 });
  await new Promise(setImmediate);
  const [request, operation] = telemetry.spans();
  assert.deepEqual([operation?.name, operation?.parentId], ['find notes', request?.id]);
  assert.deepEqual(operation?.attributes, { 'db.system.name': 'mongodb', ...SERVER, ...TARGET });
});

test('one that fails has the code of the server, and one that nobody asked for begins no trace', async () => {
  const client = new EventEmitter();
  observeMongo(client, { poolSize: 3 });
  const failure = Object.assign(new Error('secret'), { name: 'MongoServerError', code: 11_000 });
  const command = { insert: 'notes' };
  const start = async () =>
    void client.emit('commandStarted', { ...FIND, commandName: 'insert', requestId: 2, command });
  await asRequest(start);
  client.emit('commandFailed', { requestId: 2, failure });
  client.emit('commandStarted', { ...FIND, commandName: 'ping', requestId: 3, command: { ping: 1 } });
  client.emit('commandSucceeded', { requestId: 3 });
  await new Promise(setImmediate);
  const [, operation, ...others] = telemetry.spans();
  assert.deepEqual([operation?.hasFailed, others], [true, []]);
  const failed = { 'error.type': 'MongoServerError', 'db.response.status_code': '11000' };
  assert.partialDeepStrictEqual(operation?.attributes, failed);
  const names = (await telemetry.readings('db.client.operation.duration')).map(({ attributes }) => attributes);
  assert.deepEqual(names.slice(-2), [
    { 'db.system.name': 'mongodb', 'db.query.summary': 'insert notes', 'error.type': 'MongoServerError' },
    { 'db.system.name': 'mongodb', 'db.query.summary': 'ping' },
  ]);
  assert.doesNotMatch(JSON.stringify(telemetry.spans()), /secret/);
});

describe('telemetry of a MongoDB', { skip: WITHOUT_MONGO }, () => {
  test('its operations and connections are told of as the driver carries them out', async (t) => {
    const database = (await makeMongo(t)).open();
    await asRequest(async () => {
      await database.write((db) => db.collection('notes').insertOne({ text: 'secret' }));
      await database.read((db) => db.collection('notes').find({ text: 'secret' }).toArray());
    });
    const spans = telemetry.spans();
    const request = spans.at(-1);
    assert.deepEqual(
      spans.map(({ name, parentId }) => [name, parentId]),
      [
        ['insert notes', request?.id],
        ['find notes', request?.id],
        ['request', undefined],
      ],
    );
    assert.doesNotMatch(JSON.stringify(spans), /secret/);
    const connections = await telemetry.readings('db.client.connection.count');
    assert.deepEqual(
      connections.map(({ value, attributes }) => [value, ...Object.values(attributes)]),
      [
        [1, 'requests', 'idle'],
        [0, 'requests', 'used'],
      ],
    );
  });
});
