import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { OutcomeUnknownError, ServiceError } from './errors.ts';
import { assertUnavailable, failureOf } from '../../../tests/support/failures.ts';
import { until } from '../../../tests/support/until.ts';
import { INSERT, openScene, SECONDS, SLEEP } from './postgres.test-support.ts';

const scene = await openScene();
const { behind, database, logged, nextId, exists, endBackendRunning, endBackendOf } = scene;
after(() => scene.close());

test('a transaction whose connection is ended before COMMIT stored nothing, and says so', async () => {
  const id = nextId();
  const working = failureOf(
    database.transaction(async ({ query }) => {
      await query(INSERT, [id, 'x']);
      await query(SLEEP, [4]);
    }),
  );
  await endBackendRunning('pg_sleep');
  assertUnavailable(await working);
  assert.equal(await exists(id), false);
});

test('a connection that is lost between two statements of a transaction stored nothing and ends no process', async () => {
  const id = nextId();
  const failure = await failureOf(
    database.transaction(async ({ query }) => {
      await query(INSERT, [id, 'x']);
      const lines = logged.length;
      await endBackendOf(query);
      await until(() => logged.slice(lines).some(({ msg }) => msg === 'a database connection was lost'), SECONDS);
    }),
  );
  assertUnavailable(failure);
  assert.equal(await exists(id), false);
});

test('a transaction whose connection is ended during COMMIT has an unknown outcome', async () => {
  await behind.query(`
    CREATE TABLE slow_to_commit (id integer);
    CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(4); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER sleep AFTER INSERT ON slow_to_commit DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION sleep();`);
  const committing = failureOf(
    database.transaction(({ query }) => query('INSERT INTO slow_to_commit VALUES ($1)', [1])),
  );
  await endBackendRunning('COMMIT');
  assert.ok((await committing) instanceof OutcomeUnknownError);
});

test('a deadlock is SERVICE_UNAVAILABLE for the one that was undone', async () => {
  const [first, second] = [nextId(), nextId()];
  await database.write(INSERT, [first, 'x']);
  await database.write(INSERT, [second, 'x']);
  const UPDATE = 'UPDATE notes SET text = $2 WHERE id = $1';
  const [mine, theirs] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const outcomes = await Promise.allSettled([
    database.transaction(async ({ query }) => {
      await query(UPDATE, [first, 'a']);
      mine.resolve();
      await theirs.promise;
      await query(UPDATE, [second, 'a']);
    }),
    database.transaction(async ({ query }) => {
      await query(UPDATE, [second, 'b']);
      theirs.resolve();
      await mine.promise;
      await query(UPDATE, [first, 'b']);
    }),
  ]);
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }): unknown => reason);
  assert.equal(failures.length, 1);
  assertUnavailable(failures[0]);
});

test('a transaction keeps nothing when its work throws, and throws the same', async () => {
  const id = nextId();
  const reason = new ServiceError('NOT_FOUND', { message: 'No such quote.' });
  const failure = await failureOf(
    database.transaction(async ({ query }) => {
      await query(INSERT, [id, 'x']);
      throw reason;
    }),
  );
  assert.equal(failure, reason);
  assert.equal(await exists(id), false);
});

test('a transaction gives back what its work gives back, once it is stored', async () => {
  const id = nextId();
  assert.deepEqual(await database.transaction(({ query }) => query(INSERT, [id, 'x'])), [{ id }]);
  assert.equal(await exists(id), true);
});

test('a transaction that goes on after a failed statement is not taken for stored', async () => {
  const id = nextId();
  const failure = await failureOf(
    database.transaction(async ({ query }) => {
      await query(INSERT, [id, 'x']);
      await failureOf(query(INSERT, [id, 'x']));
    }),
  );
  assert.match(String(failure), /nothing was committed/);
  assert.equal(await exists(id), false);
});

test('where the connection is lost while rolling back, the reason of the roll-back is what is thrown', async () => {
  const reason = new Error('the work changed its mind');
  const failure = await failureOf(
    database.transaction(async ({ query }) => {
      const lines = logged.length;
      await endBackendOf(query);
      await until(() => logged.slice(lines).some(({ msg }) => msg === 'a database connection was lost'), SECONDS);
      throw reason;
    }),
  );
  assert.equal(failure, reason);
});
