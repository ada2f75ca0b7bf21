import type { Logger } from './log.ts';
import type { Connection } from './postgres.ts';
import { assertBound, assertHasNoMore } from './schema-rights-bounds.ts';
import type { GivenRights } from './schema-rights-bounds.ts';

type Granting = {
  /** That which the service itself uses. */
  readonly role: string;
  /** Tables from which the service removes rows; of all others nothing is ever removed. */
  readonly removesFrom: readonly string[];
  readonly logger: Logger;
};

/** What graphile-worker 0.18 does at run time, with functions that have the rights of their caller, and what `jobs-presence` adds. */
const QUEUE_RIGHTS: GivenRights = {
  'graphile_worker._private_jobs': 'SELECT, INSERT, UPDATE, DELETE',
  'graphile_worker._private_job_queues': 'SELECT, INSERT, UPDATE',
  'graphile_worker._private_tasks': 'SELECT, INSERT',
  'graphile_worker.jobs': 'SELECT',
};

/**
 * Gives a service's role what the service does, on all that is there now, and takes away what else it or everybody had on tables
 * and sequences. Throws an Error for a role that does not exist, or that could do more all the same. On a connection of the role
 * that owns the schema, which holds the lock of migrations: two grants on one table at once fail. A failure ends with it.
 */
export async function grantRights(client: Connection, { role, removesFrom, logger }: Granting): Promise<void> {
  await assertOther(client, role);
  await client.query('BEGIN');
  await client.query("SET LOCAL lock_timeout = '3s'");
  const grantee = client.escapeIdentifier(role);
  await grantPlace(client, role);
  await assertBound(client, role);
  const onTables = await grantTables(client, { grantee, removesFrom });
  const onQueue = await grantQueue(client, { role, grantee });
  await assertHasNoMore(client, { role, given: { ...onTables, ...onQueue } });
  await client.query('COMMIT');
  logger.info({ role }, 'the role of the service has its rights');
}

/** Whether somebody has ever given the role its rights here: then it can read what migrations have run. */
export async function hasRights(client: Connection, role: string): Promise<boolean> {
  const { rows } = await client.query<{ reads: boolean }>(READS_SCHEMA, [role]);
  return rows[0]?.reads === true;
}

/** By the name's unique index. */
const READS_SCHEMA = `SELECT has_table_privilege(oid, 'schema_migrations', 'SELECT') AS reads FROM pg_roles WHERE rolname = $1`;

/** By the name's unique index. */
const FIND_ROLE = 'SELECT rolname = current_user AS is_own FROM pg_roles WHERE rolname = $1';

async function assertOther(client: Connection, role: string): Promise<void> {
  const { rows } = await client.query<{ is_own: boolean }>(FIND_ROLE, [role]);
  const [found] = rows;
  if (!found) throw new Error(`DATABASE_SERVICE_ROLE names ${role}, a role that does not exist: create it first`);
  if (found.is_own)
    throw new Error(`DATABASE_SERVICE_ROLE names ${role}, the role of DATABASE_URL itself: it must be another`);
}

/** What is missing, and whether the role of this connection can do something about it. */
const PLACE = `
  SELECT current_database() AS database,
    NOT has_database_privilege($1, current_database(), 'CONNECT') AS lacks_connect,
    has_schema_privilege($1, 'public', 'CREATE') AND pg_has_role(nspowner, 'USAGE') AS may_create
  FROM pg_namespace WHERE nspname = 'public'`;

type Place = { readonly database: string; readonly lacks_connect: boolean; readonly may_create: boolean };

async function grantPlace(client: Connection, role: string): Promise<void> {
  const { rows } = await client.query<Place>(PLACE, [role]);
  const grantee = client.escapeIdentifier(role);
  for (const { database, lacks_connect: lacksConnect, may_create: mayCreate } of rows) {
    if (lacksConnect)
      await client.query(`GRANT CONNECT ON DATABASE ${client.escapeIdentifier(database)} TO ${grantee}`);
    // Before PostgreSQL 15 everyone may make tables there.
    if (mayCreate) await client.query(`REVOKE CREATE ON SCHEMA public FROM PUBLIC, ${grantee}`);
  }
  await client.query(`GRANT USAGE ON SCHEMA public TO ${grantee}`);
  // A table of the next migration can be read from its first moment on, as health does, and has its other rights after it.
  await client.query(`ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO ${grantee}`);
}

