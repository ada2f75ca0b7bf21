import { createHash } from 'node:crypto';
import type { ErrorCode } from '@pfq/kit/error-codes';
import { ServiceError, unavailable } from '@pfq/kit/errors';
import {
  defaultBrokerOf,
  requireEnabledMode,
  requireScope,
  requireTestMode,
  requireUsableKey,
} from '../domain/access.ts';
import type { Access } from '../domain/access.ts';
import { judge, recordLost } from '../domain/idempotency.ts';
import type { Claim, KeyRecord } from '../domain/idempotency.ts';
import { REQUESTS_PER_MINUTE, requireWithinLimits, windowsOf } from '../domain/rate-limits.ts';
import { parseBody } from '../requests/body.ts';
import { parseQuoteRequest } from '../requests/quote-request.ts';
import { readIdempotencyKey } from '../routes/idempotency-key.ts';
import { notFound } from '../routes/not-found.ts';
import { apiVersions } from '../versions/api-versions.ts';
import { CHANGES } from '../versions/changes.ts';
import newQuote from './examples/quote-request.json' with { type: 'json' };
import { refusalOf } from './refusal.ts';
import { COVERAGE_TYPE_NAMES } from './request-schemas.ts';

const NOW = new Date('2026-11-21T05:02:39Z');
const BEGUN = new Date('2026-11-21T05:02:00Z');

/** A sound test key. */
const ACCESS: Access = {
  keyId: 'key_8Dm9xJ0cEoPz4sYqWb6RtA',
  agencyId: 'agy_8Dm9xJ0cEoPz4sYqWb6RtB',
  agencyName: 'Demo Agency',
  mode: 'test',
  type: 'agency',
  scopes: [],
  expiresOn: null,
  revoked: false,
  enabled: true,
  defaultBroker: {
    id: 'brk_8Dm9xJ0cEoPz4sYqWb6RtC',
    email: 'avery.stone@demo-agency.example',
    name: 'Avery Stone',
    status: 'active',
  },
  windows: [],
  now: NOW,
};

const CLAIM: Claim = {
  agencyId: ACCESS.agencyId,
  mode: ACCESS.mode,
  key: '5f0c8ab2-6f0e-4d0a-9f6e-2f6f2f1f3c11',
  owner: 'the retry',
  method: 'POST',
  path: '/v1/quotes',
  bodyHash: hashOf('{"a":1}'),
  brokerId: ACCESS.defaultBroker.id,
  writeId: 'qte_8Dm9xIXmqlZkA5by3JqrZW',
  requestId: '',
};
const RECORD: KeyRecord = { ...CLAIM, owner: 'the first', claimedAt: BEGUN, progress: { state: 'claimed' } };

/** One answer for each code, in the service's own words; null for a code that is reserved. */
export const ERROR_EXAMPLES: Readonly<Record<ErrorCode, ServiceError | null>> = {
  INVALID_REQUEST: worded('INVALID_REQUEST', 'The body is larger than 2 MB (2097152 bytes). Send a smaller one.'),
  INVALID_JSON: refusalOf(() => parseBody(Buffer.from('{"a":1,"a":2}'))),
  VALIDATION_FAILED: refusalOf(readWrongDeal),
  INVALID_API_VERSION: refusalOf(() => apiVersions(CHANGES).choose('v1')),
  IDEMPOTENCY_KEY_INVALID: refusalOf(() => readIdempotencyKey({ headersDistinct: { 'idempotency-key': [''] } })),
  IDEMPOTENCY_KEY_REQUIRED: null,
  INVALID_PAGINATION: worded(
    'INVALID_PAGINATION',
    'starting_after is not the id of an application that this API key can see. Send the next_cursor of a page.',
    { param: 'starting_after' },
  ),
  INVALID_API_KEY: worded('INVALID_API_KEY', 'The API key is mistyped or cut short: its checksum does not match.'),
  KEY_REVOKED: refusalOf(() => requireUsableKey({ ...ACCESS, revoked: true })),
  KEY_EXPIRED: refusalOf(() => requireUsableKey({ ...ACCESS, expiresOn: '2026-10-31' })),
  API_ACCESS_NOT_ENABLED: refusalOf(() => requireEnabledMode({ ...ACCESS, mode: 'live', enabled: false })),
  TEST_MODE_NOT_ENABLED: refusalOf(() => requireEnabledMode({ ...ACCESS, enabled: false })),
  TEST_MODE_ONLY: refusalOf(() => requireTestMode({ ...ACCESS, mode: 'live' })),
  MISSING_SCOPE: refusalOf(() => requireScope(ACCESS, 'quotes:write')),
  BROKER_NOT_ACTIVE: worded(
    'BROKER_NOT_ACTIVE',
    'broker_email is not an active broker of this agency. Name an active one, or leave it out.',
    { param: 'broker_email' },
  ),
  ACTING_BROKER_NOT_ALLOWED: worded(
    'ACTING_BROKER_NOT_ALLOWED',
    'A broker key acts only for its own broker. Leave broker_email out, or use an agency key.',
    { param: 'broker_email' },
  ),
  DEFAULT_BROKER_INACTIVE: refusalOf(() =>
    defaultBrokerOf({ ...ACCESS, defaultBroker: { ...ACCESS.defaultBroker, status: 'inactive' } }),
  ),
  NOT_FOUND: notFound(),
  METHOD_NOT_ALLOWED: null,
  QUOTE_EXPIRED: worded('QUOTE_EXPIRED', 'This quote expired at 2026-12-21T05:02:47.287Z. Create a new quote.'),
  QUOTE_ALREADY_INTERESTED: worded(
    'QUOTE_ALREADY_INTERESTED',
    'This quote has a response already and takes only one. Read the quote to see it.',
  ),
  IDEMPOTENCY_KEY_REUSED: refusalOf(() => judge(CLAIM, { ...RECORD, bodyHash: hashOf('{"a":2}') }, NOW)),
  IDEMPOTENCY_REQUEST_IN_PROGRESS: refusalOf(() => judge(CLAIM, RECORD, NOW)),
  RATE_LIMITED: refusalOf(() =>
    requireWithinLimits(windowsOf({ minute: { startedAt: BEGUN, used: REQUESTS_PER_MINUTE + 1 } }, 'test'), NOW),
  ),
  INTERNAL: worded('INTERNAL', 'Something went wrong on our side. Quote the request id to support.'),
  IDEMPOTENCY_RECORD_LOST: recordLost(),
  SERVICE_UNAVAILABLE: unavailable(null),
};

/** What is worded where an example cannot call; tests hold it against the answers that callers get. */
function worded(code: ErrorCode, message: string, { param }: { readonly param?: string } = {}): ServiceError {
  return new ServiceError(code, { message, param });
}

function readWrongDeal(): unknown {
  const { insured, policies } = newQuote;
  const sent = {
    insured: { ...insured, address: { state: 'Texas' } },
    policies: policies.map((policy, index) => (index === 0 ? { ...policy, premium: 20_000 } : policy)),
  };
  return parseQuoteRequest(parseBody(Buffer.from(JSON.stringify(sent))), COVERAGE_TYPE_NAMES);
}

function hashOf(body: string): Buffer {
  return createHash('sha256').update(body).digest();
}
