import { Code, ConnectError } from '@connectrpc/connect';
import { QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { Client, credentials } from '@grpc/grpc-js';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { failureOf } from '../../../../tests/support/failures.ts';
import { ServiceError } from '../errors.ts';
import { actorOf, operatorHeaders } from './operator-credential.ts';
import {
  agenciesOn,
  connectNodeTransport,
  OPERATOR_TOKEN,
  ourTransport,
  quoteStoreOn,
  startServer,
} from './rpc.test-support.ts';
import { fromWireError } from './status.ts';
import { MAX_MESSAGE_BYTES } from './wire-format.ts';

const NOTHING = Buffer.alloc(0);
/** grpc.health.v1.HealthCheckResponse: field 1, status. */
const SERVING = Buffer.from([0x08, 1]);
const NOT_SERVING = Buffer.from([0x08, 2]);
/** grpc.reflection.v1.ServerReflectionRequest: field 7, list_services. */
const LIST_SERVICES = Buffer.from([0x3a, 0]);

for (const { name, connect } of [
  { name: 'our client', connect: ourTransport },
  { name: "Connect's client", connect: connectNodeTransport },
]) {
  test(`${name}: an admin service answers the operator and nobody else`, async (t) => {
    const actors: string[] = [];
    const server = await startServer(t, {
      listAgencies(_request, context) {
        actors.push(actorOf(context.requestHeader));
        return { agencies: [{ id: 'agy_1' }] };
      },
    });
    const client = agenciesOn(connect(t, server.port));
    const wrongHeaders: ReadonlyArray<Record<string, string>> = [
      {},
      { authorization: '' },
      { authorization: OPERATOR_TOKEN },
      { authorization: `Bearer ${OPERATOR_TOKEN}x` },
      { authorization: 'Bearer ' },
    ];
    for (const headers of wrongHeaders) {
      const failure = await failureOf(client.listAgencies({}, { headers }));
      assert.equal(ConnectError.from(failure).code, Code.Unauthenticated);
      assert.equal(fromWireError(failure).message, 'The operator token is missing or wrong. Set PFQ_OPERATOR_TOKEN.');
    }
    const headers = operatorHeaders({ token: OPERATOR_TOKEN, actor: 'Zoë' });
    const { agencies } = await client.listAgencies({}, { headers });
    assert.equal(agencies[0]?.id, 'agy_1');
    assert.deepEqual(actors, ['Zoë']);
  });
}

test('health is SERVING, and NOT_SERVING from the moment the server is told to stop', async (t) => {
  const { handle, end, began } = gatedHandler();
  const server = await startServer(t, { createQuote: handle });
  const raw = rawClient(t, server.port);
  assert.deepEqual(await callRaw(raw, '/grpc.health.v1.Health/Check'), SERVING);
  const watch = raw.makeServerStreamRequest('/grpc.health.v1.Health/Watch', asIs, asIs, NOTHING);
  const statuses = watch[Symbol.asyncIterator]();
  assert.deepEqual((await statuses.next()).value, SERVING);
  const running = quoteStoreOn(ourTransport(t, server.port)).createQuote({});
  await began;
  const stopped = server.stop();
  assert.deepEqual((await statuses.next()).value, NOT_SERVING);
  watch.on('error', () => {});
  watch.cancel();
  end();
  await running;
  await stopped;
});

test('a call under way is finished before the server stops, and no new one is taken', async (t) => {
  const [ours, theirs] = [gatedHandler(), gatedHandler()];
  const server = await startServer(t, { createQuote: ours.handle, getQuote: theirs.handle });
  const calls = [
    quoteStoreOn(ourTransport(t, server.port)).createQuote({}),
    quoteStoreOn(connectNodeTransport(t, server.port)).getQuote({}),
  ];
  await Promise.all([ours.began, theirs.began]);
  let hasStopped = false;
  const stopped = server.stop().then(() => (hasStopped = true));
  const refused = fromWireError(await failureOf(quoteStoreOn(connectNodeTransport(t, server.port)).createQuote({})));
  assert.equal(refused instanceof ServiceError && refused.code, 'SERVICE_UNAVAILABLE');
  assert.equal(hasStopped, false);
  ours.end();
  theirs.end();
  await Promise.all([...calls, stopped]);
});

test('reflection lists what is served and describes it', async (t) => {
  const server = await startServer(t, {});
  const raw = rawClient(t, server.port);
  const services = await reflect(raw, LIST_SERVICES);
  assert.match(services, /pfq\.quotestore\.v1\.QuoteStoreService/);
  assert.match(services, /pfq\.gateway\.v1\.AgencyAdminService/);
  // Field 4, file_containing_symbol.
  const symbol = Buffer.from(QuoteStoreService.typeName);
  const file = await reflect(raw, Buffer.concat([Buffer.from([0x22, symbol.length]), symbol]));
  assert.match(file, /pfq\/quotestore\/v1\/quote_store\.proto/);
});

test('bytes that are no message are answered with an error that has a detail', async (t) => {
  const server = await startServer(t, { getQuote: () => ({}) });
  const raw = rawClient(t, server.port);
  const failure = await failureOf(
    callRaw(raw, '/pfq.quotestore.v1.QuoteStoreService/GetQuote', Buffer.from([0xff, 0xff, 0xff])),
  );
  assert.ok(failure instanceof Error && 'metadata' in failure && 'details' in failure);
  assert.equal(failure.details, 'Unexpected error.');
  assert.equal(server.logged[0]?.level, 'error');
});

test('a message over the limit is refused with a clear error, in either direction', async (t) => {
  const tooLong = 'x'.repeat(MAX_MESSAGE_BYTES + 1);
  const server = await startServer(t, {
    createQuote: () => ({}),
    getQuote: () => ({ quote: { quoteId: tooLong } }),
  });
  const ours = quoteStoreOn(ourTransport(t, server.port));
  const theirs = quoteStoreOn(connectNodeTransport(t, server.port));
  const calls = [() => ours.createQuote({ quoteId: tooLong }), () => ours.getQuote({}), () => theirs.getQuote({})];
  for (const call of calls) {
    const failure = ConnectError.from(await failureOf(call()));
    assert.equal(failure.code, Code.ResourceExhausted, failure.message);
    assert.match(failure.message, /message.*larger|exceed/i);
  }
});

test('a port that is taken is a clear error', async (t) => {
  const { port } = await startServer(t, {});
  await assert.rejects(startServer(t, {}, { port }), /EADDRINUSE/);
});

test('a server listens on an IPv6 address', async (t) => {
  const { port } = await startServer(t, { createQuote: () => ({}) }, { host: '::1' });
  const raw = new Client(`[::1]:${port}`, credentials.createInsecure());
  t.after(() => raw.close());
  assert.deepEqual(await callRaw(raw, '/grpc.health.v1.Health/Check'), SERVING);
});

function gatedHandler() {
  const began = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const handle = async () => {
    began.resolve();
    await gate.promise;
    return {};
  };
  return { handle, began: began.promise, end: () => gate.resolve() };
}

function rawClient(t: TestContext, port: number): Client {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  t.after(() => client.close());
  return client;
}

function callRaw(client: Client, path: string, request = NOTHING): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, asIs, asIs, request, (error, response) =>
      error ? reject(error) : resolve(response),
    );
  });
}

async function reflect(client: Client, request: Buffer): Promise<string> {
  const call = client.makeBidiStreamRequest('/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', asIs, asIs);
  call.write(request);
  const [response]: unknown[] = await once(call, 'data');
  call.end();
  assert.ok(Buffer.isBuffer(response));
  return response.toString('latin1');
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}
