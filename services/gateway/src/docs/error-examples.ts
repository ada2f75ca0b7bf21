import type { ErrorCode } from '@pfq/kit/error-codes';
import type { ErrorDetail } from '@pfq/kit/errors';

/** What a body says beside what the code itself fixes. */
type ErrorExample = { readonly message: string; readonly param?: string; readonly details?: readonly ErrorDetail[] };

const WRONG_STATE = {
  code: 'INVALID_FORMAT',
  param: 'insured.address.state',
  message: 'insured.address.state must be a two-letter USPS code, "TX"; "Texas" was sent.',
};
const WRONG_PREMIUM = {
  code: 'INVALID_TYPE',
  param: 'policies[0].premium',
  message: 'policies[0].premium must be a string with two decimals, such as "20000.00"; a number was sent.',
};

/** One answer for each code, as the service words it; null for a code that is reserved. */
export const ERROR_EXAMPLES: Readonly<Record<ErrorCode, ErrorExample | null>> = {
  INVALID_REQUEST: { message: 'The body is larger than 2 MB (2097152 bytes). Send a smaller one.' },
  INVALID_JSON: {
    message: 'The body is not valid JSON at line 1, column 8: the member "a" appears twice in one object.',
  },
  VALIDATION_FAILED: {
    message: WRONG_STATE.message,
    param: WRONG_STATE.param,
    details: [WRONG_STATE, WRONG_PREMIUM],
  },
  INVALID_API_VERSION: {
    message: 'Service-Version must be one real date written YYYY-MM-DD, such as 2026-09-23.',
  },
  IDEMPOTENCY_KEY_INVALID: { message: 'Idempotency-Key is empty. Send 1 to 255 characters, or leave the header out.' },
  IDEMPOTENCY_KEY_REQUIRED: null,
  INVALID_PAGINATION: {
    message:
      'starting_after is not the id of an application that this API key can see. Send the next_cursor of a page.',
    param: 'starting_after',
  },
  INVALID_API_KEY: { message: 'The API key is mistyped or cut short: its checksum does not match.' },
  KEY_REVOKED: { message: 'This API key was revoked. Use another key.' },
  KEY_EXPIRED: { message: 'This API key expired after 2026-10-31. Create a new key.' },
  API_ACCESS_NOT_ENABLED: { message: 'API access is not switched on for this agency.' },
  TEST_MODE_NOT_ENABLED: { message: 'Test mode is not switched on for this agency.' },
  TEST_MODE_ONLY: { message: 'A test helper works only with a test key. Use one.' },
  MISSING_SCOPE: { message: 'This API key lacks the scope quotes:write. Use a key that has it.' },
  BROKER_NOT_ACTIVE: {
    message: 'broker_email is not an active broker of this agency. Name an active one, or leave it out.',
    param: 'broker_email',
  },
  ACTING_BROKER_NOT_ALLOWED: {
    message: 'A broker key acts only for its own broker. Leave broker_email out, or use an agency key.',
    param: 'broker_email',
  },
  DEFAULT_BROKER_INACTIVE: {
    message:
      'The default broker of this API key, avery.stone@demo-agency.example, is not active. Activate the broker or use another key.',
  },
  NOT_FOUND: {
    message: 'There is nothing here, or this key cannot see it. Check the path, the id and the mode of the key.',
  },
  METHOD_NOT_ALLOWED: null,
  QUOTE_EXPIRED: { message: 'This quote expired at 2026-12-21T05:02:47.287Z. Create a new quote.' },
  QUOTE_ALREADY_INTERESTED: {
    message: 'This quote has a response already and takes only one. Read the quote to see it.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    message: 'This Idempotency-Key was used within 24 hours for a request with a different body. Use a new key.',
  },
  IDEMPOTENCY_REQUEST_IN_PROGRESS: {
    message: 'The first request with this Idempotency-Key is still running. Send the same request again in 1 second.',
  },
  RATE_LIMITED: {
    message:
      'Over the limit of 60 requests a minute for one API key. Nothing was done: send the same request again in 21 seconds.',
  },
  INTERNAL: { message: 'Something went wrong on our side. Quote the request id to support.' },
  IDEMPOTENCY_RECORD_LOST: {
    message:
      'The first request with this Idempotency-Key never recorded its outcome, so the key cannot succeed any more. Send the request again with a new key.',
  },
  SERVICE_UNAVAILABLE: {
    message: 'The service cannot be reached right now and nothing was stored. Retry after 30 seconds.',
  },
};
