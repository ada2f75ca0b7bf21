import { startMakingTopics } from '@pfq/kit/events';
import { migrateJobs, startJobs } from '@pfq/kit/jobs';
import { watchHealth } from '@pfq/kit/health';
import { createLogger } from '@pfq/kit/log';
import { databaseDependency, migrate } from '@pfq/kit/migrate';
import { openDatabase } from '@pfq/kit/postgres';
import { serveRpc } from '@pfq/kit/rpc/server';
import { openRpcTls } from '@pfq/kit/rpc/tls';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import type { QuoteStoreConfig } from './config.ts';
import { openDelivery } from './publishing/delivery.ts';
import { publishInterest } from './publishing/publish-interest.ts';
import { quoteStoreRoutes } from './rpc/routes.ts';
import { MIGRATIONS } from './storage/migrations.ts';
import { postgresQuoteStore } from './storage/postgres.ts';
import { PUBLISH_INTEREST } from './storage/publish-job.ts';

/** The first retry is hardly noticed by the broker, and once Kafka or notification is back its events are there soon. */
const RETRY = { firstMs: 500, longestMs: 15_000 };
const JOBS_AT_ONCE = 4;
/** In logs, and at the broker. */
const NAME = 'quote-store';

export async function start(config: QuoteStoreConfig) {
  const { databaseUrl, listenHost: host, rpcPort: port, operatorToken, migrateOnStart, eventsUrl } = config;
  const logger = createLogger({ service: NAME, level: config.logLevel, format: config.logFormat });
  if (migrateOnStart) {
    await migrate({ databaseUrl, dir: MIGRATIONS, logger });
    await migrateJobs(databaseUrl, logger);
  }
  const database = openDatabase(databaseUrl, logger, { poolSize: config.databasePoolSize });
  const tls = openRpcTls({ folder: config.rpcTlsDir, logger });
  const delivery = openDelivery(eventsUrl, { clientId: NAME, logger, tls });
  const dependencies = [databaseDependency(databaseUrl, MIGRATIONS), delivery.dependency];
  const health = await watchHealth({ dependencies, logger });
  const store = postgresQuoteStore(database);
  const server = await serveRpc({
    routes: quoteStoreRoutes(store, logger),
    host,
    port,
    operatorToken,
    logger,
    health,
    tls,
    connectionAgeMs: config.connectionAgeMs,
  });
  // Beside everything else: Kafka may be away, and holds nothing up.
  const topics =
    migrateOnStart && eventsUrl.kind === 'kafka' ? startMakingTopics(eventsUrl, [INTEREST_EXPRESSED], logger) : null;
  const jobs = await startJobs({
    databaseUrl,
    tasks: { [PUBLISH_INTEREST]: publishInterest({ store, delivery, logger }) },
    concurrency: JOBS_AT_ONCE,
    retry: RETRY,
    logger,
  });
  logger.info({ port: server.port }, 'listening');
  return {
    port: server.port,
    health,
    async stop() {
      health.stop();
      // Together, because each may take most of the time that there is. A job that a last call leaves is another process's.
      await Promise.all([server.stop(), jobs.stop(), topics?.stop()]);
      await delivery.close();
      await database.close();
    },
  };
}
