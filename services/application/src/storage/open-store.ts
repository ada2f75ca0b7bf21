import { join } from 'node:path';
import { systemClock } from '@pfq/kit/clock';
import type { Logger } from '@pfq/kit/log';
import { migrate } from '@pfq/kit/migrate';
import { isMongoUrl, openMongo, withMongo } from '@pfq/kit/mongo';
import { openDatabase } from '@pfq/kit/postgres';
import { createApplicationIndexes, mongoApplicationStore } from './mongo.ts';
import { postgresApplicationStore } from './postgres.ts';
import type { ApplicationStore } from './store.ts';

type Opening = { readonly databaseUrl: string; readonly migrateOnStart: boolean; readonly logger: Logger };

export type OpenStore = { readonly store: ApplicationStore; close(): Promise<void> };

/** The store in the engine that the address names. The database need be there only where it is to be migrated. */
export function openStore(opening: Opening): Promise<OpenStore> {
  return isMongoUrl(opening.databaseUrl) ? openInMongo(opening) : openInPostgres(opening);
}

async function openInPostgres({ databaseUrl, migrateOnStart, logger }: Opening): Promise<OpenStore> {
  if (migrateOnStart) await migrate({ databaseUrl, dir: join(import.meta.dirname, '../../migrations'), logger });
  const database = openDatabase(databaseUrl, logger);
  return { store: postgresApplicationStore(database), close: () => database.close() };
}

async function openInMongo({ databaseUrl, migrateOnStart, logger }: Opening): Promise<OpenStore> {
  if (migrateOnStart) await withMongo(databaseUrl, createApplicationIndexes);
  const database = openMongo(databaseUrl, logger);
  return { store: mongoApplicationStore(database, systemClock), close: () => database.close() };
}
