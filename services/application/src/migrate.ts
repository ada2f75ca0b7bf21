import { ConfigError } from '@pfq/kit/config';
import { isMongoUrl, withMongo } from '@pfq/kit/mongo';
import { migrateDatabase, runMigration, untilDone } from '@pfq/kit/run-migration';
import { migrationSettings } from './config.ts';
import { MIGRATIONS } from './storage/migrations.ts';
import { createApplicationIndexes } from './storage/mongo.ts';

await runMigration(process, {
  service: 'application',
  settings: migrationSettings,
  async migrate(config, logger) {
    const { databaseUrl, serviceRole, waitMs } = config;
    if (!isMongoUrl(databaseUrl)) return migrateDatabase(config, { dir: MIGRATIONS, logger });
    if (serviceRole !== null)
      throw new ConfigError(['DATABASE_SERVICE_ROLE is of PostgreSQL, and DATABASE_URL of MongoDB: keep one']);
    const make = () => withMongo(databaseUrl, createApplicationIndexes);
    await untilDone(make, { what: 'mongodb', waitMs, logger });
  },
});
