import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from '@pfq/kit/log';
import type { Mailbox } from './mailbox.ts';
import { messagesOf } from './message.ts';
import type { Messages } from './message.ts';
import { listPage, messagePage, missingPage, PAGE_HEADERS } from './pages.ts';

type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};
type Route = { readonly mailbox: Mailbox; readonly messages: Messages; readonly id: string };

/** Path patterns; the part in brackets is a mail's id. */
const ROUTES: readonly (readonly [method: string, pattern: RegExp, answer: (route: Route) => Promise<Answer>])[] = [
  ['GET', /^\/$/, async ({ messages }) => page(200, listPage(await messages.all()))],
  ['GET', /^\/health$/, async () => text(200, 'ok\n')],
  ['GET', /^\/messages\.json$/, async ({ messages }) => json({ object: 'list', data: await messages.all() })],
  ['GET', /^\/messages\/([\w-]+)$/, showMessage],
  ['GET', /^\/messages\/([\w-]+)\/html$/, showHtml],
  ['GET', /^\/messages\/([\w-]+)\/raw$/, showRaw],
  ['DELETE', /^\/messages$/, clear],
  ['POST', /^\/messages\/clear$/, clearAndShow],
];

/** Names that a browser cannot have been led to this machine by. */
const OWN_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);
const COMMON = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // A form that is sent without one would come from nowhere.
  'Referrer-Policy': 'same-origin',
};
/** What a mail shows is text, its own styles and pictures that it brings along: it runs, loads and sends nothing. */
const MAIL_POLICY = [
  'sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Shows what the mailbox holds to this machine's own browser, and to programs. */
export function mailPages({ mailbox, logger }: { mailbox: Mailbox; logger: Logger }): RequestListener {
  const messages = messagesOf(mailbox);
  return (request, response) => {
    request.resume();
    respond(request, response).catch((error: unknown) => {
      logger.error({ err: error }, 'request failed');
      response.destroy();
    });
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await answer(request, { mailbox, messages });
    const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
    response.writeHead(status, { ...COMMON, ...headers, ...length });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}

async function answer(request: IncomingMessage, parts: Omit<Route, 'id'>): Promise<Answer> {
  if (!isForThisMachine(request)) return text(403, 'This page is for this machine only.\n');
  const path = (request.url ?? '').replace(/\?.*$/s, '');
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
  const found = ROUTES.flatMap(([allowed, pattern, work]) => {
    const match = pattern.exec(path);
    return match === null ? [] : [{ allowed, work, id: match[1] ?? '' }];
  });
  if (found.length === 0) return missing();
  const route = found.find(({ allowed }) => allowed === method);
  if (route === undefined) {
    return text(405, 'Not that way.\n', { Allow: found.map(({ allowed }) => allowed).join(', ') });
  }
  if (method !== 'GET' && !isFromOwnPage(request)) return text(403, 'Another site may not do that.\n');
  return route.work({ ...parts, id: route.id });
}

/** A name of the Internet that leads here is somebody's who wants to read along. */
function isForThisMachine({ headers: { host = '' } }: IncomingMessage): boolean {
  const address = `http://${host}`;
  return URL.canParse(address) && OWN_NAMES.has(new URL(address).hostname);
}

/** Browsers tell where a change comes from; programs that are none do not. */
function isFromOwnPage({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === undefined || headers.origin === `http://${headers.host}`;
}

async function showMessage({ messages, id }: Route): Promise<Answer> {
  const message = await messages.one(id);
  return message === null ? missing() : page(200, messagePage(message));
}

async function showHtml({ messages, id }: Route): Promise<Answer> {
  const html = (await messages.one(id))?.html ?? null;
  if (html === null) return missing();
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': MAIL_POLICY };
  return { status: 200, headers, body: html };
}

async function showRaw({ mailbox, id }: Route): Promise<Answer> {
  const body = await mailbox.read(id);
  if (body === null) return missing();
  return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body };
}

async function clear({ mailbox }: Route): Promise<Answer> {
  await mailbox.clear();
  return { status: 204, headers: {}, body: '' };
}

async function clearAndShow({ mailbox }: Route): Promise<Answer> {
  await mailbox.clear();
  return { status: 303, headers: { Location: '/' }, body: '' };
}

function missing(): Answer {
  return page(404, missingPage());
}

function page(status: number, body: string): Answer {
  return { status, headers: PAGE_HEADERS, body };
}

function json(content: object): Answer {
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body: `${JSON.stringify(content)}\n` };
}

function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }, body };
}
