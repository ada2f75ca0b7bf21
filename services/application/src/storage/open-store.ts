import { postgresAuditLog } from '@pfq/kit/audit';
import type { AuditSource } from '@pfq/kit/audit';
import { systemClock } from '@pfq/kit/clock';
import type { Dependency } from '@pfq/kit/health';
import { untilAnswering } from '@pfq/kit/health-wait';
import type { Logger } from '@pfq/kit/log';
import { databaseDependency, migrate } from '@pfq/kit/migrate';
import { isMongoUrl, mongoDependency, openMongo, withMongo } from '@pfq/kit/mongo';
import { openDatabase } from '@pfq/kit/postgres';
import { MIGRATIONS } from './migrations.ts';
import { mongoAuditLog } from './mongo-audit.ts';
import { assertApplicationIndexes, createApplicationIndexes, mongoApplicationStore } from './mongo.ts';
import { postgresApplicationStore } from './postgres.ts';
import type { ApplicationStore } from './store.ts';

type Opening = {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly migrateOnStart: boolean;
  readonly logger: Logger;
};

export type OpenStore = {
  readonly store: ApplicationStore;
  readonly audit: AuditSource;
  readonly dependency: Dependency;
  close(): Promise<void>;
};

/** The store in the engine that the address names. The database need be there only where it is to be migrated. */
export function openStore(opening: Opening): Promise<OpenStore> {
  return isMongoUrl(opening.databaseUrl) ? openInMongo(opening) : openInPostgres(opening);
}

async function openInPostgres({ databaseUrl, poolSize, migrateOnStart, logger }: Opening): Promise<OpenStore> {
  if (migrateOnStart) await migrate({ databaseUrl, dir: MIGRATIONS, logger });
  const database = openDatabase(databaseUrl, logger, { poolSize });
  const dependency = databaseDependency(databaseUrl, MIGRATIONS);
  const store = postgresApplicationStore(database);
  return { store, audit: postgresAuditLog(database), dependency, close: () => database.close() };
}

async function openInMongo({ databaseUrl, poolSize, migrateOnStart, logger }: Opening): Promise<OpenStore> {
  if (migrateOnStart) {
    const check = () => withMongo(databaseUrl, async (db) => void (await db.command({ ping: 1 })));
    await untilAnswering({ name: 'mongodb', check, logger });
    await withMongo(databaseUrl, createApplicationIndexes);
  }
  const database = openMongo(databaseUrl, logger, { poolSize });
  const dependency = { ...mongoDependency(database), check: () => database.read(assertApplicationIndexes) };
  const store = mongoApplicationStore(database, systemClock);
  return { store, audit: mongoAuditLog(database), dependency, close: () => database.close() };
}
