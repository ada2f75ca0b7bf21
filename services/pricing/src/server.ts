import { auditRoutes, postgresAuditLog } from '@pfq/kit/audit';
import { systemClock } from '@pfq/kit/clock';
import { untilReady, watchHealth } from '@pfq/kit/health';
import { createLogger } from '@pfq/kit/log';
import { databaseDependency, migrate } from '@pfq/kit/migrate';
import { openDatabase } from '@pfq/kit/postgres';
import { serveRpc } from '@pfq/kit/rpc/server';
import { openRpcTls } from '@pfq/kit/rpc/tls';
import type { PricingConfig } from './config.ts';
import { DEFAULT_SETTINGS, formatSettings } from './domain/settings-text.ts';
import { observeRateSheet } from './metrics.ts';
import { COVERAGE_LIST } from './rpc/coverage-list.ts';
import { pricingRoutes } from './rpc/routes.ts';
import { MIGRATIONS } from './storage/migrations.ts';
import { postgresPricingStore } from './storage/postgres.ts';
import { openReferenceLibrary } from './storage/reference-library.ts';

/** Who the audit log names for what a release brings with it. */
const RELEASE = 'release';

export async function start(config: PricingConfig) {
  const { databaseUrl, listenHost: host, rpcPort: port, operatorToken, connectionAgeMs } = config;
  const logger = createLogger({ service: 'pricing', level: config.logLevel, format: config.logFormat });
  if (config.migrateOnStart) await migrate({ databaseUrl, dir: MIGRATIONS, logger });
  const database = openDatabase(databaseUrl, logger, { poolSize: config.databasePoolSize });
  const health = await watchHealth({ dependencies: [databaseDependency(databaseUrl, MIGRATIONS)], logger });
  const store = postgresPricingStore(database);
  // What a release brings with it goes into the database before anything is priced.
  await untilReady(health);
  await store.recordFirstSettings(formatSettings(DEFAULT_SETTINGS), RELEASE);
  await store.recordCoverageList(COVERAGE_LIST);
  const library = openReferenceLibrary(store, COVERAGE_LIST.version);
  const forgetRateSheet = observeRateSheet(library, systemClock);
  const server = await serveRpc({
    routes(router) {
      pricingRoutes({ store, library, logger })(router);
      auditRoutes(postgresAuditLog(database))(router);
    },
    host,
    port,
    operatorToken,
    logger,
    health,
    tls: openRpcTls({ folder: config.rpcTlsDir, logger }),
    connectionAgeMs,
  });
  logger.info({ port: server.port }, 'listening');
  return {
    port: server.port,
    health,
    async stop() {
      health.stop();
      await server.stop();
      forgetRateSheet();
      await database.close();
    },
  };
}
