import type { Logger } from './log.ts';

/** Brings a database up to the newest of the numbered SQL files in `dir`. Safe to run from several processes at once. */
export async function migrate({
  databaseUrl,
  dir,
  logger,
}: {
  databaseUrl: string;
  dir: string;
  logger: Logger;
}): Promise<void> {
  const { runner } = await import('node-pg-migrate');
  const applied = await runner({
    databaseUrl,
    dir,
    direction: 'up',
    migrationsTable: 'schema_migrations',
    checkOrder: true,
    advisoryLockMode: 'wait',
    logger: {
      debug: () => {},
      info: () => {},
      warn: (message) => logger.warn(message),
      error: (message) => logger.error(message),
    },
  });
  for (const { name } of applied) logger.info({ migration: name }, 'migrated');
}
