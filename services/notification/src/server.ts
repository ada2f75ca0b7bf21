import { createClient } from '@connectrpc/connect';
import { auditRoutes, postgresAuditLog } from '@pfq/kit/audit';
import { kafkaDependency, startMakingTopics } from '@pfq/kit/events';
import { migrateJobs, startJobs } from '@pfq/kit/jobs';
import { watchHealth } from '@pfq/kit/health';
import { createLogger } from '@pfq/kit/log';
import { openMailer } from '@pfq/kit/mail';
import { databaseDependency, migrate } from '@pfq/kit/migrate';
import { openDatabase } from '@pfq/kit/postgres';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { rpcDependency } from '@pfq/kit/rpc/check-health';
import { serveRpc } from '@pfq/kit/rpc/server';
import type { RpcRoutes } from '@pfq/kit/rpc/server';
import { openRpcTls } from '@pfq/kit/rpc/tls';
import { QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import type { NotificationConfig } from './config.ts';
import { consumeEvents } from './consumer.ts';
import { acceptEvent } from './events/accept-event.ts';
import { composeMessages } from './events/compose-message.ts';
import { recordOutcome } from './jobs/record-outcome.ts';
import { sendEmail } from './jobs/send-email.ts';
import { notificationRoutes } from './rpc/routes.ts';
import { RECORD_OUTCOME, SEND_EMAIL } from './storage/email-jobs.ts';
import { MIGRATIONS } from './storage/migrations.ts';
import { postgresEmailStore } from './storage/postgres.ts';

/** For what is away without being a mail server: this database, or the quote store. */
const RETRY = { firstMs: 500, longestMs: 15_000 };
/** As many as the mailer has connections. */
const SENDING_AT_ONCE = 5;
const TELLING_AT_ONCE = 2;
const HOUR_MS = 3_600_000;

/** In logs, and at the broker, whose group of this name remembers how far it has read. */
const NAME = 'notification';

export async function start(config: NotificationConfig) {
  const { databaseUrl, listenHost: host, rpcPort: port, operatorToken, mailFrom, portalUrl, eventsUrl } = config;
  const logger = createLogger({ service: NAME, level: config.logLevel, format: config.logFormat });
  const mailer = openMailer(config, logger);
  if (config.migrateOnStart) {
    await migrate({ databaseUrl, dir: MIGRATIONS, logger });
    await migrateJobs(databaseUrl, logger);
  }
  const database = openDatabase(databaseUrl, logger, { poolSize: config.databasePoolSize });
  const tls = openRpcTls({ folder: config.rpcTlsDir, logger });
  const quoteStoreTransport = createRpcTransport(config.quoteStoreUrl, tls);
  const health = await watchHealth({
    dependencies: [
      databaseDependency(databaseUrl, MIGRATIONS),
      rpcDependency('quote-store', quoteStoreTransport),
      mailer.dependency,
      ...(eventsUrl ? [kafkaDependency(eventsUrl, { clientId: NAME, logger })] : []),
    ],
    logger,
  });
  const store = postgresEmailStore(database, databaseUrl);
  const quoteStore = createClient(QuoteStoreService, quoteStoreTransport);
  const accept = acceptEvent({ store, compose: composeMessages({ from: mailFrom, portalUrl }), logger });
  const routes: RpcRoutes = (router) => {
    notificationRoutes({ store, accept, logger })(router);
    auditRoutes(postgresAuditLog(database))(router);
  };
  const server = await serveRpc({
    routes,
    host,
    port,
    operatorToken,
    logger,
    health,
    tls,
    connectionAgeMs: config.connectionAgeMs,
  });
  const giveUpAfterMs = config.mailGiveUpAfterHours * HOUR_MS;
  const sending = await startJobs({
    databaseUrl,
    tasks: { [SEND_EMAIL]: sendEmail({ store, mailer, from: mailFrom.address, giveUpAfterMs, logger }) },
    concurrency: SENDING_AT_ONCE,
    retry: RETRY,
    logger,
  });
  // Workers of their own: a mail server may take a quarter of an hour for each email.
  const telling = await startJobs({
    databaseUrl,
    tasks: { [RECORD_OUTCOME]: recordOutcome({ store, quoteStore, logger }) },
    concurrency: TELLING_AT_ONCE,
    retry: RETRY,
    logger,
  });
  // Beside everything else: Kafka may be away, and holds nothing up.
  const topics = eventsUrl && config.migrateOnStart && startMakingTopics(eventsUrl, [INTEREST_EXPRESSED], logger);
  const consumer = eventsUrl && (await consumeEvents(eventsUrl, { accept, logger }));
  logger.info({ port: server.port }, 'listening');
  return {
    port: server.port,
    health,
    async stop() {
      health.stop();
      // Together, because each may take most of the time that there is. Whatever is left undone is another process's.
      const jobs = [sending.stop(), telling.stop()];
      await Promise.all([server.stop(), topics && topics.stop(), consumer?.stop(), ...jobs, mailer.close()]);
      quoteStoreTransport.close();
      await database.close();
    },
  };
}
