import { createClient } from '@connectrpc/connect';
import type { ServiceImpl, Transport } from '@connectrpc/connect';
import { connectNodeAdapter, createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { AgencyAdminService } from '@pfq/proto/gateway/v1/admin_pb';
import { QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import dns from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { ServerHttp2Session } from 'node:http2';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import type { Health } from '../health.ts';
import type { Logger } from '../log.ts';
import { createRpcTransport } from './client.ts';
import type { RpcTransport } from './client.ts';
import { serveRpc } from './server.ts';
import type { RpcRoutes } from './server.ts';
import { toWireError } from './status.ts';
import type { RpcTls } from './tls.ts';

export const OPERATOR_TOKEN = 'an-operator-token-of-enough-characters';

export type TestServer = {
  readonly port: number;
  /** What was logged beside the line of each call. */
  readonly logged: LogLine[];
  readonly calls: LogLine[];
  stop(): Promise<void>;
};
export type LogLine = Record<string, unknown> & { level: string; msg: string; err?: { stack: string } };

/** How a test's services answer; a call that a test does not name is a bug. */
export type Handlers = Partial<
  ServiceImpl<typeof QuoteStoreService> & Pick<ServiceImpl<typeof AgencyAdminService>, 'listAgencies'>
>;

function routesOf(handlers: Handlers): RpcRoutes {
  return (router) => {
    router.service(QuoteStoreService, { ...quoteHandlers, ...handlers });
    router.service(AgencyAdminService, { ...adminHandlers, ...handlers });
  };
}

/** Stops by itself after the test, where the test has not stopped it. */
export async function startServer(
  t: TestContext,
  handlers: Handlers,
  {
    host = '127.0.0.1',
    port = 0,
    ...options
  }: {
    host?: string;
    port?: number;
    health?: Pick<Health, 'report' | 'onChange'>;
    tls?: RpcTls | null;
    connectionAgeMs?: number;
  } = {},
): Promise<TestServer> {
  const logged: LogLine[] = [];
  const calls: LogLine[] = [];
  const server = await serveRpc({
    routes: routesOf(handlers),
    host,
    port,
    operatorToken: OPERATOR_TOKEN,
    logger: loggerInto((line) => (line.msg === 'call' ? calls : logged).push(line)),
    tls: null,
    connectionAgeMs: null,
    ...options,
  });
  t.after(() => server.stop());
  return { port: server.port, logged, calls, stop: () => server.stop() };
}

/** The same handlers behind a server that was not written here. */
export async function startConnectNodeServer(t: TestContext, handlers: Handlers): Promise<{ port: number }> {
  const adapter = connectNodeAdapter({
    routes: routesOf(handlers),
    interceptors: [
      (next) => async (request) => {
        try {
          return await next(request);
        } catch (error) {
          throw toWireError(error);
        }
      },
    ],
  });
  const server = createServer(adapter);
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => sessions.add(session));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  t.after(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { port: address.port };
}

export const quoteStoreOn = (transport: Transport) => createClient(QuoteStoreService, transport);
export const agenciesOn = (transport: Transport) => createClient(AgencyAdminService, transport);

export function ourTransport(t: TestContext, port: number): RpcTransport {
  const transport = createRpcTransport(`grpc://127.0.0.1:${port}`, null);
  t.after(() => transport.close());
  return transport;
}

export function transportTo(t: TestContext, url: string, tls: RpcTls | null = null): RpcTransport {
  const transport = createRpcTransport(url, tls);
  t.after(() => transport.close());
  return transport;
}

/** From now on every name leads to these addresses. */
export function resolveTo(t: TestContext, addresses: () => readonly string[]) {
  return t.mock.method(dns.promises, 'lookup', async () => addresses().map((address) => ({ address, family: 4 })));
}

/** A transport that was not written here. */
export function connectNodeTransport(t: TestContext, port: number): Transport {
  const baseUrl = `http://127.0.0.1:${port}`;
  const sessionManager = new Http2SessionManager(baseUrl);
  t.after(() => sessionManager.abort());
  return createGrpcTransport({ baseUrl, sessionManager });
}

function loggerInto(take: (line: LogLine) => unknown): Logger {
  const formatters = { level: (label: string) => ({ level: label }) };
  return pino({ level: 'debug', formatters }, { write: (line: string) => void take(JSON.parse(line)) });
}

const unexpected = () => {
  throw new Error('this test expects no such call');
};

const adminHandlers = {
  listAgencies: unexpected,
  createAgency: unexpected,
  switchAgency: unexpected,
  registerBroker: unexpected,
  setBrokerStatus: unexpected,
  listBrokers: unexpected,
  createKey: unexpected,
  listKeys: unexpected,
  revokeKey: unexpected,
};

const quoteHandlers = {
  createQuote: unexpected,
  getQuote: unexpected,
  replaceHostedLink: unexpected,
  expressTestInterest: unexpected,
  voidQuote: unexpected,
  voidQuoteChange: unexpected,
  recordBrokerNotification: unexpected,
};
