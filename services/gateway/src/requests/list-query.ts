import { ServiceError } from '@pfq/kit/errors';
import { didYouMean } from './nearest.ts';
import { Place } from './place.ts';
import { validationFailed } from './schema.ts';
import { shortened } from './shortened.ts';
import { anyText } from './texts.ts';

/** The query of `GET /v1/applications`; what was not sent is null. */
export type ListQuery = {
  readonly limit: number;
  readonly startingAfter: string | null;
  readonly clientReferenceId: string | null;
};

type Values = ReadonlyMap<string, readonly (string | null)[]>;

export const LIST_PARAMETERS = ['limit', 'starting_after', 'client_reference_id'] as const;
export const LIMIT = { least: 1, most: 100, usual: 20 };
export const clientReferenceId = anyText(255);

/**
 * Reads a query as forms write it: `%` escapes, `+` for a space, empty pieces passed over. Throws VALIDATION_FAILED with
 * every parameter that is not known, is there more than once or cannot be read; then INVALID_PAGINATION for a bad limit.
 */
export function parseListQuery(query: string): ListQuery {
  const place = new Place('', []);
  const read = new Map<string, string>();
  for (const [name, values] of groupByName(query)) {
    const value = readOne(values, { name, place: place.member(name) });
    if (value !== undefined) read.set(name, value);
  }
  const reference = read.get('client_reference_id');
  if (reference !== undefined) clientReferenceId.read(reference, place.member('client_reference_id'));
  if (place.problems.length > 0) throw validationFailed(place.problems);
  return {
    limit: readLimit(read.get('limit')),
    startingAfter: read.get('starting_after') ?? null,
    clientReferenceId: reference ?? null,
  };
}

/** The values of each name in the order sent; a value is null where it cannot be decoded. */
function groupByName(query: string): Values {
  const values = new Map<string, (string | null)[]>();
  for (const piece of query.split('&').filter((one) => one !== '')) {
    const [sent = '', ...rest] = piece.split('=');
    const name = decode(sent) ?? sent;
    values.set(name, [...(values.get(name) ?? []), decode(rest.join('='))]);
  }
  return values;
}

function readOne(
  values: readonly (string | null)[],
  { name, place }: { readonly name: string; readonly place: Place },
): string | undefined {
  const isKnown = LIST_PARAMETERS.some((known) => known === name);
  if (!isKnown) return place.refuse('UNKNOWN_FIELD', `is not a known parameter.${didYouMean(name, LIST_PARAMETERS)}`);
  if (values.length > 1)
    return place.refuse('TOO_MANY', `must be sent once at most; it was sent ${values.length} times.`);
  return values[0] ?? place.refuse('INVALID_FORMAT', 'must be UTF-8 in which each "%" begins an escape such as "%20".');
}

function decode(sent: string): string | null {
  try {
    return decodeURIComponent(sent.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function readLimit(sent: string | undefined): number {
  if (sent === undefined) return LIMIT.usual;
  const limit = Number(sent);
  if (/^\d+$/.test(sent) && limit >= LIMIT.least && limit <= LIMIT.most) return limit;
  throw new ServiceError('INVALID_PAGINATION', {
    message: `limit must be a whole number from ${LIMIT.least} to ${LIMIT.most}, in digits; ${shortened(sent)} was sent.`,
    param: 'limit',
  });
}
