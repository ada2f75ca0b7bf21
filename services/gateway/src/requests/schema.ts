import { ServiceError } from '@pfq/kit/errors';
import type { ErrorDetail } from '@pfq/kit/errors';
import type { JsonValue } from './json.ts';
import type { JsonSchema } from './json-schema.ts';
import { MAX_PROBLEMS, Place } from './place.ts';

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

/** Problems come object by object: known fields in schema order, children in place, then unknown fields in the order sent. */
export function check<T>(schema: Schema<T>, body: JsonValue): Checked<T> {
  const problems: ErrorDetail[] = [];
  const value = schema.read(body, new Place('', problems));
  return value === undefined ? { problems } : { value };
}

/** The answer to a body with problems; its message and param are those of the first. */
export function validationFailed(problems: readonly ErrorDetail[]): ServiceError {
  const [first] = problems;
  if (first === undefined) throw new TypeError('a body without problems was refused');
  const cut = problems.length < MAX_PROBLEMS ? '' : ` Only the first ${MAX_PROBLEMS} problems are listed.`;
  return new ServiceError('VALIDATION_FAILED', { message: first.message + cut, param: first.param, details: problems });
}

/** The same schema with a sentence for the documents. */
export function described<T>(description: string, schema: Schema<T>): Schema<T> {
  return { read: schema.read, toJsonSchema: () => ({ ...schema.toJsonSchema(), description }) };
}
