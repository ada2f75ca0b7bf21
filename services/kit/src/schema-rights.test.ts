import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { until } from '../../../tests/support/until.ts';
import { addJob, migrateJobs, startJobs } from './jobs.ts';
import { createLogger } from './log.ts';
import { applyMigrations, migrate } from './migrate.ts';
import type { Connection } from './postgres.ts';
import { grantRights } from './schema-rights.ts';
import { assertCannotChangeSchema, makeRoles } from './schema-roles.test-support.ts';

const SECONDS = 10_000;
const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });

const SCHEMA = `
  CREATE FUNCTION pfq_now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT now()';
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'append-only'; END $$;
  CREATE TABLE notes (id serial PRIMARY KEY, at timestamptz NOT NULL DEFAULT pfq_now());
  CREATE TABLE "Old notes" (id integer PRIMARY KEY);
  CREATE TABLE audit_log (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, actor text);
  CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();`;

test("a service's role does what the service does, and nothing else", async (t) => {
  const { made, grant } = await scene(t);
  await grant();
  const service = made.openAsService();
  for (const statement of [
    'INSERT INTO notes DEFAULT VALUES',
    'UPDATE notes SET at = pfq_now()',
    'INSERT INTO "Old notes" VALUES (1)',
    'DELETE FROM "Old notes"',
    "INSERT INTO audit_log (actor) VALUES ('dana')",
    'SELECT name FROM schema_migrations',
  ]) {
    await service.write(statement, []);
  }
  await assert.rejects(service.write('DELETE FROM notes', []), /permission denied/);
  await assertCannotChangeSchema(service, ['notes', 'audit_log', '"Old notes"', 'graphile_worker._private_jobs']);
});

test('what a role had beyond that is taken away, and what comes with the next migration is given', async (t) => {
  const { made, dir, grant, run } = await scene(t);
  await grant();
  await made.openAsOwner().write(`GRANT ALL ON notes, schema_migrations TO "${made.role}"`, []);
  writeFileSync(path.join(dir, '0002_more.sql'), '-- needs: 0001\nCREATE TABLE more (id integer);');
  await run();
  const service = made.openAsService();
  // Health reads what a migration needs before the rights are given anew.
  await service.read('SELECT needs FROM schema_needs', []);
  await assert.rejects(service.write('INSERT INTO more VALUES (1)', []), /permission denied/);
  await grant();
  await service.write('INSERT INTO more VALUES (1)', []);
  await assertCannotChangeSchema(service, ['notes', 'more', 'schema_needs']);
  await assert.rejects(service.write('DELETE FROM schema_needs', []), /permission denied/);
});

test('jobs are added, run, put back and freed under it', async (t) => {
  const { made, grant } = await scene(t);
  await grant();
  await grant();
  const done: unknown[] = [];
  const note = async (payload: unknown, { number }: { readonly number: number }) => {
    if (number === 1) throw new Error('once');
    done.push(payload);
  };
  const retry = { firstMs: 1, longestMs: 1 };
  const jobs = await startJobs({ databaseUrl: made.serviceUrl, tasks: { note }, concurrency: 2, retry, logger });
  t.after(() => jobs.stop());
  const service = made.openAsService();
  for (const id of [1, 2]) await addJob(service.write, { task: 'note', payload: { id }, key: String(id) });
  await until(() => done.length === 2, SECONDS);
  await until(async () => (await service.read('SELECT id FROM graphile_worker.jobs', [])).length === 0, SECONDS);
  await service.write("SELECT graphile_worker.force_unlock_workers(ARRAY['gone'])", []);
});

test('rights are given by several at once', async (t) => {
  const { grant } = await scene(t);
  await Promise.all([grant(), grant(), grant(), grant()]);
});

test('what everybody had on tables and sequences is taken away', async (t) => {
  const { made, grant } = await scene(t);
  const owner = made.openAsOwner();
  await owner.write('GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC', []);
  await owner.write('GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO PUBLIC', []);
  await owner.write('GRANT ALL ON ALL TABLES IN SCHEMA graphile_worker TO PUBLIC', []);
  await grant();
  const service = made.openAsService();
  for (const statement of [
    'DELETE FROM notes',
    "INSERT INTO schema_migrations (name, run_on) VALUES ('9999_mine', now())",
    "SELECT setval('schema_migrations_id_seq', 9999)",
    'DELETE FROM graphile_worker.migrations',
  ]) {
    await assert.rejects(service.write(statement, []), /permission denied/, statement);
  }
});

test('a role that could do more all the same is refused with how, and is given nothing', async (t) => {
  const { made, grant } = await scene(t);
  for (const { loosen, tighten, says } of loosenings(made)) {
    await made.onServer(...loosen);
    await assert.rejects(grant(), { message: `DATABASE_SERVICE_ROLE names ${made.role}, which could ${says}` });
    await made.onServer(...tighten);
  }
  const rights = `SELECT has_table_privilege($1, 'notes', 'SELECT') AS may`;
  assert.deepEqual(await made.openAsOwner().read(rights, [made.role]), [{ may: false }]);
  await grant();
});

test('a schema that belongs to another role than that of the migrations is named, and nothing is changed', async (t) => {
  const { made, run } = await scene(t);
  await made.onServer('ALTER TABLE schema_migrations OWNER TO postgres');
  await assert.rejects(run(), {
    message: 'the schema belongs to postgres, so the role of DATABASE_URL cannot change it',
  });
});

