import { auditRoutes } from '@pfq/kit/audit';
import { watchHealth } from '@pfq/kit/health';
import { createLogger } from '@pfq/kit/log';
import { serveRpc } from '@pfq/kit/rpc/server';
import { openRpcTls } from '@pfq/kit/rpc/tls';
import type { ApplicationConfig } from './config.ts';
import { applicationRoutes } from './rpc/routes.ts';
import { openStore } from './storage/open-store.ts';

export async function start(config: ApplicationConfig) {
  const {
    databaseUrl,
    databasePoolSize: poolSize,
    migrateOnStart,
    listenHost: host,
    rpcPort: port,
    operatorToken,
    connectionAgeMs,
  } = config;
  const logger = createLogger({ service: 'application', level: config.logLevel, format: config.logFormat });
  const opened = await openStore({ databaseUrl, poolSize, migrateOnStart, logger });
  const health = await watchHealth({ dependencies: [opened.dependency], logger });
  const server = await serveRpc({
    routes(router) {
      applicationRoutes(opened.store)(router);
      auditRoutes(opened.audit)(router);
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
      await opened.close();
    },
  };
}
