import { createClient } from '@connectrpc/connect';
import { systemClock } from '@pfq/kit/clock';
import { serveHttp } from '@pfq/kit/http';
import { watchHealth } from '@pfq/kit/health';
import { createLogger } from '@pfq/kit/log';
import { rpcDependency } from '@pfq/kit/rpc/check-health';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { serveRpc } from '@pfq/kit/rpc/server';
import { openRpcTls } from '@pfq/kit/rpc/tls';
import { HostedQuoteService } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import type { HostedPageConfig } from './config.ts';
import { hostedPages } from './routes/hosted-pages.ts';

export async function start(config: HostedPageConfig) {
  const { listenHost: host, rpcPort, operatorToken, connectionAgeMs } = config;
  const logger = createLogger({ service: 'hosted-page', level: config.logLevel, format: config.logFormat });
  const tls = openRpcTls({ folder: config.rpcTlsDir, logger });
  const toQuoteStore = createRpcTransport(config.quoteStoreUrl, tls);
  const handler = hostedPages({
    ...config,
    store: createClient(HostedQuoteService, toQuoteStore),
    clock: systemClock,
    logger,
  });
  const health = await watchHealth({ dependencies: [rpcDependency('quote-store', toQuoteStore)], logger });
  const http = await serveHttp({ handler, host, port: config.httpPort, health, connectionAgeMs });
  // Health and reflection alone: nobody calls this service.
  const rpc = await serveRpc({
    routes() {},
    host,
    port: rpcPort,
    operatorToken,
    logger,
    health,
    tls,
    connectionAgeMs,
  });
  logger.info({ http_port: http.port, rpc_port: rpc.port }, 'listening');
  return {
    httpPort: http.port,
    port: rpc.port,
    health,
    async stop() {
      health.stop();
      await Promise.all([rpc.stop(), http.stop()]);
      toQuoteStore.close();
    },
  };
}