test('migrations may run under a member of the owner', async (t) => {
  const { made, grant } = await scene(t);
  const tables = ['notes', '"Old notes"', 'audit_log', 'schema_migrations'];
  await made.onServer(...tables.map((table) => `ALTER TABLE ${table} OWNER TO ${made.group}`));
  await made.onServer(`GRANT ${made.group} TO ${made.owner}`);
  await grant();
  const service = made.openAsService();
  await service.write('INSERT INTO notes DEFAULT VALUES', []);
  await assertCannotChangeSchema(service, tables);
});

test('everyone who may make tables in the schema public, as before PostgreSQL 15, may no longer', async (t) => {
  const { made, grant } = await scene(t);
  await made.onServer('GRANT CREATE ON SCHEMA public TO PUBLIC');
  await grant();
  await assertCannotChangeSchema(made.openAsService(), ['notes']);
});

/** A schema with a queue, under an owner, and a role to which `grant` gives its rights. */
async function scene(t: TestContext) {
  const made = await makeRoles(t);
  const dir = mkdtempSync(path.join(tmpdir(), 'pfq-migrations-'));
  t.after(() => rmSync(dir, { recursive: true }));
  writeFileSync(path.join(dir, '0001_notes.sql'), SCHEMA);
  const databaseUrl = made.ownerUrl;
  const run = () => migrate({ databaseUrl, dir, logger });
  await run();
  await migrateJobs(databaseUrl, logger);
  const finish = (client: Connection) => grantRights(client, { role: made.role, removesFrom: ['Old notes'], logger });
  const grant = async () => void (await applyMigrations({ databaseUrl, dir, finish, logger }));
  return { made, dir, run, grant };
}

/** Ways to give a role of the service more than its rights. */
function loosenings({ role: plain, owner, group, name }: Awaited<ReturnType<typeof makeRoles>>) {
  const role = `"${plain}"`;
  const toOwner = [`ALTER TABLE notes OWNER TO ${owner}`, `REVOKE ${group} FROM ${owner}`];
  const inherits = [`ALTER ROLE ${role} INHERIT`, `REVOKE ${group} FROM ${role}`];
  return [
    {
      loosen: [`GRANT ${owner} TO ${role}`],
      tighten: [`REVOKE ${owner} FROM ${role}`],
      says: `change the schema: it is a member of ${owner}, which owns tables, functions or their schema; it is a member of pg_database_owner, which owns tables, functions or their schema; it may create schemas in this database`,
    },
    {
      // The role of the migrations is a member of the owner, and of that one the service's role is a member too.
      loosen: [
        `ALTER TABLE notes OWNER TO ${group}`,
        `GRANT ${group} TO ${owner}`,
        `ALTER ROLE ${role} NOINHERIT`,
        `GRANT ${group} TO ${role}`,
      ],
      tighten: [...toOwner, ...inherits],
      says: `change the schema: it is a member of ${group}, which owns tables, functions or their schema`,
    },
    {
      loosen: [`ALTER TABLE graphile_worker._private_jobs OWNER TO ${role}`],
      tighten: [`ALTER TABLE graphile_worker._private_jobs OWNER TO ${owner}`],
      says: 'change the schema: it owns tables, functions or their schema',
    },
    {
      loosen: [`ALTER FUNCTION pfq_now OWNER TO ${role}`],
      tighten: [`ALTER FUNCTION pfq_now OWNER TO ${owner}`],
      says: 'change the schema: it owns tables, functions or their schema',
    },
    {
      loosen: [`ALTER ROLE ${role} SUPERUSER CREATEROLE`],
      tighten: [`ALTER ROLE ${role} NOSUPERUSER NOCREATEROLE`],
      says: 'change the schema: it is a superuser',
    },
    {
      loosen: [`ALTER ROLE ${role} CREATEROLE`],
      tighten: [`ALTER ROLE ${role} NOCREATEROLE`],
      says: 'change the schema: it may make roles, and make itself a member of others',
    },
    {
      loosen: [`GRANT pg_write_server_files TO ${role}`],
      tighten: [`REVOKE pg_write_server_files FROM ${role}`],
      says: 'change the schema: it is a member of pg_write_server_files, which may do anything on the server',
    },
    {
      loosen: [`GRANT CREATE ON DATABASE ${name} TO ${role}`],
      tighten: [`REVOKE CREATE ON DATABASE ${name} FROM ${role}`],
      says: 'change the schema: it may create schemas in this database',
    },
    {
      loosen: [
        `GRANT CREATE ON DATABASE ${name} TO ${group}`,
        `ALTER ROLE ${role} NOINHERIT`,
        `GRANT ${group} TO ${role}`,
      ],
      tighten: [`REVOKE CREATE ON DATABASE ${name} FROM ${group}`, ...inherits],
      says: `change the schema: it is a member of ${group}, which may create schemas in this database`,
    },
    {
      loosen: [`GRANT DELETE, TRUNCATE ON notes TO ${group}`, `GRANT ${group} TO ${role}`],
      tighten: [`REVOKE ALL ON notes FROM ${group}`, ...inherits],
      says: `do more than the service does: it may DELETE, TRUNCATE on notes; it is a member of ${group}, which may DELETE, TRUNCATE on notes`,
    },
    {
      loosen: [
        `GRANT UPDATE (name) ON schema_migrations TO ${group} WITH GRANT OPTION`,
        `SET ROLE ${group}`,
        `GRANT UPDATE (name) ON schema_migrations TO ${role}`,
        'RESET ROLE',
      ],
      tighten: [`REVOKE ALL ON schema_migrations FROM ${group} CASCADE`],
      says: 'do more than the service does: it may UPDATE on schema_migrations',
    },
  ];
}
