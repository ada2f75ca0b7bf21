import type { ServiceError } from '@pfq/kit/errors';
import { readJson } from '@pfq/kit/json';
import type { JsonValue } from '@pfq/kit/json';
import { clientReferenceId, LIMIT, LIST_PARAMETERS, parseListQuery } from '../requests/list-query.ts';
import { parseInterestRequest, parseLinkRequest } from '../requests/quote-changes.ts';
import { parseQuoteRequest } from '../requests/quote-request.ts';
import type { Examples, Link, Parameter, RequestBody, Schema } from './document-types.ts';
import * as examples from './examples.ts';
import { refusalOf } from './refusal.ts';
import { COVERAGE_TYPE_NAMES, REQUEST_SCHEMAS } from './request-schemas.ts';
import { refTo } from './schema-words.ts';

export const TAGS = {
  Quotes: 'Price a deal, read the quote, renew the link to its page for the insured.',
  Applications: 'Deals that are carried forward in the broker portal; read-only.',
  'Reference data': 'What requests may name, and what a key is.',
  'Test helpers': 'Act out on test data what otherwise an insured does.',
} as const;

/** What the document says of an endpoint beside what the endpoint says itself. */
export type OperationWords = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: keyof typeof TAGS;
  /** Whether it needs an active broker to act as. */
  readonly actsAsBroker: boolean;
  readonly query: readonly Parameter[];
  /** Absent where no body is read. */
  readonly body?: RequestBody;
  /** What VALIDATION_FAILED looks like; absent where it cannot come. */
  readonly mistake?: ServiceError;
  readonly success: {
    readonly status: 200 | 201;
    readonly description: string;
    readonly schema: Schema;
    readonly examples: Examples;
    readonly links?: Readonly<Record<string, Link>>;
  };
};

const QUOTE = { id: '$response.body#/id' };

const listParameters: Readonly<
  Record<(typeof LIST_PARAMETERS)[number], Pick<Parameter, 'description' | 'schema' | 'example'>>
> = {
  limit: {
    description: 'How many applications a page has at most.',
    schema: { type: 'integer', minimum: LIMIT.least, maximum: LIMIT.most, default: LIMIT.usual },
    example: 50,
  },
  starting_after: {
    description: 'The `next_cursor` of the page before; this one begins after that application.',
    schema: { type: 'string', pattern: '^app_[0-9A-Za-z]{22}$' },
    example: examples.APPLICATION_ID,
  },
  client_reference_id: {
    description: 'Only applications that carry this id of yours. None does today.',
    schema: clientReferenceId.toJsonSchema(),
    example: 'project-0318',
  },
};

