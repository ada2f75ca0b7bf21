import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { request as openRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { inspect } from 'node:util';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import type { HandlerContext, ServiceImpl, Transport } from '@connectrpc/connect';
import { systemClock } from '@pfq/kit/clock';
import { ServiceError } from '@pfq/kit/errors';
import { serveHttp } from '@pfq/kit/http';
import { toWireError } from '@pfq/kit/rpc/status';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { HostedQuoteService, LinkState } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import type { ExpressInterestRequest, HostedQuote } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import { QuoteStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { hostedPages } from './routes/hosted-pages.ts';
import type { HostedPagesOptions } from './routes/hosted-pages.ts';
import { hostedQuote, interestedIn } from './sample-quote.test-support.ts';

export const ORIGIN = 'https://pay.example';
export const SECRET = 'secret-of-the-hosted-page-tests-32-chars';

type Store = ServiceImpl<typeof HostedQuoteService>;

/** A quote store of one link, in memory; it takes one response and knows it again by its change id. */
export function storeOf(quote: HostedQuote | 'replaced' = hostedQuote()) {
  const token = randomBytes(32).toString('base64url');
  const calls: string[] = [];
  const asked: ExpressInterestRequest[] = [];
  const stored: ExpressInterestRequest[] = [];
  const headers: Headers[] = [];
  let shown = quote;
  let made: Pick<ExpressInterestRequest, 'changeId' | 'note'> | undefined;
  const find = (hash: Uint8Array) => {
    if (createHash('sha256').update(token).digest().equals(hash)) return shown;
    throw new ServiceError('NOT_FOUND', { message: 'There is no such link.' });
  };
  const answer = (found: HostedQuote | 'replaced') =>
    found === 'replaced'
      ? { linkState: LinkState.REPLACED, mode: Mode.TEST }
      : { linkState: LinkState.CURRENT, mode: Mode.LIVE, quote: found };
  const service: Store = {
    readHostedQuote({ hostedLinkHash }) {
      calls.push('read');
      return answer(find(hostedLinkHash));
    },
    expressInterest(request, context: HandlerContext) {
      calls.push('express');
      asked.push(request);
      headers.push(context.requestHeader);
      const found = find(request.hostedLinkHash);
      const isMade = request.changeId === made?.changeId && request.note === made.note;
      if (found === 'replaced' || isMade) return answer(found);
      const status = found.quote?.status;
      if (status === QuoteStatus.INTERESTED) throw new ServiceError('QUOTE_ALREADY_INTERESTED', { message: 'Taken.' });
      if (status === QuoteStatus.EXPIRED) throw new ServiceError('QUOTE_EXPIRED', { message: 'Over.' });
      made = request;
      stored.push(request);
      shown = hostedQuote({ quote: interestedIn(request.optionId, request.note) });
      return answer(shown);
    },
  };
  return {
    token,
    service,
    /** Every call, by name, what was asked to be stored, and what was. */
    calls,
    asked,
    stored,
    /** The metadata of what was asked to be stored. */
    headers,
    show: (next: HostedQuote | 'replaced') => void (shown = next),
  };
}

export type Answered = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

type Asked = { readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

export type RunningPages = {
  readonly port: number;
  /** Everything that was logged, as text. */
  readonly log: string[];
  /** The fields of every line that was logged. */
  readonly lines: Record<string, unknown>[];
  ask(method: string, path: string, options?: Asked): Promise<Answered>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answered>;
  /** As a browser sends a form of the page itself. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answered>;
};

type Parts = Partial<Omit<HostedPagesOptions, 'store'>> & {
  readonly store?: Store;
  /** The way to the quote store, where it is not in memory. */
  readonly transport?: Transport;
};

/** Listening pages; the quote store behind them is the test's own. */
export async function startPages(t: TestContext, parts: Parts = {}): Promise<RunningPages> {
  const log: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const write = (level: string) => (fields: object, message?: string) => {
    log.push(`${level} ${message} ${inspect(fields, { depth: 20 })}`);
    lines.push({ level, message, ...fields });
  };
  const { store = storeOf().service, transport = transportTo(store), ...others } = parts;
  const http = await serveHttp({
    handler: hostedPages({
      store: createClient(HostedQuoteService, transport),
      hostedBaseUrl: ORIGIN,
      reviewSecrets: [SECRET],
      trustedProxies: 0,
      requestTimeoutMs: 5_000,
      clock: systemClock,
      logger: { info: write('info'), error: write('error') },
      ...others,
    }),
    host: '127.0.0.1',
    port: 0,
    connectionAgeMs: null,
  });
  t.after(() => http.stop());
  const ask: RunningPages['ask'] = (method, path, options = {}) => sendTo(http.port, { method, path, ...options });
  return {
    port: http.port,
    log,
    lines,
    ask,
    get: (path, headers = {}) => ask('GET', path, { headers }),
    post: (path, fields, headers = {}) =>
      ask('POST', path, {
        headers: { origin: ORIGIN, 'sec-fetch-site': 'same-origin', 'content-type': FORM, ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
  };
}

function transportTo(store: Store): Transport {
  return createRouterTransport(({ service }) => {
    service(HostedQuoteService, {
      readHostedQuote: masked(store.readHostedQuote.bind(store)),
      expressInterest: masked(store.expressInterest.bind(store)),
    });
  });
}

export const FORM = 'application/x-www-form-urlencoded';

async function sendTo(
  port: number,
  { method, path, headers, body }: Asked & { readonly method: string; readonly path: string },
): Promise<Answered> {
  const request = openRequest({ port, method, path, headers: { ...headers }, agent: false });
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
export async function sendRaw(port: number, ...parts: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  for (const part of parts) socket.write(part);
  return text(socket);
}

/** Errors as our own servers send them. */
function masked<I, O>(handle: (request: I, context: HandlerContext) => O | Promise<O>) {
  return async (request: I, context: HandlerContext): Promise<O> => {
    try {
      return await handle(request, context);
    } catch (error) {
      throw toWireError(error);
    }
  };
}

/** The fields of the form of a review page as it stands: nothing typed, nothing confirmed. */
export function formIn({ body }: Pick<Answered, 'body'>): Record<string, string> {
  const [form = ''] = /<form[^>]*method="?post"?[\s\S]*?<\/form>/i.exec(body) ?? [];
  const hidden = [...form.matchAll(/<input(?:[^>"]|"[^"]*")*type="hidden"(?:[^>"]|"[^"]*")*>/g)].map(([input]) => [
    /name="([^"]*)"/.exec(input)?.[1] ?? '',
    unescape(/value="([^"]*)"/.exec(input)?.[1] ?? ''),
  ]);
  assert.ok(hidden.length > 0, 'there is a form');
  return { ...(form.includes('<textarea') && { note: typedIn(form) }), ...Object.fromEntries(hidden) };
}

/** What stands in the note of a page. */
export function typedIn(body: string): string {
  const typed = /<textarea[^>]*>\n?([\s\S]*?)<\/textarea>/.exec(body)?.[1] ?? '';
  return unescape(typed);
}

function unescape(html: string): string {
  return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
