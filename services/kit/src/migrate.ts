import type { Logger } from './log.ts';
import { withConnection } from './postgres.ts';

type Migration = { readonly databaseUrl: string; readonly dir: string; readonly logger: Logger };

/**
 * Brings a database up to the newest of the numbered SQL files in `dir`, each in a transaction of its own. Safe to run
 * from several processes at once. Throws an Error that names the file that failed; the ones before it stay applied.
 */
export async function migrate({ databaseUrl, dir, logger }: Migration): Promise<void> {
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
