import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorDetailSchema } from '@pfq/proto/common/v1/error_pb';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_CODES, isErrorCode } from '../error-codes.ts';
import { OutcomeUnknownError, ServiceError } from '../errors.ts';
import { fromWireError, toWireError } from './status.ts';

test('every public code survives the wire', () => {
  for (const code of Object.keys(ERROR_CODES).filter(isErrorCode)) {
    const failure = fromWireError(toWireError(new ServiceError(code, { message: `It is ${code}.` })));
    assert.ok(failure instanceof ServiceError);
    assert.deepEqual([failure.code, failure.message], [code, `It is ${code}.`]);
    assert.deepEqual([failure.param, failure.details, failure.retryAfterSeconds], [undefined, [], undefined]);
  }
});

for (const [code, expected] of [
  ['INVALID_JSON', Code.InvalidArgument],
  ['VALIDATION_FAILED', Code.InvalidArgument],
  ['INVALID_API_KEY', Code.Unauthenticated],
  ['MISSING_SCOPE', Code.PermissionDenied],
  ['NOT_FOUND', Code.NotFound],
  ['QUOTE_EXPIRED', Code.FailedPrecondition],
  ['RATE_LIMITED', Code.ResourceExhausted],
  ['INTERNAL', Code.Internal],
  ['SERVICE_UNAVAILABLE', Code.Unavailable],
] as const) {
  test(`${code} is the gRPC code ${Code[expected]}`, () => {
    assert.equal(toWireError(new ServiceError(code, { message: 'No.' })).code, expected);
  });
}

test('an outcome that one service does not know is unknown to the next one too', () => {
  assert.ok(fromWireError(toWireError(new OutcomeUnknownError(new Error('secret')))) instanceof OutcomeUnknownError);
});

test('a code that only a newer release knows is an unknown outcome', () => {
  const newer = { desc: ErrorDetailSchema, value: { code: 'SOMETHING_NEW', message: 'New.' } };
  const failure = new ConnectError('New.', Code.FailedPrecondition, undefined, [newer]);
  assert.ok(fromWireError(failure) instanceof OutcomeUnknownError);
});

test('the failed call is kept as the cause, for the log', () => {
  const wire = toWireError(new ServiceError('NOT_FOUND', { message: 'No such quote.' }));
  assert.equal(fromWireError(wire).cause, wire);
  const stray = new Error('socket hang up');
  assert.equal(fromWireError(stray).cause, stray);
});

test('names of every object are no codes', () => {
  for (const name of ['constructor', '__proto__', 'toString', '']) assert.equal(isErrorCode(name), false);
});

test('a message too large to be sent is our fault, neither a passing one nor an unknown outcome', () => {
  const failure = fromWireError(new ConnectError('Attempted to send message', Code.ResourceExhausted));
  assert.ok(failure instanceof ServiceError);
  assert.equal(failure.code, 'INTERNAL');
});

test('a call that an older release does not know yet was certainly not carried out', () => {
  const failure = fromWireError(new ConnectError('no such method', Code.Unimplemented));
  assert.ok(failure instanceof ServiceError);
  assert.deepEqual([failure.code, failure.retryAfterSeconds], ['SERVICE_UNAVAILABLE', 30]);
});