/** By method and path of the endpoint. */
export const OPERATIONS: Readonly<Record<string, OperationWords>> = {
  'POST /v1/quotes': {
    operationId: 'createQuote',
    summary: 'Create a quote',
    description:
      'Prices one insured and one to 25 policies as one loan, stores the quote and issues its hosted link. An ineligible deal is answered with 201 too: with its reasons and without options. Every request counts towards the daily limits, whatever comes of it.',
    tag: 'Quotes',
    actsAsBroker: true,
    query: [],
    body: {
      description: 'The deal. Every problem of it is told at once.',
      required: true,
      content: jsonContent('QuoteRequest', examples.newQuoteBodies),
    },
    mistake: refusalOf(() => parseQuoteRequest(readText('{"policies":[]}'), COVERAGE_TYPE_NAMES)),
    success: {
      status: 201,
      description: 'The quote, eligible or not, with its hosted link.',
      schema: refTo('Quote'),
      examples: examples.newQuotes,
      links: {
        read: { operationId: 'getQuote', description: 'Reads the quote again.', parameters: QUOTE },
        renewLink: { operationId: 'issueHostedLink', description: 'Replaces its hosted link.', parameters: QUOTE },
        respond: {
          operationId: 'expressTestInterest',
          description: 'Acts out the response of the insured to a test quote.',
          parameters: QUOTE,
        },
      },
    },
  },
  'GET /v1/quotes/{id}': {
    operationId: 'getQuote',
    summary: 'Read a quote',
    description:
      'The quote as it was priced, with its status now and `hosted_url` null. A broker key sees the quotes of its broker, an agency key those of the whole agency.',
    tag: 'Quotes',
    actsAsBroker: true,
    query: [],
    success: { status: 200, description: 'The quote.', schema: refTo('Quote'), examples: examples.quotes },
  },
  'POST /v1/quotes/{id}/hosted-link': {
    operationId: 'issueHostedLink',
    summary: 'Issue a new hosted link',
    description: 'Revokes the current link of the quote and issues a fresh one. Not for an expired quote.',
    tag: 'Quotes',
    actsAsBroker: true,
    query: [],
    body: {
      description: 'Nothing, or an empty object.',
      required: false,
      content: jsonContent('HostedLinkRequest', examples.linkBodies),
    },
    mistake: refusalOf(() => parseLinkRequest(readText('{"expires_in":3600}'))),
    success: {
      status: 200,
      description: 'The quote with the fresh link.',
      schema: refTo('Quote'),
      examples: examples.freshLinks,
    },
  },
  'GET /v1/coverage-types': {
    operationId: 'listCoverageTypes',
    summary: 'List coverage types',
    description:
      'Every line of cover that a policy can have. Requests name the `type`; map your own lines by name and alias.',
    tag: 'Reference data',
    actsAsBroker: false,
    query: [],
    success: {
      status: 200,
      description: 'All coverage types.',
      schema: refTo('CoverageTypeList'),
      examples: examples.coverageTypes,
    },
  },
  'GET /v1/whoami': {
    operationId: 'whoami',
    summary: 'Look up the API key',
    description: 'The agency that the key belongs to, the broker it acts as, its scopes and its mode.',
    tag: 'Reference data',
    actsAsBroker: true,
    query: [],
    success: {
      status: 200,
      description: 'What the key is.',
      schema: refTo('Whoami'),
      examples: examples.whoamis,
    },
  },
  'POST /v1/test_helpers/quotes/{id}/interest': {
    operationId: 'expressTestInterest',
    summary: 'Act out interest in a test quote',
    description:
      'Does to a test quote what the insured does on the hosted page. Nobody is notified. A live key is refused with `TEST_MODE_ONLY`.',
    tag: 'Test helpers',
    actsAsBroker: true,
    query: [],
    body: {
      description: 'The chosen option.',
      required: true,
      content: jsonContent('InterestRequest', examples.interestBodies),
    },
    mistake: refusalOf(() => parseInterestRequest(readText('{"note":"Please call."}'))),
    success: {
      status: 200,
      description: 'The quote with the response.',
      schema: refTo('Quote'),
      examples: examples.interestedQuotes,
    },
  },
  'GET /v1/applications': {
    operationId: 'listApplications',
    summary: 'List applications',
    description:
      'Applications that the key can see, newest first: those of the whole agency, or of its broker for a broker key. Test keys see none. Any other query parameter is refused.',
    tag: 'Applications',
    actsAsBroker: true,
    query: LIST_PARAMETERS.map((name) => ({ name, in: 'query', required: false, ...listParameters[name] })),
    mistake: refusalOf(() => parseListQuery('limt=50')),
    success: {
      status: 200,
      description: 'One page.',
      schema: refTo('ApplicationList'),
      examples: examples.applicationLists,
      links: {
        nextPage: {
          operationId: 'listApplications',
          description: 'The next page, where `has_more` is true.',
          parameters: { starting_after: '$response.body#/next_cursor' },
        },
      },
    },
  },
};

function jsonContent(name: keyof typeof REQUEST_SCHEMAS, given: Examples): RequestBody['content'] {
  return { 'application/json': { schema: refTo(name), examples: given } };
}

function readText(body: string): JsonValue {
  return readJson(Buffer.from(body));
}
