import assert from 'node:assert/strict';
import { request as openRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { inspect } from 'node:util';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import type { ServiceImpl } from '@connectrpc/connect';
import { systemClock } from '@pfq/kit/clock';
import { ServiceError } from '@pfq/kit/errors';
import { serveHttp } from '@pfq/kit/http';
import { toWireError } from '@pfq/kit/rpc/status';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { ApplicationService } from '@pfq/proto/application/v1/application_pb';
import { PricingService } from '@pfq/proto/pricing/v1/pricing_pb';
import { QuoteStatus, QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { CreateQuoteRequest } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { Access, ActingBroker } from './domain/access.ts';
import { makeApiKey } from './domain/api-key.ts';
import type { KeptRequest } from './domain/kept-request.ts';
import { windowsOf } from './domain/rate-limits.ts';
import { memoryIdempotencyStore } from './memory-idempotency.test-support.ts';
import { apiVersions } from './versions/api-versions.ts';
import { CHANGES } from './versions/changes.ts';
import { PRICED_UNDER, pricedDeal } from './priced-deal.test-support.ts';
import { publicApi } from './routes/public-api.ts';
import type { PublicApiOptions } from './routes/public-api.ts';
import type { AccessStore } from './storage/store.ts';

export const DOCS_URL = 'https://docs.example';
export const HOSTED_URL = 'https://pay.example';
export const TEST_KEY = makeApiKey('test', 'T'.repeat(43));
export const LIVE_KEY = makeApiKey('live', 'L'.repeat(43));
export const NOW = new Date('2026-11-20T23:59:59.123Z');

const ANA = { id: 'brk_ana', email: 'Ana@Agency.example', name: 'Ana Ruiz' };
export const BEN = { id: 'brk_ben', email: 'ben@agency.example', name: 'Ben Ortiz' };

/** What an agency key in test mode may do, but for `changes`. */
export function accessWith(changes: Partial<Access> = {}): Access {
  return {
    keyId: 'key_1',
    agencyId: 'agy_1',
    agencyName: 'Lone Star Insurance',
    mode: 'test',
    type: 'agency',
    scopes: ['quotes:write', 'quotes:read'],
    expiresOn: null,
    revoked: false,
    enabled: true,
    defaultBroker: { ...ANA, status: 'active' },
    windows: windowsOf({ minute: { startedAt: new Date('2026-11-20T23:59:00Z'), used: 1 } }, 'test'),
    now: NOW,
    ...changes,
  };
}

/** Keys and brokers in memory, counting what is asked. */
export function accessStore(keys: Readonly<Record<string, Access>>, brokers: readonly ActingBroker[] = [BEN]) {
  const asked: string[] = [];
  const store: AccessStore = {
    async admit(key) {
      asked.push('access');
      return keys[key] ?? null;
    },
    async findActiveBroker(agencyId, email) {
      asked.push(`broker of ${agencyId}`);
      return brokers.find((broker) => broker.email === email.toLowerCase()) ?? null;
    },
  };
  return { store, asked };
}

type Pricing = ServiceImpl<typeof PricingService>;
type QuoteStore = ServiceImpl<typeof QuoteStoreService>;
type Applications = ServiceImpl<typeof ApplicationService>;

type OwnParts =
  | 'access'
  | 'requestTimeoutMs'
  | 'quoteStore'
  | 'pricing'
  | 'applications'
  | 'idempotency'
  | 'versions'
  | 'documents'
  | 'requestLog'
  | 'clock';

export type GatewayParts = Partial<Pick<PublicApiOptions, OwnParts>> & {
  readonly priceDeal?: Pricing['priceDeal'];
  readonly createQuote?: QuoteStore['createQuote'];
  readonly getQuote?: QuoteStore['getQuote'];
  readonly voidQuote?: QuoteStore['voidQuote'];
  readonly listApplications?: Applications['listApplications'];
};

export type RunningGateway = {
  readonly port: number;
  /** Everything that was logged, as text. */
  readonly log: string[];
  /** What reached the quote store of the test, once for every call. */
  readonly stored: CreateQuoteRequest[];
  /** What was kept of requests. */
  readonly kept: KeptRequest[];
  ask(method: string, path: string, options?: Asked): Promise<Answered>;
};

type Asked = { readonly key?: string; readonly headers?: Record<string, string>; readonly body?: string | Buffer };
export type Answered = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string };

/** A listening public API; the services behind it are the test's own, or keep quotes in memory. */
export async function startGateway(t: TestContext, parts: GatewayParts = {}): Promise<RunningGateway> {
  const log: string[] = [];
  const stored: CreateQuoteRequest[] = [];
  const kept: KeptRequest[] = [];
  const write = (fields: unknown, message?: string) => void log.push(`${message} ${inspect(fields, { depth: 20 })}`);
  const http = await serveHttp({
    handler: publicApi({
      access: accessStore({ [TEST_KEY]: accessWith(), [LIVE_KEY]: accessWith({ mode: 'live' }) }).store,
      pricing: createClient(PricingService, pricingTransport(parts)),
      quoteStore: createClient(QuoteStoreService, quoteStoreTransport(parts, stored)),
      applications: createClient(ApplicationService, applicationTransport(parts)),
      idempotency: memoryIdempotencyStore(NOW).store,
      hostedBaseUrl: HOSTED_URL,
      documents: {},
      docsUrl: DOCS_URL,
      versions: apiVersions(CHANGES),
      requestTimeoutMs: 5_000,
      clock: systemClock,
      requestLog: { keep: (request) => void kept.push(request) },
      logger: { info: write, error: (fields: unknown, message?: string) => write(fields, `ERROR ${message}`) },
      ...parts,
    }),
    host: '127.0.0.1',
    port: 0,
    connectionAgeMs: null,
  });
  t.after(() => http.stop());
  return {
    port: http.port,
    log,
    stored,
    kept,
    ask: (method, path, options = {}) => ask({ port: http.port, method, path, ...options }),
  };
}

function pricingTransport({ priceDeal }: GatewayParts) {
  return createRouterTransport(({ service }) => {
    service(PricingService, {
      priceDeal: masked(
        priceDeal ?? (({ deal }) => ({ priced: pricedDeal(deal?.policies.length), pricedUnder: PRICED_UNDER })),
      ),
      repriceDeal: () => assert.fail('nothing is priced again here'),
    });
  });
}

function quoteStoreTransport({ createQuote, getQuote, voidQuote }: GatewayParts, stored: CreateQuoteRequest[]) {
  return createRouterTransport(({ service }) => {
    service(QuoteStoreService, {
      createQuote: masked((request, context) => {
        stored.push(request);
        return createQuote ? createQuote(request, context) : {};
      }),
      replaceHostedLink: () => assert.fail('no link is replaced here'),
      expressTestInterest: () => assert.fail('nobody is interested here'),
      voidQuote: masked(voidQuote ?? (() => assert.fail('nothing is voided here'))),
      voidQuoteChange: () => assert.fail('nothing is voided here'),
      getQuote: masked(getQuote ?? (({ quoteId }) => readBack(stored.find((quote) => quote.quoteId === quoteId)))),
    });
  });
}

function applicationTransport({ listApplications }: GatewayParts) {
  return createRouterTransport(({ service }) => {
    service(ApplicationService, {
      listApplications: masked(listApplications ?? (() => assert.fail('no applications are listed here'))),
    });
  });
}

function readBack(quote: CreateQuoteRequest | undefined) {
  if (!quote?.snapshot) throw new ServiceError('NOT_FOUND', { message: 'There is no such quote.' });
  const { quoteId, snapshot } = quote;
  return { quote: { quoteId, snapshot, mode: Mode.TEST, status: QuoteStatus.ACTIVE } };
}

/** Errors as our own servers send them. */
function masked<I, C, O>(handle: (request: I, context: C) => O | Promise<O>): (request: I, context: C) => Promise<O> {
  return async (request, context) => {
    try {
      return await handle(request, context);
    } catch (error) {
      throw toWireError(error);
    }
  };
}

async function ask({ port, method, path, key, headers, body }: Asked & { port: number; method: string; path: string }) {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const request = openRequest({ port, method, path, headers: { ...authorization, ...headers }, agent: false });
  const answer = new Promise<Answered>((resolve, reject) => {
    request.once('error', reject).once('response', (response) => {
      text(response).then(
        (sent) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: sent }),
        reject,
      );
    });
  });
  request.end(body);
  return answer;
}

/** Writes bytes as they are and gives all that comes back until the connection ends, which it must by itself. */
export async function askRaw(port: number, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  for (const part of parts) socket.write(part);
  return text(socket);
}

export function errorOf({ body }: Pick<Answered, 'body'>): Record<string, unknown> {
  const parsed: unknown = JSON.parse(body);
  assert.ok(typeof parsed === 'object' && parsed !== null && 'error' in parsed, body);
  assert.ok(typeof parsed.error === 'object' && parsed.error !== null);
  return { ...parsed.error };
}

/** The status and the code, or `empty` where there is no body. */
export function outcomeOf({ status, body }: Answered): string {
  return `${status} ${body === '' ? 'empty' : String(errorOf({ body })['code'])}`;
}
