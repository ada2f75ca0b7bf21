import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { askRaw, errorOf, outcomeOf, startGateway, TEST_KEY } from '../running-gateway.test-support.ts';
import type { RunningGateway } from '../running-gateway.test-support.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

const TAKEN = '422 VALIDATION_FAILED';
const REFUSED = '400 IDEMPOTENCY_KEY_INVALID';
/** What is no HTTP never becomes a request: Node closes the connection after a status line. */
const NO_HTTP = '400 empty';

/** The outcome of an empty POST with these header lines, sent as they are. */
async function outcomeOfRaw(gateway: RunningGateway, lines: readonly (string | Buffer)[]): Promise<string> {
  const head = `POST /v1/quotes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_KEY}\r\nConnection: close\r\nContent-Length: 0\r\n`;
  const sent = lines.flatMap((line) => [line, '\r\n']);
  const answer = await askRaw(gateway.port, Buffer.concat([head, ...sent, '\r\n'].map((part) => Buffer.from(part))));
  const [statusLine = '', body = ''] = answer.split(/\r\n(?:.*\r\n)*\r\n/);
  return outcomeOf({ status: Number(statusLine.split(' ')[1]), headers: {}, body });
}

const LINES: readonly (readonly [what: string, lines: readonly (string | Buffer)[], outcome: string])[] = [
  ['one character', ['Idempotency-Key: k'], TAKEN],
  ['255 characters', [`Idempotency-Key: ${'~'.repeat(255)}`], TAKEN],
  ['256 characters', [`Idempotency-Key: ${'~'.repeat(256)}`], REFUSED],
  ['nothing', ['Idempotency-Key:'], REFUSED],
  ['nothing but white space', ['Idempotency-Key: \t  '], REFUSED],
  ['white space around it', ['Idempotency-Key: \t k \t'], TAKEN],
  ['spaces, quotes and commas inside', ['Idempotency-Key: "a, b" c'], TAKEN],
  ['a tab inside', ['Idempotency-Key: a\tb'], REFUSED],
  ['a letter beyond ASCII in UTF-8', ['Idempotency-Key: é'], REFUSED],
  ['a letter beyond ASCII in Latin-1', [Buffer.from('Idempotency-Key: é', 'latin1')], REFUSED],
  ['two lines', ['Idempotency-Key: a', 'Idempotency-Key: b'], REFUSED],
  ['the same twice', ['Idempotency-Key: a', 'idempotency-key: a'], REFUSED],
  ['one line and an empty one', ['Idempotency-Key: a', 'Idempotency-Key:'], REFUSED],
  ['a control character', ['Idempotency-Key: a\u0001b'], NO_HTTP],
  ['NUL', ['Idempotency-Key: a\0b'], NO_HTTP],
  ['DEL', ['Idempotency-Key: a\u007Fb'], NO_HTTP],
  ['a folded line', ['Idempotency-Key: a', ' b'], NO_HTTP],
];
for (const [what, lines, outcome] of LINES) {
  test(`an Idempotency-Key of ${what}: ${outcome}`, async (t) => {
    const gateway = await startGateway(t);
    assert.equal(await outcomeOfRaw(gateway, lines), outcome);
  });
}

test('a key of printable ASCII is taken to the letter', () => {
  const printable = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 255 });
  fc.assert(
    fc.property(printable, (key) => {
      assert.equal(readIdempotencyKey({ headersDistinct: { 'idempotency-key': [key] } }), key);
    }),
  );
  assert.equal(readIdempotencyKey({ headersDistinct: {} }), null);
});

test('an invalid key is refused with what is wrong with it, before the body is read and after the scope', async (t) => {
  const gateway = await startGateway(t);
  const refusals: readonly (readonly [key: string, message: string])[] = [
    ['', 'Idempotency-Key is empty. Send 1 to 255 characters, or leave the header out.'],
    ['k'.repeat(300), 'Idempotency-Key has 300 characters. Send 255 at most.'],
    ['a\tb', 'Idempotency-Key must be printable ASCII: letters, digits, punctuation and spaces.'],
  ];
  for (const [key, message] of refusals) {
    const headers = { 'idempotency-key': key, 'content-length': '999999999' };
    const answer = await gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, headers });
    assert.equal(outcomeOf(answer), REFUSED);
    assert.equal(errorOf(answer)['message'], message);
  }
  assert.deepEqual(gateway.stored, []);
});

test('a read takes no notice of the header', async (t) => {
  const gateway = await startGateway(t);
  for (const method of ['GET', 'HEAD']) {
    const headers = { 'idempotency-key': '' };
    const answer = await gateway.ask(method, '/v1/coverage-types', { key: TEST_KEY, headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['idempotent-replayed'], undefined);
  }
});
