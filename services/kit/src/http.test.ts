import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { serveHttp } from './http.ts';
import type { HttpServer } from './http.ts';

test('a request under way is finished before the server stops, though its connection would be kept alive', async (t) => {
  const began = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const server = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    handler: (request, response) => {
      if (request.url !== '/slow') return response.end('fast');
      began.resolve();
      return void gate.promise.then(() => response.end('slow'));
    },
  });
  const agent = keepingAlive(t);
  assert.equal(await read(server, '/fast', agent), 'fast');
  const slow = read(server, '/slow', agent);
  await began.promise;
  const start = performance.now();
  const stopped = server.stop();
  await assert.rejects(read(server, '/fast', new Agent()), { code: 'ECONNREFUSED' });
  gate.resolve();
  assert.equal(await slow, 'slow');
  await stopped;
  assert.ok(performance.now() - start < 2_000, 'it waited for an idle connection');
});

test('an expectation that nobody knows is passed over', async (t) => {
  const server = await serveHttp({ host: '127.0.0.1', port: 0, handler: (_request, response) => response.end('fast') });
  t.after(() => server.stop());
  const headers = { Expect: '200-maybe' };
  const status = await new Promise((resolve) => {
    get({ port: server.port, headers }, (response) => resolve(response.resume().statusCode));
  });
  assert.equal(status, 200);
});

test('a server with idle connections stops at once', async (t) => {
  const server = await serveHttp({ host: '127.0.0.1', port: 0, handler: (_request, response) => response.end('fast') });
  await read(server, '/', keepingAlive(t));
  const start = performance.now();
  await server.stop();
  assert.ok(performance.now() - start < 2_000);
});

test('a port that is taken is a clear error', async (t) => {
  const handler = () => {};
  const server = await serveHttp({ host: '127.0.0.1', port: 0, handler });
  t.after(() => server.stop());
  await assert.rejects(serveHttp({ host: '127.0.0.1', port: server.port, handler }), { code: 'EADDRINUSE' });
});

function keepingAlive(t: TestContext): Agent {
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  return agent;
}

function read({ port }: HttpServer, path: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, agent }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (body += part));
      response.on('end', () => resolve(body));
    });
    request.on('error', reject);
  });
}
