import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { until } from '../../../../tests/support/until.ts';
import { fullRequest } from '../requests/sample-request.test-support.ts';
import { accessWith, askRaw, errorOf, outcomeOf, startGateway, TEST_KEY } from '../running-gateway.test-support.ts';
import type { RunningGateway } from '../running-gateway.test-support.ts';
import { MAX_BODY_BYTES } from './body.ts';

const SECONDS = 5_000;
const BODY = JSON.stringify({ ...fullRequest(), broker_email: null });

/** The beginning of a create request; the body is up to the test. */
function head(...headers: readonly string[]): string {
  const lines = ['POST /v1/quotes HTTP/1.1', 'Host: x', `Authorization: Bearer ${TEST_KEY}`, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Sends 1 MB chunks until the other side closes the connection, which it must. */
async function sendEndlessly(socket: Socket): Promise<void> {
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024, ' '), Buffer.from('\r\n')]);
  await assert.rejects(
    pipeline(function* () {
      for (;;) yield chunk;
    }, socket),
  );
}

async function serves(gateway: RunningGateway): Promise<void> {
  assert.equal((await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, body: BODY })).status, 201);
}

/** Waits for a log line; whoever hangs up gets no answer to wait for. */
async function logged(gateway: RunningGateway, pattern: RegExp): Promise<void> {
  await until(() => gateway.log.some((line) => pattern.test(line)), SECONDS);
}

function noErrors({ log }: RunningGateway): void {
  assert.deepEqual(
    log.filter((line) => line.startsWith('ERROR')),
    [],
  );
}

test('a body of exactly 2,097,152 bytes is read', async (t) => {
  const gateway = await startGateway(t);
  const body = BODY.padEnd(MAX_BODY_BYTES);
  assert.equal(Buffer.byteLength(body), 2_097_152);
  assert.equal((await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, body })).status, 201);
});

test('a longer declared length is refused before anything of the body is sent', async (t) => {
  const gateway = await startGateway(t);
  for (const expectation of [[], ['Expect: 100-continue']]) {
    const answer = await askRaw(gateway.port, head(`Content-Length: ${MAX_BODY_BYTES + 1}`, ...expectation));
    assert.match(answer, /^HTTP\/1\.1 400 .*Connection: close.*"INVALID_REQUEST"/s);
  }
});

test('a caller that asks before it sends its body is told once to go on, and then answered', async (t) => {
  const gateway = await startGateway(t);
  const socket = connect(gateway.port, '127.0.0.1').setEncoding('utf8');
  socket.write(head(`Content-Length: ${Buffer.byteLength(BODY)}`, 'Expect: 100-continue', 'Connection: close'));
  const [first] = await once(socket, 'data');
  assert.equal(first, 'HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(BODY);
  const answer = (await socket.toArray()).join('');
  assert.match(answer, /^HTTP\/1\.1 201 /);
});

test('a longer declared body that is sent all the same does not keep its sender from reading the answer', async (t) => {
  const gateway = await startGateway(t);
  const answer = await gateway.ask('POST', '/v1/quotes', {
    key: TEST_KEY,
    body: Buffer.alloc(8 * MAX_BODY_BYTES, ' '),
  });
  assert.equal(outcomeOf(answer), '400 INVALID_REQUEST');
});

test('an endless body of undeclared length is answered promptly and its connection closed', async (t) => {
  const gateway = await startGateway(t);
  const socket = connect(gateway.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(head('Transfer-Encoding: chunked'));
  const sending = sendEndlessly(socket);
  const startedAt = performance.now();
  const [first] = await once(socket, 'data');
  assert.match(String(first), /^HTTP\/1\.1 400 .*"INVALID_REQUEST"/s);
  assert.ok(performance.now() - startedAt < 1_000, 'promptly');
  await sending;
  await serves(gateway);
  noErrors(gateway);
});

test('an undeclared length of exactly 2 MB is read, one byte more is refused', async (t) => {
  const gateway = await startGateway(t);
  const chunked = (body: string) => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const post = (body: string) =>
    askRaw(gateway.port, head('Transfer-Encoding: chunked', 'Connection: close'), chunked(body));
  assert.match(await post(BODY.padEnd(MAX_BODY_BYTES)), /^HTTP\/1\.1 201 /);
  assert.match(await post(BODY.padEnd(MAX_BODY_BYTES + 1)), /^HTTP\/1\.1 400 .*"INVALID_REQUEST"/s);
});

for (const [encoding, outcome] of [
  ['gzip', '400 INVALID_REQUEST'],
  ['identity, gzip', '400 INVALID_REQUEST'],
  ['', '400 INVALID_REQUEST'],
] as const) {
  test(`a body with Content-Encoding "${encoding}" is refused`, async (t) => {
    const gateway = await startGateway(t);
    const options = { key: TEST_KEY, headers: { 'content-encoding': encoding }, body: gzipSync(BODY) };
    assert.equal(outcomeOf(await gateway.ask('POST', '/v1/quotes', options)), outcome);
  });
}

test('a body that is compressed on the way is refused as one that was compressed before', async (t) => {
  const gateway = await startGateway(t);
  const answer = await askRaw(
    gateway.port,
    head('Transfer-Encoding: gzip, chunked', 'Connection: close'),
    '2\r\n{}\r\n0\r\n\r\n',
  );
  assert.match(answer, /^HTTP\/1\.1 400 .*"INVALID_REQUEST".*Transfer-Encoding gzip, chunked is not read/s);
});

test('Content-Encoding identity is none, and the content type does not matter', async (t) => {
  const gateway = await startGateway(t);
  const headers = { 'content-encoding': 'Identity', 'content-type': 'text/plain; charset=latin1' };
  assert.equal((await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, headers, body: BODY })).status, 201);
});

