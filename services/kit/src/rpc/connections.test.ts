import assert from 'node:assert/strict';
import dns from 'node:dns';
import { once } from 'node:events';
import { constants, createServer as createHttp2Server } from 'node:http2';
import type { ServerHttp2Session } from 'node:http2';
import { createConnection, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { Client } from '@grpc/grpc-js';
import { assertUnavailable, failureOf } from '../../../../tests/support/failures.ts';
import { until } from '../../../../tests/support/until.ts';
import { OutcomeUnknownError, ServiceError } from '../errors.ts';
import { createRpcTransport } from './client.ts';
import {
  connectNodeTransport,
  ourTransport,
  quoteStoreOn,
  resolveTo,
  startServer,
  transportTo,
} from './rpc.test-support.ts';
import { fromWireError } from './status.ts';

const TO_RECOVER_MS = 3_000;
/** Of a gRPC message: whether it is compressed, and how long it is. */
const EMPTY_MESSAGE_BYTES = 5;

for (const { name, connect } of [
  { name: 'our client', connect: ourTransport },
  { name: "Connect's client", connect: connectNodeTransport },
]) {
  test(`${name}: where nothing listens even a write is SERVICE_UNAVAILABLE`, async (t) => {
    const client = quoteStoreOn(connect(t, await freePort()));
    for (const call of [() => client.createQuote({}), () => client.getQuote({})]) {
      await isUnavailable(call());
    }
  });
}

test('where a name leads nowhere even a write is SERVICE_UNAVAILABLE', async (t) => {
  t.mock.method(dns.promises, 'lookup', () => Promise.reject(new Error('getaddrinfo ENOTFOUND quote-store')));
  const client = quoteStoreOn(transportTo(t, 'grpc://quote-store:9090'));
  await isUnavailable(client.createQuote({}));
});

test('where nothing answers before the deadline a write that never left is SERVICE_UNAVAILABLE', async (t) => {
  const { port } = await silentServer(t);
  await isUnavailable(quoteStoreOn(ourTransport(t, port)).createQuote({}, { timeoutMs: 100 }));
});

test('a write whose connection is cut under way has an unknown outcome and is not repeated', async (t) => {
  let calls = 0;
  const { port, cut } = await cuttableServer(t, {
    createQuote() {
      calls += 1;
      cut();
      return new Promise(() => {});
    },
  });
  const failure = fromWireError(await failureOf(quoteStoreOn(ourTransport(t, port)).createQuote({})));
  assert.ok(failure instanceof OutcomeUnknownError, failure.stack);
  assert.equal(calls, 1);
});

test('a read whose connection is cut under way is tried again, twice at most', async (t) => {
  let calls = 0;
  let cuts = 2;
  const { port, cut } = await cuttableServer(t, {
    getQuote() {
      calls += 1;
      if (calls > cuts) return {};
      cut();
      return new Promise(() => {});
    },
  });
  const client = quoteStoreOn(ourTransport(t, port));
  await client.getQuote({});
  assert.equal(calls, 3);
  [calls, cuts] = [0, 3];
  await isUnavailable(client.getQuote({}));
  assert.equal(calls, 3);
});

test('a refused read is not tried again', async (t) => {
  let calls = 0;
  const server = await startServer(t, {
    getQuote() {
      calls += 1;
      throw new ServiceError('SERVICE_UNAVAILABLE', { message: 'No prices.', retryAfterSeconds: 30 });
    },
  });
  await isUnavailable(quoteStoreOn(ourTransport(t, server.port)).getQuote({}));
  assert.equal(calls, 1);
});

test('a write that never left is tried again, as a read is', async (t) => {
  const sent = t.mock.method(Client.prototype, 'makeUnaryRequest');
  await isUnavailable(quoteStoreOn(ourTransport(t, await freePort())).createQuote({}));
  assert.equal(sent.mock.callCount(), 3);
});

test('a write that is refused because its connection is ending was not carried out, and is made again', async (t) => {
  const { port, refuse, asked } = await refusingServer(t);
  const client = quoteStoreOn(ourTransport(t, port));
  refuse(3);
  await client.createQuote({});
  assert.equal(asked(), 4);
  refuse(Infinity);
  await isUnavailable(client.createQuote({}));
});

test('calls are spread evenly over every address of a name', async (t) => {
  const calls = { '127.0.0.1': 0, '127.0.0.2': 0 };
  const count = (host: keyof typeof calls) => ({
    getQuote() {
      calls[host] += 1;
      return {};
    },
  });
  const first = await startServer(t, count('127.0.0.1'), { host: '127.0.0.1' });
  await startServer(t, count('127.0.0.2'), { host: '127.0.0.2', port: first.port });
  resolveTo(t, () => ['127.0.0.1', '127.0.0.2']);
  const client = quoteStoreOn(transportTo(t, `grpc://quote-store:${first.port}`));
  await until(async () => {
    await client.getQuote({});
    return calls['127.0.0.1'] > 0 && calls['127.0.0.2'] > 0;
  }, TO_RECOVER_MS);
  [calls['127.0.0.1'], calls['127.0.0.2']] = [0, 0];
  for (let call = 0; call < 20; call += 1) await client.getQuote({});
  assert.deepEqual(calls, { '127.0.0.1': 10, '127.0.0.2': 10 });
});

test('calls succeed within three seconds of a server coming back', async (t) => {
  const first = await startServer(t, { createQuote: () => ({}) });
  const client = quoteStoreOn(ourTransport(t, first.port));
  await client.createQuote({});
  await first.stop();
  await isUnavailable(client.createQuote({}));
  await startServer(t, { createQuote: () => ({}) }, { port: first.port });
  await until(
    () =>
      client.createQuote({}).then(
        () => true,
        () => false,
      ),
    TO_RECOVER_MS,
  );
});

test('a server that comes back under another address is found within three seconds', async (t) => {
  let address = '127.0.0.1';
  resolveTo(t, () => [address]);
  const first = await startServer(t, { createQuote: () => ({}) });
  const client = quoteStoreOn(transportTo(t, `grpc://quote-store:${first.port}`));
  await client.createQuote({});
  await first.stop();
  address = '127.0.0.2';
  await startServer(t, { createQuote: () => ({}) }, { host: address, port: first.port });
  await until(
    () =>
      client.createQuote({}).then(
        () => true,
        () => false,
      ),
    TO_RECOVER_MS,
  );
});

test('no write fails while its server closes old connections', async (t) => {
  const first = await startServer(t, { createQuote: () => ({}) });
  await startServer(t, { createQuote: () => ({}) }, { host: '127.0.0.2', port: first.port });
  resolveTo(t, () => ['127.0.0.1', '127.0.0.2']);
  const client = quoteStoreOn(transportTo(t, `grpc://quote-store:${first.port}`));
  await client.createQuote({});
  const stopped = first.stop();
  await Promise.all(Array.from({ length: 100 }, () => client.createQuote({})));
  await stopped;
  await Promise.all(Array.from({ length: 20 }, () => client.createQuote({})));
});

test('an address that is not grpc://host:port is refused without being shown', () => {
  for (const url of ['http://user:secret@host:1', 'grpc://user:secret@host']) {
    assert.throws(() => createRpcTransport(url, null), /^Error: the address of a service must be grpc:\/\/host:port$/);
  }
});

async function isUnavailable(call: Promise<unknown>): Promise<void> {
  assertUnavailable(fromWireError(await failureOf(call)));
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** Refuses as many calls as it is told to, as a server does whose connection is ending, and answers all others with nothing. */
async function refusingServer(t: TestContext) {
  let refusals = 0;
  let asked = 0;
  const sessions = new Set<ServerHttp2Session>();
  const server = createHttp2Server();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream) => {
    asked += 1;
    refusals -= 1;
    // Its own refusal is an error to Node.
    stream.on('error', () => {});
    if (refusals >= 0) return stream.close(constants.NGHTTP2_REFUSED_STREAM);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.alloc(EMPTY_MESSAGE_BYTES));
  });
  t.after(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { port: await listen(server), refuse: (calls: number) => (refusals = calls), asked: () => asked };
}

/** Takes connections and never says a word. */
async function silentServer(t: TestContext): Promise<{ port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: await listen(server) };
}

/** A server behind a relay that can cut every connection at once. */
async function cuttableServer(t: TestContext, handlers: Parameters<typeof startServer>[1]) {
  const { port } = await startServer(t, handlers);
  const sockets = new Set<Socket>();
  const relay = createServer((near) => {
    const far = createConnection(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  t.after(() => {
    cut();
    relay.close();
  });
  return { port: await listen(relay), cut };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  return address.port;
}
