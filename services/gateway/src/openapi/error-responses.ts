import { ERROR_CODES, isErrorCode } from '@pfq/kit/error-codes';
import type { ErrorCode } from '@pfq/kit/error-codes';
import type { ServiceError } from '@pfq/kit/errors';
import { errorAnswer } from '../routes/answer.ts';
import type { Endpoint } from '../routes/endpoint.ts';
import type { Example, Ref, Response } from './document-types.ts';
import { ERROR_EXAMPLES } from './error-examples.ts';
import { headersOf, REQUEST_ID } from './headers.ts';
import type { OperationWords } from './operations.ts';
import { refTo } from './schema-words.ts';

/** What decides which errors an operation can answer. */
type Traits = { readonly endpoint: Endpoint; readonly words: OperationWords };

/** Which operations can answer a code. */
type Answers = (traits: Traits) => boolean;

const CODES = Object.keys(ERROR_CODES).filter(isErrorCode);

const always: Answers = () => true;
const never: Answers = () => false;
const isPost: Answers = ({ endpoint }) => endpoint.method === 'POST';
const isNewQuote: Answers = ({ endpoint }) => endpoint.method === 'POST' && endpoint.isNewQuote === true;
const isTestHelper: Answers = ({ endpoint }) => endpoint.method === 'POST' && endpoint.isTestHelper === true;
const changesQuote: Answers = (traits) => isPost(traits) && !isNewQuote(traits);
const namesThing: Answers = ({ endpoint }) => endpoint.path.includes('{');
const isPaged: Answers = ({ words }) => words.query.length > 0;

/** A code that is added has to find its place here. */
const ANSWERED_BY: Readonly<Record<ErrorCode, Answers>> = {
  INVALID_REQUEST: isPost,
  INVALID_JSON: isPost,
  VALIDATION_FAILED: (traits) => isPost(traits) || isPaged(traits),
  INVALID_API_VERSION: always,
  IDEMPOTENCY_KEY_INVALID: isPost,
  IDEMPOTENCY_KEY_REQUIRED: never,
  INVALID_PAGINATION: isPaged,
  INVALID_API_KEY: always,
  KEY_REVOKED: always,
  KEY_EXPIRED: always,
  API_ACCESS_NOT_ENABLED: always,
  TEST_MODE_NOT_ENABLED: always,
  TEST_MODE_ONLY: isTestHelper,
  MISSING_SCOPE: ({ endpoint }) => endpoint.scope !== null,
  BROKER_NOT_ACTIVE: isNewQuote,
  ACTING_BROKER_NOT_ALLOWED: isNewQuote,
  DEFAULT_BROKER_INACTIVE: ({ words }) => words.actsAsBroker,
  NOT_FOUND: namesThing,
  METHOD_NOT_ALLOWED: never,
  QUOTE_EXPIRED: changesQuote,
  QUOTE_ALREADY_INTERESTED: isTestHelper,
  IDEMPOTENCY_KEY_REUSED: isPost,
  IDEMPOTENCY_REQUEST_IN_PROGRESS: isPost,
  RATE_LIMITED: always,
  INTERNAL: always,
  IDEMPOTENCY_RECORD_LOST: isPost,
  SERVICE_UNAVAILABLE: always,
};

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request cannot be read.',
  401: 'The API key does not count.',
  403: 'The API key may not do this.',
  404: 'There is no such thing, or the key cannot see it.',
  405: 'The path does not know the method. The body is empty.',
  409: 'The request is at odds with how things stand.',
  422: 'The request breaks rules of the endpoint.',
  429: 'Over a rate limit. Nothing was done.',
  500: 'Something went wrong on our side.',
  503: 'Part of the service cannot be reached, or prices cannot be had. Nothing was stored.',
};

/** Answers that are the same whatever the operation, by the names of their components. */
const SHARED: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  429: 'TooManyRequests',
  503: 'Unavailable',
};

/** Every error that an operation can answer, by status. */
export function errorResponses(traits: Traits, docsUrl: string): Readonly<Record<string, Response | Ref>> {
  const { mistake } = traits.words;
  const responses: Record<string, Response | Ref> = {};
  for (const status of Object.keys(MEANINGS).map(Number)) {
    const shared = SHARED[status];
    const codes = codesWith(status).filter((code) => ANSWERED_BY[code](traits));
    if (shared !== undefined && (codes.length > 0 || status === 405)) {
      responses[status] = { $ref: `#/components/responses/${shared}` };
    } else if (codes.length > 0) {
      responses[status] = toResponse(status, { codes, isWrite: isPost(traits), mistake, docsUrl });
    }
  }
  return responses;
}

/** The answers that references lead to. */
export function sharedResponses(docsUrl: string): Readonly<Record<string, Response>> {
  const shared = Object.entries(SHARED).map(([key, name]) => {
    const status = Number(key);
    return [name, toResponse(status, { codes: codesWith(status), isWrite: false, docsUrl })] as const;
  });
  return Object.fromEntries(shared);
}

function codesWith(status: number): readonly ErrorCode[] {
  return CODES.filter((code) => ERROR_CODES[code].status === status && ANSWERED_BY[code] !== never);
}

type Parts = {
  readonly codes: readonly ErrorCode[];
  readonly isWrite: boolean;
  /** What VALIDATION_FAILED looks like here. */
  readonly mistake?: ServiceError | undefined;
  readonly docsUrl: string;
};

/** An answer with an example for each code that it can carry. */
function toResponse(status: number, parts: Parts): Response {
  const { codes } = parts;
  const lines = codes.map((code) => `- \`${code}\`: ${ERROR_CODES[code].meaning}`);
  const description = [MEANINGS[status], ...(lines.length === 0 ? [] : ['', ...lines])].join('\n');
  const headers = headersOf(status, parts);
  if (codes.length === 0) return { description, headers };
  const examples = Object.fromEntries(codes.map((code) => [code, toExample(code, parts)]));
  return { description, headers, content: { 'application/json': { schema: refTo('Error'), examples } } };
}

/** Written as the service writes it. */
function toExample(code: ErrorCode, { mistake, docsUrl }: Parts): Example {
  const error = code === 'VALIDATION_FAILED' ? mistake : ERROR_EXAMPLES[code];
  if (!error) throw new Error(`there is no example of ${code}`);
  const { body } = errorAnswer(error, { requestId: REQUEST_ID, docsUrl });
  return { summary: ERROR_CODES[code].meaning, value: JSON.parse(body ?? '') };
}
