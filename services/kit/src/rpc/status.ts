import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorDetailSchema } from '@pfq/proto/common/v1/error_pb';
import { ERROR_CODES, isErrorCode } from '../error-codes.ts';
import { OutcomeUnknownError, ServiceError, unavailable } from '../errors.ts';
import type { ErrorDetail } from '../errors.ts';

const RPC_CODE_BY_STATUS = new Map([
  [400, Code.InvalidArgument],
  [401, Code.Unauthenticated],
  [403, Code.PermissionDenied],
  [404, Code.NotFound],
  [409, Code.FailedPrecondition],
  [422, Code.InvalidArgument],
  [429, Code.ResourceExhausted],
  [503, Code.Unavailable],
]);

/** What goes over the wire for whatever a handler threw. A stray error is masked: its text may hold anything. */
export function toWireError(error: unknown): ConnectError {
  if (error instanceof OutcomeUnknownError) return new ConnectError('outcome unknown', Code.Unknown);
  const known = error instanceof ServiceError ? error : new ServiceError('INTERNAL', { message: 'Unexpected error.' });
  const code = RPC_CODE_BY_STATUS.get(ERROR_CODES[known.code].status) ?? Code.Internal;
  const detail = {
    code: known.code,
    message: known.message,
    param: known.param ?? '',
    problems: known.details.map((problem) => ({ ...problem, param: problem.param ?? '' })),
    retryAfterSeconds: known.retryAfterSeconds ?? 0,
  };
  return new ConnectError(known.message, code, undefined, [{ desc: ErrorDetailSchema, value: detail }]);
}

/**
 * What a failed call means to the caller: the ServiceError that the other side answered, SERVICE_UNAVAILABLE where the
 * call never left, OutcomeUnknownError where it may have been carried out.
 */
export function fromWireError(error: unknown): ServiceError | OutcomeUnknownError {
  const failure = ConnectError.from(error);
  const detail = failure.findDetails(ErrorDetailSchema)[0];
  if (!detail || !isErrorCode(detail.code)) {
    return neverSent(failure) ? unavailable(error) : new OutcomeUnknownError(error);
  }
  return new ServiceError(detail.code, {
    message: detail.message,
    ...(detail.param && { param: detail.param }),
    details: detail.problems.map(toDetail),
    ...(detail.retryAfterSeconds > 0 && { retryAfterSeconds: detail.retryAfterSeconds }),
    cause: error,
  });
}

/** grpc-js answers in these words, and only then, when no connection could carry the call. */
function neverSent(failure: ConnectError): boolean {
  return failure.code === Code.Unavailable && failure.rawMessage.includes('No connection established');
}

function toDetail({ code, param, message }: { code: string; param: string; message: string }): ErrorDetail {
  return { code, message, ...(param && { param }) };
}
