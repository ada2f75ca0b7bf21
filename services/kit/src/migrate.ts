import { readdirSync } from 'node:fs';
import type { Dependency } from './health.ts';
import { untilAnswering } from './health-wait.ts';
import type { Logger } from './log.ts';
import { keepConnection } from './postgres-kept.ts';
import { QUICK_STATEMENTS, withConnection } from './postgres.ts';
import type { Connection } from './postgres.ts';

type Migration = { readonly databaseUrl: string; readonly dir: string; readonly logger: Logger };

/**
 * Brings a database up to the newest of the numbered SQL files in `dir`, each in a transaction of its own. Safe to run
 * from several processes at once. Waits for a database that is away. Throws an Error that names the file that failed; the
 * ones before it stay applied.
 */
export async function migrate({ databaseUrl, dir, logger }: Migration): Promise<void> {
  const check = () => withConnection(databaseUrl, async () => {}, QUICK_STATEMENTS);
  await untilAnswering({ name: 'postgresql', check, logger });
  const { runner } = await import('node-pg-migrate');
  await withConnection(databaseUrl, async (dbClient) => {
    const options = {
      dbClient,
      dir,
      direction: 'up',
      migrationsTable: 'schema_migrations',
      checkOrder: true,
      advisoryLockMode: 'wait',
      logger: {
        info: () => {},
        warn: (message: string) => logger.warn(message),
        error: (message: string) => logger.error(message),
      },
    } as const;
    // A change that waits for a lock makes everyone else wait behind it: it gives up, and the next start tries again.
    await dbClient.query("SET lock_timeout = '3s'");
    const pending = await runner({ ...options, dryRun: true });
    for (const { name } of pending) {
      const applied = await runner({ ...options, file: name }).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`migration ${name} failed: ${reason}`, { cause: error });
      });
      if (applied.length > 0) logger.info({ migration: name }, 'migrated');
    }
  });
}

const LOOK_EVERY_MS = 2_000;

/**
 * A service's own database: well where it answers and has every migration of this release. It may have more, of the release
 * after. It is looked at on a connection of its own, which is kept: one of the requests' would have to be waited for while
 * all are busy, and a busy service is not one that is away; a new one for each look would be a new process of the server.
 */
export function databaseDependency(databaseUrl: string, dir: string): Dependency {
  const wanted = readdirSync(dir)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length));
  const connection = keepConnection(databaseUrl, QUICK_STATEMENTS);
  return {
    name: 'postgresql',
    isVital: true,
    everyMs: LOOK_EVERY_MS,
    async check() {
      const applied = new Set(await connection.use(readApplied));
      const missing = wanted.filter((name) => !applied.has(name));
      if (missing.length > 0) throw new Error(`the schema lacks ${missing.join(', ')}: run the migrations`);
    },
    end: () => connection.close(),
  };
}

/** The whole of a table with a row for each file. */
const APPLIED = 'SELECT name FROM schema_migrations';
/** What PostgreSQL says of a table that is not there. */
const UNDEFINED_TABLE = '42P01';

/** None in a database that was never migrated. */
async function readApplied(client: Connection): Promise<readonly string[]> {
  try {
    const { rows } = await client.query<{ name: string }>(APPLIED);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE) return [];
    throw error;
  }
}
