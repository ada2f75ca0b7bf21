import type { RequestListener } from 'node:http';
import { createClient } from '@connectrpc/connect';
import { auditRoutes, postgresAuditLog } from '@pfq/kit/audit';
import { systemClock } from '@pfq/kit/clock';
import { serveHttp } from '@pfq/kit/http';
import { watchHealth } from '@pfq/kit/health';
import { createLogger } from '@pfq/kit/log';
import { databaseDependency, migrate } from '@pfq/kit/migrate';
import { openDatabase } from '@pfq/kit/postgres';
import { rpcDependency } from '@pfq/kit/rpc/check-health';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { serveRpc } from '@pfq/kit/rpc/server';
import { openRpcTls } from '@pfq/kit/rpc/tls';
import { createSeal } from '@pfq/kit/seal';
import { ApplicationService } from '@pfq/proto/application/v1/application_pb';
import { PricingService } from '@pfq/proto/pricing/v1/pricing_pb';
import { QuoteStoreAdminService, QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { GatewayConfig } from './config.ts';
import { docsSite } from './docs/site.ts';
import { openApiDocument } from './openapi/document.ts';
import { serveDocument } from './openapi/serve-document.ts';
import { publicApi } from './routes/public-api.ts';
import { apiVersions } from './versions/api-versions.ts';
import { CHANGES } from './versions/changes.ts';
import { agencyAdminRoutes } from './rpc/agency-admin.ts';
import { NO_REQUEST_LOG, startRequestLog } from './request-log.ts';
import { quoteAdminRoutes } from './rpc/quote-admin.ts';
import { requestAdminRoutes } from './rpc/request-admin.ts';
import { MIGRATIONS } from './storage/migrations.ts';
import { postgresAccessStore } from './storage/postgres-access.ts';
import { postgresAgencyStore } from './storage/postgres-agencies.ts';
import { postgresBrokerStore } from './storage/postgres-brokers.ts';
import { postgresCounterStore } from './storage/postgres-counters.ts';
import { postgresIdempotencyStore } from './storage/postgres-idempotency.ts';
import { postgresKeyStore } from './storage/postgres-keys.ts';
import { postgresRequestStore } from './storage/postgres-requests.ts';
import { startSweep } from './sweep.ts';

const SWEEP_INTERVAL_MS = 60_000;
const REQUEST_LOG_INTERVAL_MS = 250;

export async function start(config: GatewayConfig) {
  const { databaseUrl, listenHost: host, operatorToken, keyPepper, connectionAgeMs } = config;
  const logger = createLogger({ service: 'gateway', level: config.logLevel, format: config.logFormat });
  if (config.migrateOnStart) await migrate({ databaseUrl, dir: MIGRATIONS, logger });
  const database = openDatabase(databaseUrl, logger, { poolSize: config.databasePoolSize });
  const tls = openRpcTls({ folder: config.rpcTlsDir, logger });
  const toPricing = createRpcTransport(config.pricingUrl, tls);
  const toQuoteStore = createRpcTransport(config.quoteStoreUrl, tls);
  const toApplication = createRpcTransport(config.applicationUrl, tls);
  const health = await watchHealth({
    dependencies: [
      databaseDependency(databaseUrl, MIGRATIONS),
      rpcDependency('pricing', toPricing),
      rpcDependency('quote-store', toQuoteStore),
      rpcDependency('application', toApplication),
    ],
    logger,
  });
  const pricing = createClient(PricingService, toPricing);
  const quoteStoreAdmin = createClient(QuoteStoreAdminService, toQuoteStore);
  const clock = systemClock;
  const versions = apiVersions(CHANGES);
  const idempotency = postgresIdempotencyStore(database, createSeal(config.answerSecrets));
  const keptDays = config.requestLogDays;
  const requests = postgresRequestStore(database, { keptDays });
  const requestLog =
    keptDays === 0
      ? NO_REQUEST_LOG
      : startRequestLog({ store: requests, intervalMs: REQUEST_LOG_INTERVAL_MS, clock, logger });

  const api = publicApi({
    access: postgresAccessStore(database, keyPepper),
    pricing,
    quoteStore: createClient(QuoteStoreService, toQuoteStore),
    applications: createClient(ApplicationService, toApplication),
    idempotency,
    hostedBaseUrl: config.hostedBaseUrl,
    documents: config.serveDocs ? documentsOf(config) : {},
    docsUrl: config.docsUrl,
    versions,
    requestTimeoutMs: config.requestTimeoutMs,
    clock,
    logger,
    requestLog,
  });
  const agencyAdmin = agencyAdminRoutes({
    agencies: postgresAgencyStore(database),
    brokers: postgresBrokerStore(database),
    keys: postgresKeyStore(database, keyPepper),
    clock,
  });
  const quoteAdmin = quoteAdminRoutes({
    pricing,
    quoteStore: quoteStoreAdmin,
    operatorToken,
    versions,
  });
  const requestAdmin = requestAdminRoutes({ requests, counters: postgresCounterStore(database), keptDays });
  const audit = auditRoutes(postgresAuditLog(database));

  const http = await serveHttp({ handler: api, host, port: config.httpPort, health, connectionAgeMs });
  const rpc = await serveRpc({
    routes(router) {
      for (const register of [agencyAdmin, quoteAdmin, requestAdmin, audit]) register(router);
    },
    host,
    port: config.rpcPort,
    operatorToken,
    logger,
    health,
    tls,
    connectionAgeMs,
  });
  const expiring = [
    { what: 'idempotency keys', removeExpired: () => idempotency.removeExpired() },
    { what: 'requests', removeExpired: () => requests.removeExpired() },
  ];
  const sweep = startSweep({ expiring, intervalMs: SWEEP_INTERVAL_MS, logger });
  logger.info({ http_port: http.port, rpc_port: rpc.port }, 'listening');
  return {
    httpPort: http.port,
    port: rpc.port,
    health,
    async stop() {
      health.stop();
      await Promise.all([rpc.stop(), http.stop(), sweep.stop()]);
      await requestLog.stop();
      toPricing.close();
      toQuoteStore.close();
      toApplication.close();
      await database.close();
    },
  };
}

function documentsOf({ apiBaseUrl, docsUrl }: GatewayConfig): Readonly<Record<string, RequestListener>> {
  const address = { serverUrl: apiBaseUrl, docsUrl };
  return {
    '/docs': docsSite({ baseUrl: apiBaseUrl, docsUrl, openApi: openApiDocument(address) }),
    '/openapi.json': serveDocument(address),
  };
}
