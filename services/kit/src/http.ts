import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';

export type HttpServer = { readonly port: number; stop(): Promise<void> };

const KEEP_ALIVE_MS = 65_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node looks for requests that are past these times. */
const CHECK_MS = 2_000;
const DRAIN_MS = 10_000;
const SWEEP_MS = 50;

/** Serves HTTP/1.1. `stop` lets requests under way finish, then closes what is left after ten seconds. */
export async function serveHttp({
  handler,
  host,
  port,
}: {
  handler: RequestListener;
  host: string;
  port: number;
}): Promise<HttpServer> {
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    handler,
  );
  // A caller that asks before it sends its body is answered by the handler, which knows whether it will be read.
  server.on('checkContinue', handler);
  // An expectation that means nothing to us is passed over (RFC 9110, 10.1.1), so that the answer is ours too.
  server.on('checkExpectation', handler);
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  return {
    port: address.port,
    async stop() {
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      // Closing ends connections that are idle now; one that becomes idle later would be kept alive.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      clearInterval(sweep);
      clearTimeout(timer);
    },
  };
}