test('an empty body is {} and fails validation; one of blanks is no JSON', async (t) => {
  const gateway = await startGateway(t);
  const post = (body?: string) =>
    gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, ...(body !== undefined && { body }) });
  const empty = await post();
  assert.equal(outcomeOf(empty), '422 VALIDATION_FAILED');
  assert.equal(errorOf(empty)['param'], 'insured');
  assert.equal(outcomeOf(await post(' \n')), '400 INVALID_JSON');
});

const MALFORMED: Readonly<Record<string, string>> = {
  'two lengths of a body': head('Content-Length: 5', 'Transfer-Encoding: chunked'),
  'two different lengths': head('Content-Length: 5', 'Content-Length: 6'),
  'a length that is no number': head('Content-Length: five'),
  'an unknown method': 'BREW /v1/quotes HTTP/1.1\r\nHost: x\r\n\r\n',
  'no HTTP at all': '\x16\x03\x01\r\n\r\n',
  'a header without a colon': 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n',
};
for (const [what, bytes] of Object.entries(MALFORMED)) {
  test(`${what}: a bare 400, and the connection is closed`, async (t) => {
    const gateway = await startGateway(t);
    assert.equal(await askRaw(gateway.port, bytes), 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    await serves(gateway);
    noErrors(gateway);
  });
}

test('a caller that hangs up in the middle of its body is no error, and stores nothing', async (t) => {
  for (const headers of [[`Content-Length: ${BODY.length}`], ['Transfer-Encoding: chunked']]) {
    const gateway = await startGateway(t);
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(`${head(...headers)}5\r\n{    `);
    await once(socket, 'connect');
    await gateway.ask('GET', '/');
    socket.resetAndDestroy();
    await logged(gateway, /broken off/);
    noErrors(gateway);
    assert.deepEqual(gateway.stored, []);
    await serves(gateway);
  }
});

test('a chunk that is malformed breaks the request off with a bare 400', async (t) => {
  const gateway = await startGateway(t);
  const answer = await askRaw(gateway.port, head('Transfer-Encoding: chunked'), 'nonsense\r\n');
  assert.equal(answer, 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  await logged(gateway, /broken off/);
  noErrors(gateway);
});

test('a length shorter than what is sent: the request counts as declared, and the rest is malformed', async (t) => {
  const gateway = await startGateway(t);
  const answer = await askRaw(gateway.port, head('Content-Length: 2'), '{}{"more":1}');
  assert.match(answer, /HTTP\/1\.1 400 Bad Request/);
  await serves(gateway);
  noErrors(gateway);
});

test('a caller that is gone before its body is wanted is no error', async (t) => {
  const asked = Promise.withResolvers<void>();
  const found = Promise.withResolvers<ReturnType<typeof accessWith>>();
  const admit = () => {
    asked.resolve();
    return found.promise;
  };
  const gateway = await startGateway(t, { access: { admit, findActiveBroker: () => assert.fail() } });
  const socket = connect(gateway.port, '127.0.0.1');
  socket.write(head(`Content-Length: ${BODY.length}`) + BODY.slice(0, 10));
  await asked.promise;
  socket.resetAndDestroy();
  await gateway.ask('GET', '/');
  found.resolve(accessWith());
  await logged(gateway, /broken off/);
  noErrors(gateway);
});

test('an answer without a body comes early too, where the request goes on', async (t) => {
  const gateway = await startGateway(t);
  const authorization = `Authorization: Bearer ${TEST_KEY}`;
  const half = (method: string, path: string) =>
    askRaw(gateway.port, `${method} ${path} HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Length: 5\r\n\r\n{`);
  const [refused, found] = await Promise.all([half('DELETE', '/v1/quotes'), half('HEAD', '/v1/quotes/none')]);
  assert.match(refused, /^HTTP\/1\.1 405 .*Allow: POST.*\r\n\r\n$/s);
  assert.match(found, /^HTTP\/1\.1 404 .*Content-Length: [1-9].*\r\n\r\n$/s);
  noErrors(gateway);
});

test('a refusal whose small body has arrived leaves the connection open for the next request', async (t) => {
  const gateway = await startGateway(t);
  const refused = 'POST /v1/quotes HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';
  const answers = await askRaw(gateway.port, refused, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401', 'HTTP/1.1 404']);
});
