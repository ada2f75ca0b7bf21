import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Health } from './health.ts';
import { STOP_MS } from './stop-times.ts';

export type HttpServer = { readonly port: number; stop(): Promise<void> };

/**
 * How long an idle connection is kept, in truth: longer than the minute for which proxies keep theirs, and less than that in the
 * answers' `Keep-Alive`. A caller that heeds it has left its idle connections before a service that stops, after
 * SHUTDOWN_DELAY_MS, closes them.
 */
const KEEP_ALIVE_MS = 65_000;
const KEEP_ALIVE_TOLD_MS = 4_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How often Node looks for requests that are past these times. */
const CHECK_MS = 2_000;
const SWEEP_MS = 50;
/** Of the event loop: one that is not whole any more, one that accepts, one that reads. */
const TURNS_TO_TAKE = 3;
/** Part of its age by which a connection ends earlier or later, so that those that were made together do not end together. */
const AGE_SPREAD = 0.1;

type HttpOptions = {
  readonly handler: RequestListener;
  readonly host: string;
  readonly port: number;
  /** While it is draining, each answer tells its caller to open another connection, which leads to another replica. */
  readonly health?: Pick<Health, 'onChange'>;
  /** How long requests under way may take once it is stopped; ten seconds where it is absent. */
  readonly drainMs?: number;
  /** How long a connection is used at most, give or take a tenth: its next answer closes it. Null for ever. */
  readonly connectionAgeMs: number | null;
};

/** Serves HTTP/1.1. `stop` lets requests under way finish, then closes what is left after `drainMs`. */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { handler, host, port, health, drainMs = STOP_MS.underWay, connectionAgeMs } = options;
  const isOld = agesOfConnections(connectionAgeMs ?? Infinity);
  let isEnding = false;
  const unsubscribe = health?.onChange((state) => (isEnding = state === 'draining'));
  const closing = new WeakSet<Socket>();
  const answer: RequestListener = (request, response) => {
    const { socket } = request;
    // Sent behind a request whose answer closes the connection: it could not be answered, so nothing may come of it (RFC 9112, 9.6).
    if (closing.has(socket)) return;
    if (isEnding || isOld(socket)) {
      closing.add(socket);
      response.setHeader('Connection', 'close');
    }
    handler(request, response);
  };
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_TOLD_MS,
      keepAliveTimeoutBuffer: KEEP_ALIVE_MS - KEEP_ALIVE_TOLD_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    answer,
  );
  // A caller that asks before it sends its body is answered by the handler, which knows whether it will be read.
  server.on('checkContinue', answer);
  // An expectation that means nothing to us is passed over (RFC 9110, 10.1.1), so that the answer is ours too.
  server.on('checkExpectation', answer);
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  return {
    port: address.port,
    async stop() {
      unsubscribe?.();
      isEnding = true;
      // What has arrived is taken first: connections that wait to be accepted, requests on those that look idle. What is
      // still on its way meets a closed door: HTTP/1.1 has no word for "no more", so callers notice while it is draining.
      for (let turns = 0; turns < TURNS_TO_TAKE; turns += 1) await turn();
      const timer = setTimeout(() => server.closeAllConnections(), drainMs);
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

/** Whether a connection has been there for as long as it may, counted from its first request. */
function agesOfConnections(longestMs: number): (socket: Socket) => boolean {
  const ends = new WeakMap<Socket, number>();
  return (socket) => {
    const now = performance.now();
    const end = ends.get(socket);
    if (end === undefined) ends.set(socket, now + longestMs * (1 + AGE_SPREAD * (2 * Math.random() - 1)));
    return end !== undefined && now > end;
  };
}
