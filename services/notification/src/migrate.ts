import { migrateJobs } from '@pfq/kit/jobs';
import { migrateDatabase, runMigration } from '@pfq/kit/run-migration';
import { migrateTopics } from '@pfq/kit/run-migration-topics';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import { migrationSettings } from './config.ts';
import { MIGRATIONS } from './storage/migrations.ts';

await runMigration(process, {
  service: 'notification',
  settings: migrationSettings,
  async migrate({ eventsUrl, ...config }, logger) {
    const state = await migrateDatabase(config, { dir: MIGRATIONS, migrateJobs, logger });
    if (state === 'later' || eventsUrl === null) return state;
    await migrateTopics(eventsUrl, { topics: [INTEREST_EXPRESSED], waitMs: config.waitMs, logger });
    return state;
  },
});
