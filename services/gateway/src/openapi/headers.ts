import type { ErrorCode } from '@pfq/kit/error-codes';
import { CURRENT_VERSION } from '../versions/changes.ts';
import { REQUESTS_PER_MINUTE } from '../domain/rate-limits.ts';
import type { Header, Ref } from './document-types.ts';
import { count, day, id, text, word } from './schema-words.ts';

const SECONDS_OF_DAY = 86_400;
const IF_COUNTED = 'Absent where the request failed before its key was looked up.';

/** The request of the examples. */
export const REQUEST_ID = 'req_8Dm9xKu9aR4mOKXcpvvZTU';

const requestId = {
  schema: id('req_', 22, "The service's id of the request. Quote it to support."),
  example: REQUEST_ID,
};
const serviceVersion = { schema: day('The API version that served the request.'), example: CURRENT_VERSION };
const limit = { schema: count('Size of the limit closest to running out.', 1), example: REQUESTS_PER_MINUTE };
const remaining = { schema: count('Requests left within that limit.', 0), example: REQUESTS_PER_MINUTE - 1 };
const reset = {
  schema: { ...count('Seconds until that limit starts anew, rounded up.', 1), maximum: SECONDS_OF_DAY },
  example: 21,
};
const retryAfter = {
  schema: { ...count('Seconds to wait before the request is sent again.', 1), maximum: SECONDS_OF_DAY },
  example: 1,
};
const replayed = word('true', 'The answer is the stored one of an earlier request with the same Idempotency-Key.');
const scheme = word('Bearer', 'The one scheme of authentication.');
const methods = text('The methods that the path knows, separated by commas.');

/** Every header of an answer beside those of HTTP itself, by the name of its component: `Name` or `Name.sometimes`. */
export const HEADERS = {
  'Request-Id': always(requestId),
  'Service-Version': always(serviceVersion),
  'RateLimit-Limit': always(limit),
  'RateLimit-Remaining': always(remaining),
  'RateLimit-Reset': always(reset),
  'RateLimit-Limit.sometimes': sometimes(limit, IF_COUNTED),
  'RateLimit-Remaining.sometimes': sometimes(remaining, IF_COUNTED),
  'RateLimit-Reset.sometimes': sometimes(reset, IF_COUNTED),
  'Retry-After': always(retryAfter),
  'Retry-After.sometimes': sometimes(retryAfter, 'Only with IDEMPOTENCY_REQUEST_IN_PROGRESS.'),
  'Idempotent-Replayed.sometimes': sometimes({ schema: replayed, example: 'true' }, 'Absent from a first answer.'),
  'WWW-Authenticate': always({ schema: scheme, example: 'Bearer' }),
  Allow: always({ schema: methods, example: 'GET, HEAD' }),
} as const satisfies Readonly<Record<string, Header>>;

const COUNTED = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;
const MAYBE_COUNTED = COUNTED.map((name) => `${name}.sometimes` as const);

/** The headers of an answer with `status` to a request that may get `codes`, as references. */
export function headersOf(
  status: number,
  { isWrite, codes }: { readonly isWrite: boolean; readonly codes: readonly ErrorCode[] },
): Readonly<Record<string, Ref>> {
  const isReplayable = isWrite && (status < 300 || status === 500);
  const names: (keyof typeof HEADERS)[] = [
    'Request-Id',
    'Service-Version',
    ...(status === 401 ? [] : status >= 500 ? MAYBE_COUNTED : COUNTED),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 405 ? (['Allow'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(codes.includes('IDEMPOTENCY_REQUEST_IN_PROGRESS') ? (['Retry-After.sometimes'] as const) : []),
    ...(isReplayable ? (['Idempotent-Replayed.sometimes'] as const) : []),
  ];
  const refs = names.map((name) => [name.replace('.sometimes', ''), { $ref: `#/components/headers/${name}` }] as const);
  return Object.fromEntries(refs);
}

type Told = Pick<Header, 'schema' | 'example'>;

function always({ schema, example }: Told): Header {
  return { description: schema.description ?? '', required: true, schema, example };
}

function sometimes({ schema, example }: Told, absence: string): Header {
  return { description: `${schema.description} ${absence}`, required: false, schema, example };
}
