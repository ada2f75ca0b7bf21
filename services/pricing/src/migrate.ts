import { migrateDatabase, runMigration } from '@pfq/kit/run-migration';
import { migrationSettings } from '@pfq/kit/schema-settings';
import { MIGRATIONS } from './storage/migrations.ts';

await runMigration(process, {
  service: 'pricing',
  settings: migrationSettings,
  migrate: (config, logger) => migrateDatabase(config, { dir: MIGRATIONS, logger }),
});
