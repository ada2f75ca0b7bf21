import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { makeDatabase } from '../../../tests/support/database.ts';
import { createLogger } from './log.ts';
import { openDatabase } from './postgres.ts';
import type { Database } from './postgres.ts';

const logger = createLogger({ service: 'test', level: 'silent', format: 'json' });

/**
 * A database with an owner, a role for the service, to which nobody has given anything, and a group without members; all are removed
 * after the test.
 */
export async function makeRoles(t: TestContext) {
  const server = process.env['TEST_POSTGRES_URL'] ?? '';
  const id = randomBytes(6).toString('hex');
  const [owner, role, group] = [`owner_${id}`, `service-${id}`, `group_${id}`];
  const made = await makeDatabase(t);
  await onServer(server, [
    ...[owner, role].map((each) => `CREATE ROLE "${each}" LOGIN PASSWORD '${id}'`),
    `CREATE ROLE ${group}`,
    `ALTER DATABASE ${made.name} OWNER TO ${owner}`,
    `REVOKE ALL ON DATABASE ${made.name} FROM PUBLIC`,
  ]);
  const drop = () => onServer(server, [`DROP ROLE IF EXISTS "${owner}", "${role}", ${group}`]);
  // After the database, which is removed by a hook that a hook registers.
  t.after(() => t.after(() => t.after(drop)));
  const urlOf = (username: string) => Object.assign(new URL(made.url), { username, password: id }).href;
  const open = (url: string) => {
    const database = openDatabase(url, logger, { poolSize: 1 });
    t.after(() => database.close());
    return database;
  };
  return {
    ...made,
    owner,
    role,
    group,
    ownerUrl: urlOf(owner),
    serviceUrl: urlOf(role),
    /** Without bounds, for what owner and service may not. */
    onServer: (...statements: readonly string[]) => onServer(made.url, statements),
    openAsOwner: () => open(urlOf(owner)),
    openAsService: () => open(urlOf(role)),
  };
}

async function onServer(url: string, statements: readonly string[]): Promise<void> {
  const database = openDatabase(url, logger, { poolSize: 1 });
  for (const statement of statements) await database.write(statement, []);
  await database.close();
}

type Line = Readonly<Record<string, unknown>> & { readonly msg: string };

/** A program of a service, such as `services/pricing/src/migrate.ts`, with nothing in its environment but what is given. */
export function startProgram(t: TestContext, entry: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return {
    child,
    ended: ended.then(([[code], printed, problems]) => ({
      code: code as unknown,
      problems,
      lines: printed
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Line => JSON.parse(line)),
    })),
  };
}

/** Migrates with a service's own program, under the owner, for the role. */
export async function migrateFor(t: TestContext, entry: string, made: Awaited<ReturnType<typeof makeRoles>>) {
  const env = { DATABASE_URL: made.ownerUrl, DATABASE_SERVICE_ROLE: made.role };
  const { code, problems, lines } = await startProgram(t, entry, env).ended;
  assert.deepEqual([code, problems], [0, ''], JSON.stringify(lines));
}

/** That a service's own program leaves all of a later release alone, its topics too: of Kafka, which is away, it asks nothing. */
export async function assertLeavesLaterRelease(t: TestContext, entry: string): Promise<void> {
  const made = await makeRoles(t);
  await migrateFor(t, entry, made);
  await made.openAsOwner().write("INSERT INTO schema_migrations (name, run_on) VALUES ('9999_later', now())", []);
  const env = { DATABASE_URL: made.ownerUrl, EVENTS_URL: 'kafka://127.0.0.1:1', MIGRATION_WAIT_MS: '0' };
  const { code, lines } = await startProgram(t, entry, env).ended;
  const told = lines.map(({ msg }) => msg);
  const onlyThat = ['the schema is that of a later release, which bears this one: no table is changed'];
  assert.deepEqual([code, told], [0, onlyThat]);
}

const CHANGES = [
  'CREATE TABLE public.mine (id integer)',
  'CREATE SCHEMA mine',
  'CREATE FUNCTION public.mine() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
  "CREATE OR REPLACE FUNCTION public.pfq_now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT timestamptz '2000-01-01' $$",
  'DROP FUNCTION public.pfq_now()',
  "INSERT INTO public.schema_migrations (name, run_on) VALUES ('9999_mine', now())",
  'DELETE FROM public.schema_migrations',
  'ALTER TABLE public.audit_log DISABLE TRIGGER ALL',
  'UPDATE public.audit_log SET actor = actor',
  'DELETE FROM public.audit_log',
];

/** That the role of this database changes nothing of the schema, of the tables named, and of the audit log where there is one. */
export async function assertCannotChangeSchema(database: Database, tables: readonly string[]): Promise<void> {
  const about = tables.flatMap((table) => [
    `ALTER TABLE ${table} ADD COLUMN mine integer`,
    `DROP TABLE ${table}`,
    `TRUNCATE ${table}`,
    `CREATE TRIGGER mine BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
  ]);
  const changes = tables.includes('audit_log') ? CHANGES : CHANGES.filter((change) => !change.includes('audit_log'));
  for (const change of [...changes, ...about]) {
    await assert.rejects(database.write(change, []), /permission denied|must be owner/, change);
  }
}
