import { migrateDatabase, runMigration } from '@pfq/kit/run-migration';
import { migrationSettings } from '@pfq/kit/schema-settings';
import { MIGRATIONS, REMOVED_FROM } from './storage/migrations.ts';

await runMigration(process, {
  service: 'gateway',
  settings: migrationSettings,
  migrate: (config, logger) => migrateDatabase(config, { dir: MIGRATIONS, removesFrom: REMOVED_FROM, logger }),
});
