import assert from 'node:assert/strict';
import { request as openRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { serveHttp } from '@pfq/kit/http';
import type { HttpServer } from '@pfq/kit/http';
import { openApiDocument } from './document.ts';
import { serveDocument } from './serve-document.ts';

const OPTIONS = { serverUrl: 'https://quotes.example', docsUrl: 'https://docs.example' };
const WHOLE = JSON.stringify(openApiDocument(OPTIONS));

describe('the served document', () => {
  let server: HttpServer;
  before(async () => {
    server = await serveHttp({ handler: serveDocument(OPTIONS), host: '127.0.0.1', port: 0, connectionAgeMs: null });
  });
  after(() => server.stop());

  const ask = async (method: string, headers: Record<string, string> = {}) => {
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      const sent = openRequest({ port: server.port, method, headers, agent: false });
      sent.once('response', resolve).once('error', reject).end();
    });
    const { statusCode, headers: received } = await answer;
    return { status: statusCode, headers: received, body: await buffer(await answer) };
  };

  test('is the generated one with the addresses of this gateway, for whoever asks', async () => {
    const { status, headers, body } = await ask('GET');
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(body.toString(), WHOLE);
  });

  test('comes compressed where that is accepted', async () => {
    const { headers, body } = await ask('GET', { 'Accept-Encoding': 'gzip' });
    assert.equal(headers['content-encoding'], 'gzip');
    assert.equal(headers.vary, 'Accept-Encoding');
    assert.equal(gunzipSync(body).toString(), WHOLE);
    assert.ok(body.length < WHOLE.length / 4, `${body.length} bytes`);
  });

  test('is not sent again to a caller that has it', async () => {
    const { headers } = await ask('GET');
    const again = await ask('GET', { 'If-None-Match': headers.etag ?? '' });
    assert.equal(again.status, 304);
    assert.equal(again.body.length, 0);
  });

  test('answers HEAD with its length, and refuses other methods', async () => {
    const head = await ask('HEAD');
    assert.deepEqual([head.status, head.body.length], [200, 0]);
    assert.equal(head.headers['content-length'], String(Buffer.byteLength(WHOLE)));
    const refused = await ask('POST');
    assert.deepEqual([refused.status, refused.headers.allow, refused.body.length], [405, 'GET, HEAD', 0]);
  });
});
