import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorDetailSchema } from '@pfq/proto/common/v1/error_pb';
import fc from 'fast-check';
import { unavailable } from './errors.ts';
import { describeError } from './log-error.ts';

test('an error is told with its code, its frames and all its causes', () => {
  const root = new Error('the disk is full');
  const told = describeError(unavailable(new Error('the query failed', { cause: root })));
  assert.equal(told['code'], 'SERVICE_UNAVAILABLE');
  assert.equal(told.type, 'ServiceError');
  assert.match(told.message, /was stored.*: the query failed: the disk is full$/);
  assert.match(told.stack, /was stored[^]*caused by: Error: the query failed[^]*caused by: Error: the disk is full/);
  assert.equal(told.stack.match(/^ {4}at .*log-error\.test\.ts:\d+:\d+\)?$/gm)?.length, 3);
});

test('the row values that PostgreSQL tells with an error are left out, its codes and names stay', () => {
  const parts = { code: '23505', table: 'brokers', constraint: 'brokers_email', detail: 'Key (email)=(eve@x.example)' };
  const { stack: _stack, ...told } = describeError(Object.assign(new Error('duplicate key'), parts, { where: 'eve' }));
  const [code, table, constraint] = ['23505', 'brokers', 'brokers_email'];
  assert.deepEqual(told, { type: 'Error', message: 'duplicate key', code, table, constraint });
});

test('neither metadata nor schemas of an RPC that failed are told', () => {
  const details = [{ desc: ErrorDetailSchema, value: { code: 'INTERNAL' } }];
  const refusal = new ConnectError('the call failed', Code.Internal, { authorization: 'Bearer secret' }, details);
  const told = JSON.stringify(describeError(refusal));
  assert.match(told, /the call failed/);
  assert.ok(!told.includes('secret') && told.length < 4_000, told);
});

test('errors that cause each other are told once each, and a long chain is cut', () => {
  const [one, other] = [new Error('one'), new Error('other')];
  one.cause = other;
  other.cause = one;
  assert.equal(describeError(one).message, 'one: other');
  const long = Array.from({ length: 50 }, (_, index) => index).reduce(
    (cause, index) => new Error(`e${index}`, { cause }),
    new Error('root'),
  );
  assert.equal(describeError(long).message.split(': ').length, 8);
});

test('what an error gathers is told too', () => {
  const { message } = describeError(new AggregateError([new Error('no IPv4'), new Error('no IPv6')], 'cannot connect'));
  assert.equal(message, 'cannot connect: no IPv4: no IPv6');
});

test('what is thrown and is no error is told as a text', () => {
  const told = [undefined, 'pfq_live_canary', { canary: 1 }].map(describeError);
  assert.deepEqual(
    told.map(({ message }) => message),
    ['undefined', 'pfq_live_[redacted]', '[object Object]'],
  );
});

/** Where an error may hold a secret. */
const HIDING_PLACES: Readonly<Record<string, (secret: string) => Error>> = {
  message: (secret) => new Error(`no such key: pfq_live_${secret}`),
  'a line of the message that looks like a frame': (secret) => new Error(`failed\n    at ${secret}@x.example (file:x)`),
  cause: (secret) => new Error('failed', { cause: new SyntaxError(`Unexpected token, "${secret}" is not valid JSON`) }),
  'cause that is no error': (secret) => new Error('failed', { cause: { body: secret } }),
  gathered: (secret) => new AggregateError([new Error(`Bearer ${secret}`)], 'failed'),
  'own property': (secret) => Object.assign(new Error('failed'), { body: secret, detail: secret, rejected: [secret] }),
  'property that is told': (secret) => Object.assign(new Error('failed'), { command: `RCPT TO:<${secret}@x.example>` }),
  'message that was changed': (secret) => Object.assign(new Error(`Bearer ${secret}`), { message: 'failed' }),
  'stack that was written by hand': (secret) => Object.assign(new Error('failed'), { stack: `Error: x\n${secret}` }),
  name: (secret) => Object.assign(new Error('failed'), { name: `${secret}@x.example` }),
};

test('wherever an error hides a secret, it is not told', () => {
  const secrets = fc.stringMatching(/^[0-9A-Za-z]{12,43}$/);
  fc.assert(
    fc.property(secrets, fc.constantFrom(...Object.keys(HIDING_PLACES)), (secret, place) => {
      const told = JSON.stringify(describeError(HIDING_PLACES[place]?.(secret)));
      assert.ok(!told.includes(secret), `${place}: ${told}`);
    }),
    { numRuns: 500 },
  );
});
