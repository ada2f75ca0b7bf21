import { COVERAGE_TYPES } from '@pfq/proto/coverage-types';
import { interestRequest, linkRequest } from '../requests/quote-changes.ts';
import { quoteRequest } from '../requests/quote-request.ts';
import type { Schema } from './document-types.ts';
import { described } from './schema-words.ts';

export const COVERAGE_TYPE_NAMES = COVERAGE_TYPES.map(({ type }) => type);

/** What validates requests, as documents say it. */
export const REQUEST_SCHEMAS = {
  QuoteRequest: described(
    'A deal to price. Null says as little as an absent field does.',
    quoteRequest(COVERAGE_TYPE_NAMES).toJsonSchema(),
  ),
  HostedLinkRequest: described('Nothing needs to be said.', linkRequest.toJsonSchema()),
  InterestRequest: described('What the insured would choose and write.', interestRequest.toJsonSchema()),
} as const satisfies Readonly<Record<string, Schema>>;
