import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { createClient } from '@connectrpc/connect';
import { systemClock } from '@pfq/kit/clock';
import { serveHttp } from '@pfq/kit/http';
import { createLogger } from '@pfq/kit/log';
import { migrate } from '@pfq/kit/migrate';
import { openDatabase } from '@pfq/kit/postgres';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { serveRpc } from '@pfq/kit/rpc/server';
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
import { quoteAdminRoutes } from './rpc/quote-admin.ts';
import { postgresAccessStore } from './storage/postgres-access.ts';
import { postgresAgencyStore } from './storage/postgres-agencies.ts';
import { postgresBrokerStore } from './storage/postgres-brokers.ts';
import { postgresIdempotencyStore } from './storage/postgres-idempotency.ts';
import { postgresKeyStore } from './storage/postgres-keys.ts';
import { startSweep } from './sweep.ts';

const SWEEP_INTERVAL_MS = 60_000;

export async function start(config: GatewayConfig) {
  const { databaseUrl, listenHost: host, operatorToken, keyPepper } = config;
  const logger = createLogger({ service: 'gateway', level: config.logLevel, format: config.logFormat });
  if (config.migrateOnStart) await migrate({ databaseUrl, dir: join(import.meta.dirname, '../migrations'), logger });
  const database = openDatabase(databaseUrl, logger);
  const toPricing = createRpcTransport(config.pricingUrl);
  const toQuoteStore = createRpcTransport(config.quoteStoreUrl);
  const toApplication = createRpcTransport(config.applicationUrl);
  const pricing = createClient(PricingService, toPricing);
  const quoteStoreAdmin = createClient(QuoteStoreAdminService, toQuoteStore);
  const clock = systemClock;
  const versions = apiVersions(CHANGES);
  const idempotency = postgresIdempotencyStore(database, createSeal(config.answerSecrets));

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

  const http = await serveHttp({ handler: api, host, port: config.httpPort });
  const rpc = await serveRpc({
    routes(router) {
      agencyAdmin(router);
      quoteAdmin(router);
    },
    host,
    port: config.rpcPort,
    operatorToken,
    logger,
  });
  const sweep = startSweep({ store: idempotency, intervalMs: SWEEP_INTERVAL_MS, logger });
  logger.info({ http_port: http.port, rpc_port: rpc.port }, 'ready');
  return {
    httpPort: http.port,
    port: rpc.port,
    async stop() {
      await Promise.all([rpc.stop(), http.stop(), sweep.stop()]);
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
