import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { createLogger } from '@pfq/kit/log';
import { withMongo } from '@pfq/kit/mongo';
import { assertCannotChangeSchema, makeRoles, migrateFor, startProgram } from '@pfq/kit/schema-roles.test-support';
import { makeMongo, WITHOUT_MONGO } from '../../../tests/support/mongo.ts';
import { AS_OPERATOR, asTenant, startApplication, toIncoming } from './running-application.test-support.ts';
import { newAgencyId, newApplication } from './samples.test-support.ts';
import { openStore } from './storage/open-store.ts';

const MIGRATE = path.join(import.meta.dirname, 'migrate.ts');

test('the application service does all its work under a role that cannot change its schema', async (t) => {
  const made = await makeRoles(t);
  await migrateFor(t, MIGRATE, made);
  const { applications, admin } = await startApplication(t, made.serviceUrl, { migrateOnStart: false });
  const [agencyId, application] = [newAgencyId(), newApplication()];
  for (const changes of [{}, { status: 'active' }]) {
    await admin.upsertApplications({ applications: [toIncoming(agencyId, application, changes)] }, AS_OPERATOR);
  }
  const page = await applications.listApplications({ limit: 1 }, asTenant(agencyId));
  assert.deepEqual([page.applications[0]?.id, page.applications[0]?.status], [application.id, 'active']);
  const service = made.openAsService();
  assert.equal((await service.read('SELECT id FROM audit_log', [])).length, 2);
  await assertCannotChangeSchema(service, ['applications', 'audit_log']);
});

test('a role of PostgreSQL for a database of MongoDB is refused as a problem of the configuration', async (t) => {
  const env = { DATABASE_URL: 'mongodb://127.0.0.1:1/application', DATABASE_SERVICE_ROLE: 'application' };
  const { code, problems } = await startProgram(t, MIGRATE, env).ended;
  assert.equal(code, 78);
  assert.match(problems, /^config: DATABASE_SERVICE_ROLE is of PostgreSQL, and DATABASE_URL of MongoDB/);
});

test('a MongoDB that stays away is named, and the program ends with 1', async (t) => {
  const env = { DATABASE_URL: 'mongodb://127.0.0.1:1/application', MIGRATION_WAIT_MS: '0' };
  const { code, lines } = await startProgram(t, MIGRATE, env).ended;
  assert.equal(code, 1);
  assert.match(JSON.stringify(lines.at(-1)), /no connection to mongodb within 0 s: .*ECONNREFUSED/);
});

describe('migrations of applications on MongoDB', { skip: WITHOUT_MONGO }, () => {
  test('the program makes the indexes, without which the service is not ready, and is done where they are there', async (t) => {
    const { url } = await makeMongo(t);
    const logger = createLogger({ service: 'test', level: 'error', format: 'json' });
    const opened = await openStore({ databaseUrl: url, poolSize: 1, migrateOnStart: false, logger });
    t.after(() => opened.close());
    const all = 'by_creation, by_broker, by_client_reference, by_change';
    await assert.rejects(opened.dependency.check(), {
      message: `the database lacks the indexes ${all}: run the migrations`,
    });
    for (const _ of ['first', 'again']) {
      assert.equal((await startProgram(t, MIGRATE, { DATABASE_URL: url }).ended).code, 0);
    }
    await opened.dependency.check();
    const indexes = await withMongo(url, (db) => db.collection('applications').indexes());
    const names = indexes.map(({ name }) => name ?? '').sort();
    assert.deepEqual(names, ['_id_', 'by_broker', 'by_change', 'by_client_reference', 'by_creation']);
  });
  test('an index that cannot be made is not waited for, and the line says why', async (t) => {
    const { url } = await makeMongo(t);
    const other = { name: 'by_creation', unique: true };
    await withMongo(url, (db) => db.collection('applications').createIndex({ other: 1 }, other));
    const { code, lines } = await startProgram(t, MIGRATE, { DATABASE_URL: url }).ended;
    assert.deepEqual([code, lines.map(({ msg }) => msg)], [1, ['not migrated']]);
    assert.match(JSON.stringify(lines), /the indexes are not made in mongodb: An existing index has the same name/);
  });

  test('a login that is refused is not waited for, and the line says why', async (t) => {
    const { url } = await makeMongo(t);
    const { href } = Object.assign(new URL(url), { username: 'application', password: 'wrong' });
    const { code, lines } = await startProgram(t, MIGRATE, { DATABASE_URL: href }).ended;
    assert.deepEqual([code, lines.map(({ msg }) => msg)], [1, ['not migrated']]);
    // The server of the tests knows no logins at all.
    assert.match(JSON.stringify(lines), /no connection to mongodb: .*saslStart/);
  });
});
