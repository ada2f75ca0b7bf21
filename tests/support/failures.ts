import assert from 'node:assert/strict';
import { ServiceError } from '@pfq/kit/errors';
import { fromWireError } from '@pfq/kit/rpc/status';

/** What a promise was rejected with; fails where it was not. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it should have failed');
}

/** Whether a call fails with the ServiceError that is expected, as `assert.rejects` understands it. */
export async function failsWith(call: Promise<unknown>, expected: assert.AssertPredicate): Promise<void> {
  const failure = fromWireError(await failureOf(call));
  await assert.rejects(Promise.reject(failure), expected);
}

/** Whether an error says that nothing was stored, when to come back, and to the log why. */
export function assertUnavailable(error: unknown): void {
  assert.ok(error instanceof ServiceError, String(error));
  assert.equal(error.code, 'SERVICE_UNAVAILABLE');
  assert.equal(error.retryAfterSeconds, 30);
  assert.ok(error.cause instanceof Error);
}
