/**
 * Every public error code, once: it feeds types, HTTP status, documentation and tests.
 * `meaning` and `remedy` are sentences for integrators.
 */
export const ERROR_CODES = {
  INVALID_REQUEST: code(
    400,
    'invalid_request',
    'The request body is over 2 MB or is compressed.',
    'Send a smaller, uncompressed body; do not retry unchanged.',
  ),
  INVALID_JSON: code(
    400,
    'invalid_request',
    'The body is not well-formed JSON in UTF-8.',
    'Send one JSON object in UTF-8, at most 64 levels deep, with no member named twice.',
  ),
  VALIDATION_FAILED: code(
    422,
    'invalid_request',
    'The request can be read but breaks rules of the endpoint.',
    'Mend every problem listed in `details`, then send again.',
  ),
  INVALID_API_VERSION: code(
    400,
    'invalid_request',
    'The `Service-Version` header is not a real date.',
    'Send a date as YYYY-MM-DD, or leave the header out.',
  ),
  IDEMPOTENCY_KEY_INVALID: code(
    400,
    'invalid_request',
    'The `Idempotency-Key` header is empty, too long, repeated or not printable ASCII.',
    'Send one header of 1 to 255 printable ASCII characters.',
  ),
  IDEMPOTENCY_KEY_REQUIRED: code(
    400,
    'invalid_request',
    'Reserved: no endpoint requires an idempotency key today.',
    'Send an `Idempotency-Key`.',
  ),
  INVALID_PAGINATION: code(
    400,
    'invalid_request',
    '`starting_after` or `limit` cannot be used.',
    'Pass the `next_cursor` of the previous page and a limit of 1 to 100.',
  ),
  INVALID_API_KEY: code(
    401,
    'authentication',
    'The API key is missing, mistyped or unknown.',
    'Send `Authorization: Bearer` and the whole key.',
  ),
  KEY_REVOKED: code(401, 'authentication', 'The API key was revoked.', 'Use another key; revocation is permanent.'),
  KEY_EXPIRED: code(401, 'authentication', 'The API key has passed its expiry date.', 'Create a new key.'),
  API_ACCESS_NOT_ENABLED: code(
    403,
    'permission',
    'Live API access is off for the agency.',
    'Ask for API access to be switched on.',
  ),
  TEST_MODE_NOT_ENABLED: code(
    403,
    'permission',
    'Test mode is off for the agency.',
    'Ask for test mode to be switched on.',
  ),
  TEST_MODE_ONLY: code(403, 'permission', 'A live key called a test helper.', 'Use a test key.'),
  MISSING_SCOPE: code(
    403,
    'permission',
    'The API key lacks a scope that the endpoint needs.',
    'Create a key with the scopes that the message names.',
  ),
  BROKER_NOT_ACTIVE: code(
    403,
    'permission',
    '`broker_email` is no active broker of the agency.',
    'Name an active broker, or leave it out to use the default broker.',
  ),
  ACTING_BROKER_NOT_ALLOWED: code(
    403,
    'permission',
    'A broker key named another broker.',
    'Leave `broker_email` out, or use an agency key.',
  ),
  DEFAULT_BROKER_INACTIVE: code(
    403,
    'permission',
    "The key's default broker is not active.",
    'Activate the broker, or use another key.',
  ),
  NOT_FOUND: code(
    404,
    'not_found',
    'There is no such thing, or the key cannot see it.',
    'Check the id, the mode of the key and whose it is.',
  ),
  METHOD_NOT_ALLOWED: code(
    405,
    'invalid_request',
    'Reserved: a 405 has no body today.',
    'Use a method that the `Allow` header names.',
  ),
  QUOTE_EXPIRED: code(409, 'conflict', 'The quote has expired.', 'Create a new quote.'),
  QUOTE_ALREADY_INTERESTED: code(409, 'conflict', 'The quote already has a response.', 'Read the quote to see it.'),
  IDEMPOTENCY_KEY_REUSED: code(
    409,
    'conflict',
    'The key was used within 24 hours for another request.',
    'Use a new key for a new request.',
  ),
  IDEMPOTENCY_REQUEST_IN_PROGRESS: code(
    409,
    'conflict',
    'The first request with this key has not ended yet.',
    'Wait for `Retry-After`, then send the same request again.',
  ),
  RATE_LIMITED: code(429, 'rate_limit', 'Over a per-minute or daily limit.', 'Wait for `Retry-After`.'),
  INTERNAL: code(
    500,
    'api_error',
    'Something went wrong on our side.',
    'Retry; if the same answer is replayed, use a new idempotency key. Quote the request id to support.',
  ),
  IDEMPOTENCY_RECORD_LOST: code(
    500,
    'api_error',
    'The first request with this key never recorded its outcome.',
    'Send the request again with a new key.',
  ),
  SERVICE_UNAVAILABLE: code(
    503,
    'api_error',
    'Part of the service cannot be reached, or prices cannot be had. Nothing was stored.',
    'Retry after `Retry-After` seconds.',
  ),
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
export type ErrorType =
  | 'invalid_request'
  | 'authentication'
  | 'permission'
  | 'not_found'
  | 'conflict'
  | 'rate_limit'
  | 'api_error';

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}

function code(status: number, type: ErrorType, meaning: string, remedy: string) {
  return { status, type, meaning, remedy } as const;
}
