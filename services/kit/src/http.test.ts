import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { Agent, get } from 'node:http';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../../tests/support/until.ts';
import type { HealthState } from './health.ts';
import { serveHttp } from './http.ts';
import type { HttpServer } from './http.ts';

const SOMEWHERE = { host: '127.0.0.1', port: 0, connectionAgeMs: null };

test('a request under way is finished before the server stops, though its connection would be kept alive', async (t) => {
  const began = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const server = await serveHttp({
    ...SOMEWHERE,
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
  await until(() => isRefused(server), 2_000);
  gate.resolve();
  assert.equal(await slow, 'slow');
  await stopped;
  assert.ok(performance.now() - start < 2_000, 'it waited for an idle connection');
});

test('while the service is draining each answer closes its connection, and none is lost', async (t) => {
  const changes = new EventEmitter<{ change: [HealthState] }>();
  const onChange = (tell: (state: HealthState) => void) => {
    changes.on('change', tell);
    return () => changes.off('change', tell);
  };
  const server = await serveHttp({ ...SOMEWHERE, handler: fast, health: { onChange } });
  const agent = keepingAlive(t);
  const connections = [await ask(server, agent), await ask(server, agent)];
  changes.emit('change', 'unready');
  connections.push(await ask(server, agent));
  assert.deepEqual(connections, ['keep-alive', 'keep-alive', 'keep-alive']);
  changes.emit('change', 'draining');
  assert.deepEqual([await ask(server, agent), await ask(server, agent)], ['close', 'close']);
  await server.stop();
  assert.equal(changes.listenerCount('change'), 0);
});

test('a connection is used for as long as it may be, give or take a tenth, and the next one takes its place', async (t) => {
  const connectionAgeMs = 200;
  const server = await serveHttp({ ...SOMEWHERE, handler: fast, connectionAgeMs });
  t.after(() => server.stop());
  const agent = keepingAlive(t);
  for (let connections = 0; connections < 3; connections += 1) {
    const start = performance.now();
    await until(async () => (await ask(server, agent)) === 'close', 5_000);
    assert.ok(performance.now() - start >= 0.9 * connectionAgeMs);
  }
});

test('what is sent behind a request whose answer closes the connection is not carried out', async (t) => {
  const connectionAgeMs = 50;
  const handled: (string | undefined)[] = [];
  const server = await serveHttp({
    ...SOMEWHERE,
    connectionAgeMs,
    handler: (request, response) => {
      handled.push(request.url);
      // Later than the others arrive.
      setTimeout(() => response.end(request.url), 20);
    },
  });
  t.after(() => server.stop());
  const socket = connect(server.port, '127.0.0.1');
  const said = text(socket);
  socket.write('GET /first HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => handled.length === 1, 2_000);
  await wait(connectionAgeMs * 1.2);
  socket.write(['/old', '/behind', '/more'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  const answers = (await said).match(/HTTP\/1\.1 200/g);
  assert.equal(answers?.length, 2);
  assert.deepEqual(handled, ['/first', '/old']);
});

test('requests that have arrived when the server stops are answered, on idle connections and new ones', async (t) => {
  const server = await serveHttp({ ...SOMEWHERE, handler: fast });
  const agent = keepingAlive(t);
  await ask(server, agent);
  const sockets = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')];
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const answers = sockets.map((socket) => text(socket));
  await server.stop();
  for (const answer of await Promise.all(answers))
    assert.match(answer, /^HTTP\/1\.1 200 OK[^]*Connection: close[^]*fast$/);
});

test('callers are told to leave idle connections after four seconds', async (t) => {
  const server = await serveHttp({ ...SOMEWHERE, handler: fast });
  t.after(() => server.stop());
  const answer = await fetch(`http://127.0.0.1:${server.port}`);
  assert.equal(answer.headers.get('Keep-Alive'), 'timeout=4');
});

test('an expectation that nobody knows is passed over', async (t) => {
  const server = await serveHttp({ ...SOMEWHERE, handler: fast });
  t.after(() => server.stop());
  const headers = { Expect: '200-maybe' };
  const status = await new Promise((resolve) => {
    get({ port: server.port, headers }, (response) => resolve(response.resume().statusCode));
  });
  assert.equal(status, 200);
});

test('a server with idle connections stops at once', async (t) => {
  const server = await serveHttp({ ...SOMEWHERE, handler: fast });
  await read(server, '/', keepingAlive(t));
  const start = performance.now();
  await server.stop();
  assert.ok(performance.now() - start < 2_000);
});

test('a port that is taken is a clear error', async (t) => {
  const handler = () => {};
  const server = await serveHttp({ ...SOMEWHERE, handler });
  t.after(() => server.stop());
  await assert.rejects(serveHttp({ ...SOMEWHERE, port: server.port, handler }), { code: 'EADDRINUSE' });
});

const fast: RequestListener = (_request, response) => response.end('fast');

function isRefused(server: HttpServer): Promise<boolean> {
  return read(server, '/fast', new Agent()).then(
    () => false,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED',
  );
}

/** Gives what the answer says of its connection. */
function ask({ port }: HttpServer, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, agent }, (response) => {
      response.resume().on('end', () => resolve(response.headers.connection));
    });
    request.on('error', reject);
  });
}

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
