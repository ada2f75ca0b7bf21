import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { makeDatabase } from '../../../tests/support/database.ts';
import { until } from '../../../tests/support/until.ts';
import { makeRoles, startProgram } from './schema-roles.test-support.ts';

type Roles = Awaited<ReturnType<typeof makeRoles>>;

const SECONDS = 20_000;
const STEPS = 'CREATE TABLE steps (step integer); INSERT INTO steps VALUES (1);';
const NOBODY = 'postgres://nobody@127.0.0.1:1/nothing';

describe('a program that brings a schema up to date', { concurrency: 3 }, () => {
  test('ends with 0 once it is so, after a line for each migration, and again where nothing is left to do', async (t) => {
    const { url, open } = await makeDatabase(t);
    const run = program(t, { '0001_first.sql': STEPS, '0002_second.sql': 'INSERT INTO steps VALUES (2);' });
    for (const told of [['migrated', 'migrated', 'the schema is up to date'], ['the schema is up to date']]) {
      const { code, lines } = await run({ DATABASE_URL: url }).ended;
      assert.deepEqual([code, lines.map(({ msg }) => msg)], [0, told]);
    }
    assert.equal((await open().read('SELECT step FROM steps', [])).length, 2);
  });

  test('applies each migration once where several run at once', async (t) => {
    const { url, open } = await makeDatabase(t);
    const run = program(t, { '0001_first.sql': `SELECT pg_sleep(0.3); ${STEPS}` });
    const ends = await Promise.all([1, 2, 3].map(() => run({ DATABASE_URL: url }).ended));
    assert.deepEqual(
      ends.map(({ code }) => code),
      [0, 0, 0],
    );
    assert.equal((await open().read('SELECT step FROM steps', [])).length, 1);
  });

  test('ends with 1 and one line that names the migration that failed', async (t) => {
    const { url } = await makeDatabase(t);
    const { code, lines } = await program(t, { '0001_first.sql': 'SELECT 1 FROM nowhere' })({ DATABASE_URL: url })
      .ended;
    assert.equal(code, 1);
    assert.match(fatalOf(lines).join('\n'), /^migration 0001_first failed: relation "nowhere" does not exist/);
  });

  test('ends with 1 and one line that names a database that stays away, and has said before what it waits for', async (t) => {
    const { code, lines } = await program(t, {})({ DATABASE_URL: NOBODY, MIGRATION_WAIT_MS: '700' }).ended;
    assert.equal(code, 1);
    assert.deepEqual(
      lines.map(({ msg, reason }) => [msg, reason]),
      [
        ['waiting for a dependency', 'connect ECONNREFUSED 127.0.0.1:1'],
        ['not migrated', undefined],
      ],
    );
    assert.deepEqual(fatalOf(lines), ['no connection to postgresql within 0.7 s: connect ECONNREFUSED 127.0.0.1:1']);
  });

  for (const [what, urlOf, reason] of [
    [
      'a password that is wrong',
      ({ ownerUrl }: Roles) => Object.assign(new URL(ownerUrl), { password: 'wrong' }),
      /^no connection to postgresql: password authentication failed for user "owner_[^"]+"$/,
    ],
    [
      'a role that does not exist',
      ({ ownerUrl }: Roles) => Object.assign(new URL(ownerUrl), { username: 'nobody' }),
      /^no connection to postgresql: password authentication failed for user "nobody"$/,
    ],
    [
      'a database that does not exist',
      ({ ownerUrl }: Roles) => Object.assign(new URL(ownerUrl), { pathname: '/nowhere' }),
      /^no connection to postgresql: database "nowhere" does not exist$/,
    ],
    [
      'a role that may not connect',
      ({ serviceUrl }: Roles) => new URL(serviceUrl),
      /^no connection to postgresql: permission denied for database "[^"]+"$/,
    ],
  ] as const) {
    test(`ends with 1 and one line that names ${what}, for which it does not wait`, async (t) => {
      const { href } = urlOf(await makeRoles(t));
      const { code, lines } = await program(t, {})({ DATABASE_URL: href }).ended;
      assert.deepEqual([code, lines.map(({ msg }) => msg)], [1, ['not migrated']]);
      assert.match(fatalOf(lines).join('\n'), reason);
    });
  }

  test('ends with 78 and a line for each setting that is missing or wrong', async (t) => {
    const { code, problems, lines } = await program(t, {})({ LOG_LEVEL: 'loud' }).ended;
    assert.deepEqual([code, lines], [78, []]);
    assert.match(problems, /^config: DATABASE_URL is not set: .*\nconfig: LOG_LEVEL must be .*\n$/);
  });

  test('ends with 1 at a signal, and leaves nothing half-applied', async (t) => {
    const { url, open } = await makeDatabase(t);
    const database = open();
    const { child, ended } = program(t, { '0001_first.sql': `${STEPS} SELECT pg_sleep(60);` })({ DATABASE_URL: url });
    const asleep = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(60)%'
      AND pid <> pg_backend_pid()`;
    await until(async () => (await database.read(asleep, [])).length === 1, SECONDS);
    child.kill('SIGTERM');
    const { code, lines } = await ended;
    assert.equal(code, 1);
    assert.deepEqual(fatalOf(lines), ['SIGTERM came before the schema was up to date']);
    await database.read('SELECT pg_terminate_backend(pid) FROM (' + asleep + ') AS sleepers', []);
    const tables = "SELECT to_regclass('steps')::text AS steps";
    assert.deepEqual(await database.read(tables, []), [{ steps: null }]);
  });

  for (const [what, roleOf, problem] of [
    [
      'that does not exist',
      () => 'nobody at all',
      /^DATABASE_SERVICE_ROLE names nobody at all, a role that does not exist: /,
    ],
    [
      'that owns the schema',
      ({ owner }: { owner: string }) => owner,
      /, the role of DATABASE_URL itself: it must be another$/,
    ],
  ] as const) {
    test(`ends with 1 and one line that names a role ${what}`, async (t) => {
      const made = await makeRoles(t);
      const env = { DATABASE_URL: made.ownerUrl, DATABASE_SERVICE_ROLE: roleOf(made) };
      const { code, lines } = await program(t, { '0001_first.sql': STEPS })(env).ended;
      assert.equal(code, 1);
      assert.match(fatalOf(lines).join('\n'), problem);
    });
  }
});

/** Starts a program over a folder of migrations. */
function program(t: TestContext, migrations: Readonly<Record<string, string>>) {
  const dir = mkdtempSync(path.join(tmpdir(), 'pfq-migrations-'));
  t.after(() => rmSync(dir, { recursive: true }));
  for (const [file, sql] of Object.entries(migrations)) writeFileSync(path.join(dir, file), sql);
  const entry = path.join(mkdtempSync(path.join(tmpdir(), 'pfq-program-')), 'migrate.mjs');
  t.after(() => rmSync(path.dirname(entry), { recursive: true }));
  const kit = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  writeFileSync(
    entry,
    `import { migrateDatabase, runMigration } from ${kit('./run-migration.ts')};
     import { migrationSettings as settings } from ${kit('./schema-settings.ts')};
     const migrate = (config, logger) => migrateDatabase(config, { dir: ${JSON.stringify(dir)}, logger });
     await runMigration(process, { service: 'program', settings, migrate });`,
  );
  return (env: Readonly<Record<string, string>>) => startProgram(t, entry, env);
}

/** The messages of fatal lines, with those of their causes. */
function fatalOf(lines: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  return lines.filter(({ level }) => level === 'fatal').map(({ err }) => messageOf(err));
}

function messageOf(logged: unknown): string {
  assert.ok(typeof logged === 'object' && logged !== null && 'message' in logged);
  return String(logged.message);
}
