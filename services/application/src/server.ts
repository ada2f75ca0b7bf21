import { createLogger } from '@pfq/kit/log';
import { serveRpc } from '@pfq/kit/rpc/server';
import type { ApplicationConfig } from './config.ts';
import { applicationRoutes } from './rpc/routes.ts';
import { openStore } from './storage/open-store.ts';

export async function start(config: ApplicationConfig) {
  const { databaseUrl, migrateOnStart, listenHost: host, rpcPort: port, operatorToken } = config;
  const logger = createLogger({ service: 'application', level: config.logLevel, format: config.logFormat });
  const opened = await openStore({ databaseUrl, migrateOnStart, logger });
  const server = await serveRpc({ routes: applicationRoutes(opened.store), host, port, operatorToken, logger });
  logger.info({ port: server.port }, 'ready');
  return {
    port: server.port,
    async stop() {
      await server.stop();
      await opened.close();
    },
  };
}
