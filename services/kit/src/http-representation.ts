import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** What an address shows, ready to be sent in each encoding. */
export type Representation = {
  readonly status: 200 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly encoded: Readonly<Record<Encoding, { readonly body: Buffer; readonly etag: string }>>;
};

type Encoding = 'br' | 'gzip' | 'identity';

/** Best first. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity'];
/** A page comes out a seventh larger than at the highest quality, in a sixtieth of the time. */
const BROTLI_QUALITY = 5;

/** Compresses a text once, for all who will ask for it. */
export function represent(
  text: string,
  { status, headers }: Pick<Representation, 'status' | 'headers'>,
): Representation {
  const identity = Buffer.from(text);
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  const show = (encoding: Encoding) => ({ body: encode(identity, encoding), etag: `"${hash}-${encoding}"` });
  return {
    status,
    headers: { ...headers, Vary: 'Accept-Encoding' },
    encoded: { br: show('br'), gzip: show('gzip'), identity: show('identity') },
  };
}

/** Compresses a text for the one who asks for it, as their `Accept-Encoding` likes it best. */
export function encodeFor(accepted: string | undefined, text: string): { encoding: Encoding; body: Buffer } {
  const encoding = chooseEncoding(accepted);
  return { encoding, body: encode(Buffer.from(text), encoding) };
}

/** Answers a GET or a HEAD: with the smallest encoding that is accepted, or with 304 where the caller has it already. */
export function sendRepresentation(request: IncomingMessage, response: ServerResponse, shown: Representation): void {
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  const { body, etag } = shown.encoded[encoding];
  for (const [name, value] of Object.entries(shown.headers)) response.setHeader(name, value);
  response.setHeader('ETag', etag);
  if (shown.status === 200 && isKnown(etag, request.headers['if-none-match'])) {
    response.writeHead(304).end();
    return;
  }
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.length);
  response.writeHead(shown.status).end(request.method === 'HEAD' ? undefined : body);
}

function encode(plain: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'identity') return plain;
  if (encoding === 'gzip') return gzipSync(plain);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  };
  return brotliCompressSync(plain, { params });
}

/** The best of what `Accept-Encoding` likes most (RFC 9110, 12.5.3); plain where it leaves nothing else. */
function chooseEncoding(accepted = ''): Encoding {
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', weight] = part.split(';').map((piece) => piece.trim());
    weights.set(coding, weight === undefined ? 1 : Number(weight.replace(/^q=/, '')));
  }
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ?? weights.get('*') ?? (encoding === 'identity' ? Number.MIN_VALUE : 0);
  const best = ENCODINGS.toSorted((a, b) => weightOf(b) - weightOf(a))[0] ?? 'identity';
  return weightOf(best) > 0 ? best : 'identity';
}

/** Whether `If-None-Match` names the tag; proxies may have marked it as weak. */
function isKnown(etag: string, known = ''): boolean {
  const tags = new Set(known.split(',').map((tag) => tag.trim().replace(/^W\//, '')));
  return tags.has(etag) || tags.has('*');
}
