import { join } from 'node:path';
import { createLogger } from '@pfq/kit/log';
import { migrate } from '@pfq/kit/migrate';
import { openDatabase } from '@pfq/kit/postgres';
import { serveRpc } from '@pfq/kit/rpc/server';
import type { PricingConfig } from './config.ts';
import { DEFAULT_SETTINGS, formatSettings } from './domain/settings-text.ts';
import { COVERAGE_LIST } from './rpc/coverage-list.ts';
import { pricingRoutes } from './rpc/routes.ts';
import { postgresPricingStore } from './storage/postgres.ts';
import { openReferenceLibrary } from './storage/reference-library.ts';

/** Who the audit log names for what a release brings with it. */
const RELEASE = 'release';

export async function start(config: PricingConfig) {
  const { databaseUrl, listenHost: host, rpcPort: port, operatorToken } = config;
  const logger = createLogger({ service: 'pricing', level: config.logLevel, format: config.logFormat });
  if (config.migrateOnStart) await migrate({ databaseUrl, dir: join(import.meta.dirname, '../migrations'), logger });
  const database = openDatabase(databaseUrl, logger);
  const store = postgresPricingStore(database);
  await store.recordFirstSettings(formatSettings(DEFAULT_SETTINGS), RELEASE);
  await store.recordCoverageList(COVERAGE_LIST);
  const library = openReferenceLibrary(store, COVERAGE_LIST.version);
  const server = await serveRpc({
    routes: pricingRoutes({ store, library, logger }),
    host,
    port,
    operatorToken,
    logger,
  });
  logger.info({ port: server.port }, 'ready');
  return {
    port: server.port,
    async stop() {
      await server.stop();
      await database.close();
    },
  };
}
