import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorDetailSchema } from '@pfq/proto/common/v1/error_pb';
import { ERROR_CODES, isErrorCode } from '../error-codes.ts';
import type { ErrorCode } from '../error-codes.ts';
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

/** Error details travel in base64 in a trailer, and peers take 64 KB of trailers; beyond that the error would be lost. */
const MAX_PROBLEM_BYTES = 36_000;
/** Tags and lengths of a Problem and its three fields. */
const BYTES_AROUND_A_PROBLEM = 12;

/** What goes over the wire for whatever a handler threw. A stray error is masked: its text may hold anything. */
export function toWireError(error: unknown): ConnectError {
  if (error instanceof OutcomeUnknownError) return new ConnectError('outcome unknown', Code.Unknown);
  const known = error instanceof ServiceError ? error : new ServiceError('INTERNAL', { message: 'Unexpected error.' });
  const code = RPC_CODE_BY_STATUS.get(ERROR_CODES[known.code].status) ?? Code.Internal;
  return new ConnectError(known.message.toWellFormed(), code, undefined, [detailOf(known)]);
}

/** A failure that was heard from nobody and certainly left nothing behind, with the detail that says so. */
export function withNothingStored(failure: ConnectError): ConnectError {
  const { rawMessage, code, metadata } = failure;
  return new ConnectError(rawMessage, code, metadata, [detailOf(unavailable(failure))], failure);
}

/**
 * What a failed call means to the caller: the ServiceError that the other side answered, SERVICE_UNAVAILABLE where the
 * call certainly changed nothing, OutcomeUnknownError where it may have been carried out.
 */
export function fromWireError(error: unknown): ServiceError | OutcomeUnknownError {
  const failure = ConnectError.from(error);
  const detail = failure.findDetails(ErrorDetailSchema)[0];
  if (failure.code === Code.ResourceExhausted && !detail) {
    return new ServiceError('INTERNAL', { message: 'A message between services is too large.', cause: error });
  }
  // The other side is an older release.
  if (!detail && failure.code === Code.Unimplemented) return unavailable(error);
  if (!detail || !isErrorCode(detail.code)) {
    return neverConnected(failure.cause) ? unavailable(error) : new OutcomeUnknownError(error);
  }
  return new ServiceError(detail.code, {
    message: detail.message,
    ...(detail.param && { param: detail.param }),
    details: detail.problems.map(toDetail),
    ...(detail.retryAfterSeconds > 0 && { retryAfterSeconds: detail.retryAfterSeconds }),
    cause: error,
  });
}

/**
 * What a failed call that stores nothing means where it was made: SERVICE_UNAVAILABLE whatever became of it, a refusal of
 * the `expected` codes as it is, and INTERNAL for any other, which only a fault of ours can bring about.
 */
export function failureOfRead(error: unknown, expected: readonly ErrorCode[] = []): ServiceError {
  const failure = fromWireError(error);
  if (failure instanceof OutcomeUnknownError) return unavailable(failure.cause);
  if (failure.code === 'SERVICE_UNAVAILABLE' || expected.includes(failure.code)) return failure;
  return new ServiceError('INTERNAL', { message: `Another service failed: ${failure.message}`, cause: failure });
}

/** Connect's own transport hands on the system call that failed; ours says so by a detail. */
function neverConnected(cause: unknown): boolean {
  return (
    cause instanceof Error && 'syscall' in cause && (cause.syscall === 'connect' || cause.syscall === 'getaddrinfo')
  );
}

/** Lone surrogates have no UTF-8, and would make the error itself unsendable. */
function detailOf(error: ServiceError) {
  const problems = error.details.map(({ code, param, message }) => ({
    code,
    param: param?.toWellFormed() ?? '',
    message: message.toWellFormed(),
  }));
  const value = {
    code: error.code,
    message: error.message.toWellFormed(),
    param: error.param?.toWellFormed() ?? '',
    problems: fitting(problems),
    retryAfterSeconds: error.retryAfterSeconds ?? 0,
  };
  return { desc: ErrorDetailSchema, value };
}

type Problem = { readonly code: string; readonly param: string; readonly message: string };

/** As many problems as fit; where some do not, one that counts them stands for the rest. */
function fitting(problems: readonly Problem[]): readonly Problem[] {
  let bytes = 0;
  const end = problems.findIndex(({ code, param, message }) => {
    bytes += Buffer.byteLength(code + param + message) + BYTES_AROUND_A_PROBLEM;
    return bytes > MAX_PROBLEM_BYTES;
  });
  if (end < 0) return problems;
  return [...problems.slice(0, end), { code: 'TOO_MANY', param: '', message: `And ${problems.length - end} more.` }];
}

function toDetail({ code, param, message }: { code: string; param: string; message: string }): ErrorDetail {
  return { code, message, ...(param && { param }) };
}
