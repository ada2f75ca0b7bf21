import { makeTopics } from '@pfq/kit/events';
import { migrateJobs } from '@pfq/kit/jobs';
import { migrateDatabase, runMigration, untilDone } from '@pfq/kit/run-migration';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import { migrationSettings } from './config.ts';
import { MIGRATIONS } from './storage/migrations.ts';

await runMigration(process, {
  service: 'notification',
  settings: migrationSettings,
  async migrate({ eventsUrl, ...config }, logger) {
    await migrateDatabase(config, { dir: MIGRATIONS, migrateJobs, logger });
    if (eventsUrl === null) return;
    const make = () => makeTopics(eventsUrl, [INTEREST_EXPRESSED], logger);
    await untilDone(make, { what: 'kafka', waitMs: config.waitMs, logger });
  },
});
