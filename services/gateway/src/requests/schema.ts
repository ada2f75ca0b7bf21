import type { ErrorDetail } from '@pfq/kit/errors';
import type { JsonValue } from '@pfq/kit/json';
import { Place } from '@pfq/kit/problems';
import type { JsonSchema } from './json-schema.ts';

/**
 * What a value must look like. `read` gives the typed value, or undefined once it has noted every problem at and below
 * `place`. `toJsonSchema` says the same to the documents, as JSON Schema 2020-12.
 */
export type Schema<T> = {
  readonly read: (value: JsonValue, place: Place) => T | undefined;
  readonly toJsonSchema: () => JsonSchema;
};

/** The value of a body, or all that is wrong with it. */
export type Checked<T> = { readonly value: T } | { readonly problems: readonly ErrorDetail[] };

/** Of an object, known fields are told first: as the schema lists them, each with what lies in it. Unknown ones follow as sent. */
export function check<T>(schema: Schema<T>, body: JsonValue): Checked<T> {
  const place = Place.whole('The body');
  const value = schema.read(body, place);
  return value === undefined ? { problems: place.problems } : { value };
}

/** The same schema with a sentence for the documents. */
export function described<T>(description: string, schema: Schema<T>): Schema<T> {
  return { read: schema.read, toJsonSchema: () => ({ ...schema.toJsonSchema(), description }) };
}
