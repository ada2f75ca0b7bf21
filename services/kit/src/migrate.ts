import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunnerOption } from 'node-pg-migrate';
import type { Dependency } from './health.ts';
import { untilAnswering } from './health-wait.ts';
import type { Logger } from './log.ts';
import { keepConnection } from './postgres-kept.ts';
import { QUICK_STATEMENTS, withConnection } from './postgres.ts';
import type { Connection } from './postgres.ts';
import { readMigrationNames, readNeeds, readSchema, reasonTooNew, recordNeeds } from './schema-needs.ts';

type Migration = { readonly databaseUrl: string; readonly dir: string; readonly logger: Logger };

type WholeMigration = Migration & {
  /** What else belongs to the schema, done under the same lock, on the connection that holds it; nothing where it is absent. */
  readonly finish?: (client: Connection, state: SchemaState) => Promise<void>;
};

/** Whether a schema is that of this release or of one after it. */
export type SchemaState = 'current' | 'later';

/** That of node-pg-migrate, which releases before this one took by the library; in PostgreSQL, each database has its own. */
const MIGRATION_LOCK = '7241865325823964';
const LOCK_AGAIN_MS = 200;
const TELL_EVERY_MS = 5_000;

/**
 * Brings a database up to the newest of the numbered SQL files in `dir`, each in a transaction of its own. Safe to run
 * from several processes at once. Waits for a database that is away. Throws an Error that names the file that failed; the
 * ones before it stay applied.
 */
export async function migrate({ databaseUrl, dir, logger }: Migration): Promise<void> {
  await untilAnswering({ name: 'postgresql', check: () => connectOnce(databaseUrl), logger });
  await applyMigrations({ databaseUrl, dir, logger });
}

/** Rejects where the database is away. */
export function connectOnce(databaseUrl: string): Promise<void> {
  return withConnection(databaseUrl, async () => {}, QUICK_STATEMENTS);
}

/**
 * As `migrate`, of a database that is there. Tells whether it is that of a later release already: then no table is changed, and
 * where that schema does not bear this release any more, it throws an Error that says so.
 */
export function applyMigrations({ databaseUrl, dir, logger, finish }: WholeMigration): Promise<SchemaState> {
  return withConnection(databaseUrl, async (client) => {
    await takeLock(client, logger);
    await assertOurs(client);
    const names = readMigrationNames(dir);
    const schema = await readSchema(client);
    const reason = reasonTooNew(schema, names);
    if (reason !== null) throw new Error(reason);
    const later = schema.applied.filter((name) => !names.includes(name));
    await applyPending(client, { dir, logger });
    if (later.length > 0)
      logger.info({ later }, 'the schema is that of a later release, which bears this one: no table is changed');
    const state = later.length > 0 ? 'later' : 'current';
    await finish?.(client, state);
    return state;
  });
}

/** Held until the connection ends, and asked for again and again: to wait for it in the database is bounded like any lock. */
async function takeLock(client: Connection, logger: Logger): Promise<void> {
  let toldMs = -Infinity;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.taken) return;
    if (performance.now() - toldMs > TELL_EVERY_MS) {
      logger.info('another process is migrating; waiting for its end');
      toldMs = performance.now();
    }
    await wait(LOCK_AGAIN_MS);
  }
}

const FIND_OWNER = `
  SELECT pg_get_userbyid(relowner) AS owner, pg_has_role(relowner, 'USAGE') AS is_ours
  FROM pg_class WHERE oid = to_regclass('schema_migrations')`;

/** Whoever made the first table made the others, and alone may change them and give rights on them. */
async function assertOurs(client: Connection): Promise<void> {
  const { rows } = await client.query<{ owner: string; is_ours: boolean }>(FIND_OWNER);
  const foreign = rows.find((row) => !row.is_ours);
  if (foreign) throw new Error(`the schema belongs to ${foreign.owner}, so the role of DATABASE_URL cannot change it`);
}

async function applyPending(dbClient: Connection, { dir, logger }: Omit<Migration, 'databaseUrl'>): Promise<void> {
  const { runner } = await import('node-pg-migrate');
  const options: RunnerOption = {
    dbClient,
    dir,
    direction: 'up',
    migrationsTable: 'schema_migrations',
    checkOrder: true,
    noLock: true,
    migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadMigrations }],
    logger: {
      info: () => {},
      warn: (message: string) => logger.warn(message),
      error: (message: string) => logger.error(message),
    },
  };
  // A change that waits for a lock makes everyone else wait behind it: it gives up, and the next start tries again.
  await dbClient.query("SET lock_timeout = '3s'");
  const pending = await runner({ ...options, dryRun: true });
  for (const { name } of pending) {
    await runner({ ...options, file: name }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`migration ${name} failed: ${reason}`, { cause: error });
    });
    logger.info({ migration: name }, 'migrated');
  }
}

/** Each is the SQL of its file and, behind it, the record of what it needs. */
function loadMigrations(files: string[]) {
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(file, 'utf8');
      const needs = readNeeds(file, sql);
      const up = (builder: { sql(statements: string): void }) => {
        builder.sql(sql);
        if (needs !== null) builder.sql(recordNeeds(path.basename(file, '.sql'), needs));
      };
      return { id: file, filePaths: [file], actions: { up, down: false as const } };
    }),
  );
}

const LOOK_EVERY_MS = 2_000;

/**
 * A service's own database: well where it answers and has every migration of this release. It may have more, of the release
 * after, as long as that bears this one. It is looked at on a connection of its own, which is kept: one of the requests' would
 * have to be waited for while all are busy, and a busy service is not one that is away; a new one for each look would be a new
 * process of the server.
 */
export function databaseDependency(databaseUrl: string, dir: string): Dependency {
  const wanted = readMigrationNames(dir);
  const connection = keepConnection(databaseUrl, QUICK_STATEMENTS);
  return {
    name: 'postgresql',
    isVital: true,
    everyMs: LOOK_EVERY_MS,
    async check() {
      const schema = await connection.use(readSchema);
      const reason = reasonTooNew(schema, wanted);
      if (reason !== null) throw new Error(reason);
      const missing = wanted.filter((name) => !schema.applied.includes(name));
      if (missing.length > 0) throw new Error(`the schema lacks ${missing.join(', ')}: run the migrations`);
    },
    end: () => connection.close(),
  };
}
