import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { represent, sendRepresentation } from './http-representation.ts';
import { serveHttp } from './http.ts';
import type { HttpServer } from './http.ts';

const TEXT = `<!doctype html>${'<p>A page of some length.</p>'.repeat(100)}`;
const HEADERS = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'public, max-age=300' };

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

describe('a representation', () => {
  let server: HttpServer;

  before(async () => {
    const found = represent(TEXT, { status: 200, headers: HEADERS });
    const missing = represent(TEXT, { status: 404, headers: HEADERS });
    server = await serveHttp({
      handler: (asked, response) => sendRepresentation(asked, response, asked.url === '/missing' ? missing : found),
      host: '127.0.0.1',
      port: 0,
      connectionAgeMs: null,
    });
  });
  after(() => server.stop());

  /** Asks with exactly these headers: fetch would add its own and unpack what it gets. */
  async function ask(headers: Record<string, string>, { method = 'GET', path = '/' } = {}): Promise<Answer> {
    const asking = request({ host: '127.0.0.1', port: server.port, path, method, headers }).end();
    const [answer] = await once(asking, 'response');
    return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
  }

  const cases: readonly (readonly [accepted: string, encoding: string | undefined])[] = [
    ['br, gzip, deflate', 'br'],
    ['gzip, deflate', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['gzip;q=0.5, identity', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['br;q=0, gzip;q=0', undefined],
    ['identity;q=0', undefined],
    ['br;q=high', undefined],
    ['', undefined],
  ];
  for (const [accepted, encoding] of cases) {
    it(`is sent as ${encoding ?? 'it is'} to one who accepts "${accepted}"`, async () => {
      const { headers, body } = await ask({ 'Accept-Encoding': accepted });
      assert.equal(headers['content-encoding'], encoding);
      assert.equal(headers.vary, 'Accept-Encoding');
      assert.equal(Number(headers['content-length']), body.length);
      const plain = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body;
      assert.equal(plain.toString(), TEXT);
    });
  }

  it('has a tag of its own in each encoding', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (accepted) => (await ask({ 'Accept-Encoding': accepted })).headers.etag),
    );
    assert.equal(new Set(tags).size, 3);
  });

  it('is not sent to one who has it, by a tag that proxies may have weakened or put among others', async () => {
    const { etag = '' } = (await ask({})).headers;
    for (const known of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const { status, headers, body } = await ask({ 'If-None-Match': known });
      assert.equal(status, 304, known);
      assert.equal(body.length, 0);
      assert.equal(headers.etag, etag);
      assert.equal(headers['cache-control'], HEADERS['Cache-Control']);
      assert.equal(headers.vary, 'Accept-Encoding');
    }
    assert.equal((await ask({ 'If-None-Match': '"other"' })).status, 200);
  });

  it('is sent again where it says that something is missing', async () => {
    const { etag = '' } = (await ask({}, { path: '/missing' })).headers;
    const { status, body } = await ask({ 'If-None-Match': etag }, { path: '/missing' });
    assert.equal(status, 404);
    assert.equal(body.toString(), TEXT);
  });

  it('answers HEAD like GET, without the body', async () => {
    const accepted = { 'Accept-Encoding': 'br' };
    const [got, head] = [await ask(accepted), await ask(accepted, { method: 'HEAD' })];
    const { date: _, ...expected } = got.headers;
    const { date: __, ...headers } = head.headers;
    assert.equal(head.status, 200);
    assert.equal(head.body.length, 0);
    assert.deepEqual(headers, expected);
  });
});
