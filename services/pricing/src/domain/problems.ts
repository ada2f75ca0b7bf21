import { ServiceError, type ErrorDetail } from '@pfq/kit/errors';

/** Everything wrong with one thing that an operator loads, in the order found. */
export type Problems = ErrorDetail[];

/** Throws VALIDATION_FAILED with every problem; the top-level message and param are those of the first. */
export function refuse(problems: readonly [ErrorDetail, ...ErrorDetail[]]): never {
  const [{ message, param }] = problems;
  throw new ServiceError('VALIDATION_FAILED', { message, param, details: problems });
}

export function refuseIfAny(problems: Problems): void {
  const [first, ...others] = problems;
  if (first !== undefined) refuse([first, ...others]);
}
