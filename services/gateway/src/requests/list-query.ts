import { ServiceError } from '@pfq/kit/errors';
import { Place, validationFailed } from '@pfq/kit/problems';
import { shortened } from '@pfq/kit/texts';
import { didYouMean } from './nearest.ts';
import { anyText } from './texts.ts';

/** The query of `GET /v1/applications`; what was not sent is null. */
export type ListQuery = {
  readonly limit: number;
  readonly startingAfter: string | null;
  readonly clientReferenceId: string | null;
};

type Values = ReadonlyMap<string, readonly string[]>;

export const LIST_PARAMETERS = ['limit', 'starting_after', 'client_reference_id'] as const;
export const LIMIT = { least: 1, most: 100, usual: 20 };
export const clientReferenceId = anyText(255);

/**
 * Reads a query as forms write it: `%` escapes, `+` for a space, empty pieces passed over; what is no escape stands for
 * itself. Throws VALIDATION_FAILED with every parameter that is not known or is there more than once; then
 * INVALID_PAGINATION for a bad limit.
 */
export function parseListQuery(query: string): ListQuery {
  const place = Place.whole('The query');
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

/** The values of each name in the order sent. */
function groupByName(query: string): Values {
  const values = new Map<string, string[]>();
  for (const piece of query.split('&').filter((one) => one !== '')) {
    const [sent = '', ...rest] = piece.split('=');
    const name = decode(sent);
    const value = decode(rest.join('='));
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, [value]);
    else earlier.push(value);
  }
  return values;
}

function readOne(
  values: readonly string[],
  { name, place }: { readonly name: string; readonly place: Place },
): string | undefined {
  const isKnown = LIST_PARAMETERS.some((known) => known === name);
  if (!isKnown) return place.refuse('UNKNOWN_FIELD', `is not a known parameter.${didYouMean(name, LIST_PARAMETERS)}`);
  if (values.length > 1)
    return place.refuse('TOO_MANY', `must be sent once at most; it was sent ${values.length} times.`);
  return values[0];
}

function decode(sent: string): string {
  const spaced = sent.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
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
