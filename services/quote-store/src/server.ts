import { join } from 'node:path';
import { createLogger } from '@pfq/kit/log';
import { migrate } from '@pfq/kit/migrate';
import { openDatabase } from '@pfq/kit/postgres';
import { serveRpc } from '@pfq/kit/rpc/server';
import type { QuoteStoreConfig } from './config.ts';
import { quoteStoreRoutes } from './rpc/routes.ts';
import { postgresQuoteStore } from './storage/postgres.ts';

export async function start(config: QuoteStoreConfig) {
  const { databaseUrl, listenHost: host, rpcPort: port, operatorToken } = config;
  const logger = createLogger({ service: 'quote-store', level: config.logLevel, format: config.logFormat });
  if (config.migrateOnStart) await migrate({ databaseUrl, dir: join(import.meta.dirname, '../migrations'), logger });
  const database = openDatabase(databaseUrl, logger);
  const server = await serveRpc({
    routes: quoteStoreRoutes(postgresQuoteStore(database)),
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
