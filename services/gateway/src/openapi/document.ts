import { CURRENT_VERSION } from '../versions/changes.ts';
import type { Endpoint } from '../routes/endpoint.ts';
import { ENDPOINTS } from '../routes/endpoints.ts';
import { APPLICATION_SCHEMAS } from './application-schemas.ts';
import { COMMON_SCHEMAS } from './common-schemas.ts';
import type { OpenApiDocument, Operation, Parameter, PathItem, Response } from './document-types.ts';
import { errorResponses, sharedResponses } from './error-responses.ts';
import { QUOTE_ID } from './examples.ts';
import { HEADERS, headersOf } from './headers.ts';
import { OPERATIONS, TAGS } from './operations.ts';
import type { OperationWords } from './operations.ts';
import { QUOTE_SCHEMAS } from './quote-schemas.ts';
import { REQUEST_SCHEMAS } from './request-schemas.ts';

export type DocumentOptions = {
  /** Public address of the API, or "/" where it is that of the document. */
  readonly serverUrl: string;
  /** Public address of the documentation. */
  readonly docsUrl: string;
};

const DESCRIPTION = `An agency's backend sends one insured and up to 25 policies, and gets a quote: options of down payment and
term, each with its APR and every amount to the cent.

- Money is a string in US dollars with two decimals, a rate is a fraction, a date is \`YYYY-MM-DD\`, an instant is UTC.
- Bodies are JSON in UTF-8 of at most 2 MB. Unknown fields are refused; so is text with NUL or half of a surrogate pair.
- Answers may grow: ignore fields that you do not know, and treat an unknown value of an enumeration (marked
  \`x-extensible-enum\`) safely.
- Every path that knows GET knows HEAD, which answers the same without the body. It is not listed.
- A message that is not sound HTTP gets a bare 400, 408 or 431 before it is a request, without the headers described here.`;

const SECURITY_SCHEME = 'apiKey';

/** The public API as OpenAPI 3.1. Throws where an endpoint has no words. */
export function openApiDocument({ serverUrl, docsUrl }: DocumentOptions): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Premium Finance Quoting API',
      version: CURRENT_VERSION,
      summary: 'Prices the financing of insurance premiums.',
      description: DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    externalDocs: { description: 'Guides, the meaning of every error, and the changelog', url: docsUrl },
    servers: [{ url: serverUrl, description: 'The mode, live or test, is that of the API key.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: describePaths(docsUrl),
    components: {
      securitySchemes: {
        [SECURITY_SCHEME]: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `pfq_live_…` or `pfq_test_…`. An operation lists the scope that the key needs.',
        },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: sharedResponses(docsUrl),
      schemas: { ...REQUEST_SCHEMAS, ...QUOTE_SCHEMAS, ...APPLICATION_SCHEMAS, ...COMMON_SCHEMAS },
    },
  };
}

/** Not `format: date`: generated clients cannot put a date into a header. The 29th of February is left out. */
const REAL_DATE =
  '^[12]\\d{3}-((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))$';

const PARAMETERS: Readonly<Record<string, Parameter>> = {
  QuoteId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of a quote that the key can see; any other value is a 404.',
    schema: { type: 'string' },
    example: QUOTE_ID,
  },
  ServiceVersion: {
    name: 'Service-Version',
    in: 'header',
    required: false,
    description: 'Pins an API version; without it the current one serves. The answer names the version that did.',
    schema: { type: 'string', pattern: REAL_DATE },
    example: CURRENT_VERSION,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a retry safe: within 24 hours the same request with the same key gets the first answer again. One header of 1 to 255 printable ASCII characters.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~](?:[ -~]*[!-~])?$' },
    example: '5f0c8ab2-6f0e-4d0a-9f6e-2f6f2f1f3c11',
  },
};

function describePaths(docsUrl: string): OpenApiDocument['paths'] {
  const paths: Record<string, PathItem> = {};
  for (const endpoint of ENDPOINTS) {
    const words = OPERATIONS[`${endpoint.method} ${endpoint.path}`];
    if (words === undefined) throw new Error(`${endpoint.method} ${endpoint.path} is not described`);
    const method = endpoint.method === 'GET' ? 'get' : 'post';
    paths[endpoint.path] = { ...paths[endpoint.path], [method]: describe(endpoint, { words, docsUrl }) };
  }
  return paths;
}

type Described = { readonly words: OperationWords; readonly docsUrl: string };

function describe(endpoint: Endpoint, { words, docsUrl }: Described): Operation {
  const { operationId, summary, description, tag, query, body, success } = words;
  const isWrite = endpoint.method === 'POST';
  const names = [
    ...(endpoint.path.includes('{id}') ? ['QuoteId'] : []),
    'ServiceVersion',
    ...(isWrite ? ['IdempotencyKey'] : []),
  ];
  const answer: Response = {
    description: success.description,
    headers: headersOf(success.status, { isWrite, codes: [] }),
    content: { 'application/json': { schema: success.schema, examples: success.examples } },
    ...(success.links && { links: success.links }),
  };
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: [{ [SECURITY_SCHEME]: endpoint.scope === null ? [] : [endpoint.scope] }],
    parameters: [...names.map((name) => ({ $ref: `#/components/parameters/${name}` })), ...query],
    ...(body && { requestBody: body }),
    responses: { [success.status]: answer, ...errorResponses({ endpoint, words }, docsUrl) },
  };
}
