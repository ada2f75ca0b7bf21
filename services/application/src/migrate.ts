import { ConfigError } from '@pfq/kit/config';
import { isMongoRefusal, isMongoUrl, pingMongo, withMongo } from '@pfq/kit/mongo';
import { doStep, migrateDatabase, runMigration, untilConnected } from '@pfq/kit/run-migration';
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
    const connect = () => pingMongo(databaseUrl);
    await untilConnected(connect, { what: 'mongodb', isRefusal: isMongoRefusal, waitMs, logger });
    await doStep('the indexes are not made in mongodb', () => withMongo(databaseUrl, createApplicationIndexes));
    return 'current';
  },
});
