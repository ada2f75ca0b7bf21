import type { ErrorCode } from './error-codes.ts';

/** One problem of a request. `param` is a path such as `policies[0].premium`; absent where the whole body is meant. */
export type ErrorDetail = { readonly code: string; readonly param?: string; readonly message: string };

type ErrorParts = {
  /** For the caller: what is wrong and what to do. Never a secret, never another tenant's data. */
  readonly message: string;
  readonly param?: string | undefined;
  readonly details?: readonly ErrorDetail[];
  readonly retryAfterSeconds?: number;
  /** For the log only. */
  readonly cause?: unknown;
};

/** An expected failure with a public code. Anything else that is thrown is a bug and becomes INTERNAL. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, parts: ErrorParts) {
    super(parts.message, { cause: parts.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.param = parts.param;
    this.details = parts.details ?? [];
    this.retryAfterSeconds = parts.retryAfterSeconds;
  }
}

/** The one answer for "cannot be served now, and nothing was stored". `cause` goes to the log only. */
export function unavailable(cause: unknown): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', {
    message: 'The service cannot be reached right now and nothing was stored. Retry after 30 seconds.',
    retryAfterSeconds: 30,
    cause,
  });
}

/** A write whose fate nobody knows: the connection broke, or time ran out, after it was sent. */
export class OutcomeUnknownError extends Error {
  constructor(cause: unknown) {
    super('It is not known whether the call was carried out.', { cause });
    this.name = 'OutcomeUnknownError';
  }
}