/** Ours in the schema, not those of extensions; append-only is a table that the schema itself refuses changes of. */
const OBJECTS = `
  SELECT 'TABLE' AS kind, c.relname AS plain, c.oid::regclass::text AS name,
    c.relname IN ('schema_migrations', 'schema_needs') AS is_read_only,
    EXISTS (SELECT FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE t.tgrelid = c.oid AND p.proname = 'refuse_change') AS is_append_only
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND pg_has_role(c.relowner, 'USAGE')
  UNION ALL
  SELECT 'ROUTINE', p.proname, p.oid::regprocedure::text, true, false
  FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND p.prorettype <> 'trigger'::regtype AND pg_has_role(p.proowner, 'USAGE')
  UNION ALL
  SELECT 'SEQUENCE', c.relname, c.oid::regclass::text, c.oid = pg_get_serial_sequence('schema_migrations', 'id')::regclass, false
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'S' AND pg_has_role(c.relowner, 'USAGE')
  ORDER BY kind, plain`;

type Granted = {
  readonly kind: 'TABLE' | 'ROUTINE' | 'SEQUENCE';
  readonly plain: string;
  /** As it stands in a statement. */
  readonly name: string;
  readonly is_read_only: boolean;
  readonly is_append_only: boolean;
};

type Tables = { readonly grantee: string; readonly removesFrom: readonly string[] };

async function grantTables(client: Connection, { grantee, removesFrom }: Tables): Promise<GivenRights> {
  const { rows } = await client.query<Granted>(OBJECTS);
  const missing = removesFrom.filter((table) => !rows.some(({ plain }) => plain === table));
  if (missing.length > 0) throw new Error(`there is no table ${missing.join(', ')} to remove rows from`);
  const given: Record<string, string> = {};
  for (const one of rows) {
    const rights = rightsOn(one, removesFrom);
    // Everybody may call functions, and the role is to.
    const others = one.kind === 'ROUTINE' ? '' : ', PUBLIC';
    await client.query(`REVOKE ALL ON ${one.kind} ${one.name} FROM ${grantee}${others}`);
    if (rights !== '') await client.query(`GRANT ${rights} ON ${one.kind} ${one.name} TO ${grantee}`);
    if (one.kind === 'TABLE') given[one.name] = rights;
  }
  return given;
}

function rightsOn({ kind, plain, ...table }: Granted, removesFrom: readonly string[]): string {
  if (kind === 'ROUTINE') return 'EXECUTE';
  if (kind === 'SEQUENCE') return table.is_read_only ? '' : 'USAGE';
  if (table.is_read_only) return 'SELECT';
  if (table.is_append_only) return 'SELECT, INSERT';
  return removesFrom.includes(plain) ? 'SELECT, INSERT, UPDATE, DELETE' : 'SELECT, INSERT, UPDATE';
}

/** Tables of the queue on which only their owner sees rows unless a policy says otherwise, and whose policy is not there yet. */
const CLOSED = `
  SELECT c.oid::regclass::text AS name FROM pg_class c
  WHERE c.oid = ANY ($1::regclass[]) AND c.relrowsecurity
    AND NOT EXISTS (SELECT FROM pg_policies p
      WHERE p.schemaname = 'graphile_worker' AND p.tablename = c.relname AND $2 = ANY (p.roles))`;

type Queue = { readonly role: string; readonly grantee: string };

async function grantQueue(client: Connection, { role, grantee }: Queue): Promise<GivenRights> {
  const { rows: schemas } = await client.query("SELECT FROM pg_namespace WHERE nspname = 'graphile_worker'");
  if (schemas.length === 0) return {};
  await client.query(`GRANT USAGE ON SCHEMA graphile_worker TO ${grantee}`);
  await client.query(`REVOKE ALL ON ALL TABLES IN SCHEMA graphile_worker FROM ${grantee}, PUBLIC`);
  await client.query(`GRANT EXECUTE ON ALL ROUTINES IN SCHEMA graphile_worker TO ${grantee}`);
  for (const [table, rights] of Object.entries(QUEUE_RIGHTS)) {
    await client.query(`GRANT ${rights} ON ${table} TO ${grantee}`);
  }
  const { rows: closed } = await client.query<{ name: string }>(CLOSED, [Object.keys(QUEUE_RIGHTS), role]);
  for (const { name } of closed) {
    await client.query(`CREATE POLICY ${grantee} ON ${name} TO ${grantee} USING (true) WITH CHECK (true)`);
  }
  return QUEUE_RIGHTS;
}
