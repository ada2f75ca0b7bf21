import type { Logger } from './log.ts';
import { MIGRATION_LOCK } from './migrate.ts';
import { withConnection } from './postgres.ts';
import type { Connection } from './postgres.ts';

type Granting = {
  /** Under the role that owns the schema. */
  readonly databaseUrl: string;
  /** That which the service itself uses. */
  readonly role: string;
  /** Tables from which the service removes rows; of all others nothing is ever removed. */
  readonly removesFrom: readonly string[];
  readonly logger: Logger;
};

/** What graphile-worker 0.18 does at run time, with functions that have the rights of their caller, and what `jobs-presence` adds. */
const QUEUE_RIGHTS: Readonly<Record<string, string>> = {
  _private_jobs: 'SELECT, INSERT, UPDATE, DELETE',
  _private_job_queues: 'SELECT, INSERT, UPDATE',
  _private_tasks: 'SELECT, INSERT',
  jobs: 'SELECT',
};

/**
 * Gives a service's role what the service does, on all that is there now, and takes away whatever else it had: to read and add
 * rows, to change those of tables that are not append-only, to remove from the tables named, to call functions, and to work with
 * the job queue. Throws an Error for a role that does not exist, or that could change the schema all the same.
 */
export function grantRights({ databaseUrl, role, removesFrom, logger }: Granting): Promise<void> {
  return withConnection(databaseUrl, async (client) => {
    await assertOther(client, role);
    await assertOurs(client);
    await client.query('BEGIN');
    // Two grants on one table at once fail. Undone with everything else where the connection ends before COMMIT.
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query("SET LOCAL lock_timeout = '3s'");
    const grantee = client.escapeIdentifier(role);
    await grantPlace(client, role);
    await grantTables(client, { grantee, removesFrom });
    await grantQueue(client, { role, grantee });
    await assertBound(client, role);
    await client.query('COMMIT');
    logger.info({ role }, 'the role of the service has its rights');
  });
}

/** By the name's unique index. */
const FIND_ROLE = 'SELECT rolname = current_user AS is_own FROM pg_roles WHERE rolname = $1';

async function assertOther(client: Connection, role: string): Promise<void> {
  const { rows } = await client.query<{ is_own: boolean }>(FIND_ROLE, [role]);
  const [found] = rows;
  if (!found) throw new Error(`DATABASE_SERVICE_ROLE names ${role}, a role that does not exist: create it first`);
  if (found.is_own)
    throw new Error(`DATABASE_SERVICE_ROLE names ${role}, the role of DATABASE_URL itself: it must be another`);
}

const FIND_OWNER = `
  SELECT pg_get_userbyid(relowner) AS owner, pg_has_role(relowner, 'USAGE') AS is_ours
  FROM pg_class WHERE oid = 'schema_migrations'::regclass`;

/** Whoever made the first table made the others. */
async function assertOurs(client: Connection): Promise<void> {
  const { rows } = await client.query<{ owner: string; is_ours: boolean }>(FIND_OWNER);
  const foreign = rows.find((row) => !row.is_ours);
  if (foreign)
    throw new Error(`the schema belongs to ${foreign.owner}, so the role of DATABASE_URL cannot give rights`);
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

async function grantTables(client: Connection, { grantee, removesFrom }: Tables): Promise<void> {
  const { rows } = await client.query<Granted>(OBJECTS);
  const missing = removesFrom.filter((table) => !rows.some(({ plain }) => plain === table));
  if (missing.length > 0) throw new Error(`there is no table ${missing.join(', ')} to remove rows from`);
  for (const one of rows) {
    const rights = rightsOn(one, removesFrom);
    await client.query(`REVOKE ALL ON ${one.kind} ${one.name} FROM ${grantee}`);
    if (rights !== '') await client.query(`GRANT ${rights} ON ${one.kind} ${one.name} TO ${grantee}`);
  }
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
  SELECT c.relname AS name FROM pg_class c
  WHERE c.relnamespace = to_regnamespace('graphile_worker') AND c.relrowsecurity AND c.relname = ANY ($1)
    AND NOT EXISTS (SELECT FROM pg_policies p
      WHERE p.schemaname = 'graphile_worker' AND p.tablename = c.relname AND $2 = ANY (p.roles))`;

type Queue = { readonly role: string; readonly grantee: string };

async function grantQueue(client: Connection, { role, grantee }: Queue): Promise<void> {
  const { rows: schemas } = await client.query("SELECT FROM pg_namespace WHERE nspname = 'graphile_worker'");
  if (schemas.length === 0) return;
  await client.query(`GRANT USAGE ON SCHEMA graphile_worker TO ${grantee}`);
  await client.query(`REVOKE ALL ON ALL TABLES IN SCHEMA graphile_worker FROM ${grantee}`);
  await client.query(`GRANT EXECUTE ON ALL ROUTINES IN SCHEMA graphile_worker TO ${grantee}`);
  for (const [table, rights] of Object.entries(QUEUE_RIGHTS)) {
    await client.query(`GRANT ${rights} ON graphile_worker.${table} TO ${grantee}`);
  }
  const { rows: closed } = await client.query<{ name: string }>(CLOSED, [Object.keys(QUEUE_RIGHTS), role]);
  for (const { name } of closed) {
    await client.query(
      `CREATE POLICY ${grantee} ON graphile_worker.${name} TO ${grantee} USING (true) WITH CHECK (true)`,
    );
  }
}

/** Each is a way to change the schema that grants are not asked for. */
const LOOSE = `
  SELECT says FROM pg_roles r, LATERAL (VALUES
    (r.rolsuper, 'is a superuser'),
    (NOT r.rolsuper AND pg_has_role(r.oid, current_user, 'MEMBER'), 'is a member of ' || current_user),
    (has_database_privilege(r.oid, current_database(), 'CREATE'), 'may create schemas in this database'),
    (has_schema_privilege(r.oid, 'public', 'CREATE'), 'may create tables in the schema public'),
    (EXISTS (SELECT FROM pg_class c WHERE c.relowner = r.oid
      AND c.relnamespace IN ('public'::regnamespace, to_regnamespace('graphile_worker'))), 'owns tables')
  ) AS loose (is_so, says)
  WHERE r.rolname = $1 AND is_so`;

async function assertBound(client: Connection, role: string): Promise<void> {
  const { rows } = await client.query<{ says: string }>(LOOSE, [role]);
  if (rows.length === 0) return;
  const ways = rows.map(({ says }) => says).join(', ');
  throw new Error(`DATABASE_SERVICE_ROLE names ${role}, which could change the schema: it ${ways}`);
}
