import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { until } from '../../../tests/support/until.ts';
import { addJob, migrateJobs, startJobs } from './jobs.ts';
import { createLogger } from './log.ts';
import { migrate } from './migrate.ts';
import { grantRights } from './schema-rights.ts';
import { assertBound, makeRoles } from './schema-roles.test-support.ts';

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
  await assertBound(service, ['notes', 'audit_log', '"Old notes"', 'graphile_worker._private_jobs']);
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
  await assertBound(service, ['notes', 'more', 'schema_needs']);
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

test('a role that could change the schema all the same is refused with how, and is given nothing', async (t) => {
  const { made, grant } = await scene(t);
  const { role, owner, name } = made;
  const loose = [
    [`GRANT ${owner} TO "${role}"`, `REVOKE ${owner} FROM "${role}"`, `is a member of ${owner}`],
    [`ALTER ROLE "${role}" SUPERUSER`, `ALTER ROLE "${role}" NOSUPERUSER`, 'is a superuser'],
    [
      `GRANT CREATE ON DATABASE ${name} TO "${role}"`,
      `REVOKE CREATE ON DATABASE ${name} FROM "${role}"`,
      'create schemas',
    ],
    ['CREATE TABLE stray (id integer)', 'DROP TABLE stray', 'owns tables', `ALTER TABLE stray OWNER TO "${role}"`],
  ] as const;
  for (const [loosen, tighten, problem, more] of loose) {
    await made.onServer(loosen, ...(more ? [more] : []));
    await assert.rejects(grant(), new RegExp(`^Error: DATABASE_SERVICE_ROLE names ${role}, .*${problem}`), problem);
    await made.onServer(tighten);
  }
  const rights = `SELECT has_table_privilege($1, 'notes', 'SELECT') AS may`;
  assert.deepEqual(await made.openAsOwner().read(rights, [role]), [{ may: false }]);
  await grant();
});

test('a schema that belongs to another role than that of the migrations is named', async (t) => {
  const { made, grant } = await scene(t);
  await made.onServer('ALTER TABLE schema_migrations OWNER TO postgres');
  await assert.rejects(
    grant(),
    /^Error: the schema belongs to postgres, so the role of DATABASE_URL cannot give rights$/,
  );
});

test('everyone who may make tables in the schema public, as before PostgreSQL 15, may no longer', async (t) => {
  const { made, grant } = await scene(t);
  await made.onServer('GRANT CREATE ON SCHEMA public TO PUBLIC');
  await grant();
  await assertBound(made.openAsService(), ['notes']);
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
  const grant = () => grantRights({ databaseUrl, role: made.role, removesFrom: ['Old notes'], logger });
  return { made, dir, run, grant };
}
