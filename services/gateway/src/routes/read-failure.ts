import { OutcomeUnknownError, unavailable } from '@pfq/kit/errors';
import type { ServiceError } from '@pfq/kit/errors';
import { fromWireError } from '@pfq/kit/rpc/status';

/** What a failed call to another service means where the call stores nothing: whatever became of it, nothing is lost. */
export function failureOfRead(error: unknown): ServiceError {
  const failure = fromWireError(error);
  return failure instanceof OutcomeUnknownError ? unavailable(failure.cause) : failure;
}
