import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { INSERT, openScene, SLEEP } from './postgres.test-support.ts';
import { openDatabase, QUICK_STATEMENTS, statementsOn, withConnection } from './postgres.ts';
import { recordTelemetry } from './telemetry/recording.test-support.ts';
import { inSpan, SpanKind } from './telemetry/spans.ts';

const telemetry = recordTelemetry();
const UNSAMPLED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';

let scene: Awaited<ReturnType<typeof openScene>>;
before(async () => {
  scene = await openScene();
});
after(() => scene.close());
beforeEach(() => telemetry.forgetSpans());

const asRequest = <T>(work: () => Promise<T>) => inSpan('request', { kind: SpanKind.SERVER }, work);

test('the statements of a request are spans of it, named by what they do, with where they went and no value', async () => {
  const { database, nextId, url } = scene;
  await asRequest(() =>
    database.transaction(async ({ query }) => {
      await query(INSERT, [nextId(), 'secret words']);
      await query('SELECT id FROM notes', []);
    }),
  );
  const spans = telemetry.spans();
  const request = spans.at(-1);
  const statements = spans.filter(({ kind }) => kind === SpanKind.CLIENT);
  assert.deepEqual(
    statements.map(({ name }) => name),
    ['BEGIN', 'INSERT notes', 'SELECT notes', 'COMMIT'],
  );
  const { hostname, port, pathname } = new URL(url);
  for (const { name, parentId, attributes } of statements) {
    assert.equal(parentId, request?.id);
    assert.deepEqual(attributes, {
      'db.system.name': 'postgresql',
      'db.namespace': pathname.slice(1),
      'db.query.summary': name,
      'server.address': hostname,
      'server.port': Number(port),
    });
  }
  assert.doesNotMatch(JSON.stringify(spans), /secret/);
});

test('what nobody asked for begins no trace, and is counted all the same', async () => {
  await scene.database.read('SELECT text FROM notes AS unasked', []);
  const readings = await telemetry.readings('db.client.operation.duration');
  assert.deepEqual(telemetry.spans(), []);
  assert.ok(readings.some(({ attributes }) => 'db.query.summary' in attributes));
});

test('inside a trace that is not sampled there are no spans', async () => {
  const parent = { traceparent: UNSAMPLED };
  const { database } = scene;
  await inSpan('request', { kind: SpanKind.SERVER, parent }, () => database.read('SELECT id FROM notes', []));
  assert.deepEqual(telemetry.spans(), []);
});

test('a statement that fails has the code of the server, in its span and in the metric', async () => {
  const id = scene.nextId();
  await scene.database.write(INSERT, [id, 'x']);
  await assert.rejects(asRequest(() => scene.database.write(INSERT, [id, 'x'])));
  const [statement] = telemetry.spans();
  assert.equal(statement?.hasFailed, true);
  assert.partialDeepStrictEqual(statement?.attributes, {
    'error.type': '23505',
    'db.response.status_code': '23505',
  });
  const readings = await telemetry.readings('db.client.operation.duration');
  const failed = { 'db.system.name': 'postgresql', 'db.query.summary': 'INSERT notes', 'error.type': '23505' };
  assert.deepEqual(
    readings.filter(({ attributes }) => 'error.type' in attributes),
    [{ value: 1, attributes: failed }],
  );
});

test('a connection that has to be waited for is a span, and one that is idle is not', async (t) => {
  const single = openDatabase(scene.url, scene.logger, { poolSize: 1 });
  t.after(() => single.close());
  const waits = () => telemetry.spans().filter(({ name }) => name === 'wait for connection').length;
  await asRequest(() => single.read('SELECT id FROM notes', []));
  assert.equal(waits(), 1, 'the first has to be opened');
  await asRequest(() => single.read('SELECT id FROM notes', []));
  assert.equal(waits(), 1);
  await asRequest(() => Promise.all([single.read(SLEEP, [0.05]), single.read(SLEEP, [0])]));
  assert.equal(waits(), 2);
});

test('statements on a connection of one’s own are spans too', async () => {
  const work = () =>
    withConnection(
      scene.url,
      async (client) => {
        await statementsOn(client, scene.url).query('SELECT id FROM notes', []);
      },
      QUICK_STATEMENTS,
    );
  await asRequest(work);
  assert.deepEqual(
    telemetry.spans().map(({ name }) => name),
    ['SELECT notes', 'request'],
  );
});
