import { ServiceError } from '@pfq/kit/errors';
import type { ErrorDetail } from '@pfq/kit/errors';
import { JsonObject } from './json.ts';
import type { JsonValue } from './json.ts';
import { orNull } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { didYouMean } from './nearest.ts';
import { kindOf, Place } from './place.ts';

/**
 * What a value must look like. `read` gives the typed value, or undefined once it has noted every problem at and below
 * `place`; `jsonSchema` says the same to the documents.
 */
export type Schema<T> = {
  readonly jsonSchema: JsonSchema;
  readonly read: (value: JsonValue, place: Place) => T | undefined;
};

/** A field that may be left out or null, and then reads as null. */
export type Optional<T> = { readonly optional: Schema<T> };

/** A field whose limits come from a sibling named before it; `toSchema` gets undefined where that one was refused. */
export type Dependent<T> = { readonly sibling: string; readonly toSchema: (read: unknown) => Schema<T> };

/** The type that a schema or a field reads. */
export type Infer<S> =
  S extends Optional<infer T> ? T | null : S extends Dependent<infer T> ? T : S extends Schema<infer T> ? T : never;

type Field = Schema<unknown> | Optional<unknown> | Dependent<unknown>;
type Fields = Readonly<Record<string, Field>>;
type Members<F extends Fields> = { readonly [Name in keyof F]: Infer<F[Name]> };
type OneMember<F extends Record<string, Schema<unknown>>> = {
  readonly [Name in keyof F]: { readonly kind: Name; readonly value: Infer<F[Name]> };
}[keyof F];

/** The value of a body, or every problem it has: known fields in schema order, children in place, then unknown fields. */
export function check<T>(schema: Schema<T>, body: JsonValue): { readonly value: T } | { readonly problems: ErrorDetail[] } {
  const problems: ErrorDetail[] = [];
  const value = schema.read(body, new Place('', problems));
  return value === undefined ? { problems } : { value };
}

/** The answer to a body with problems; its message and param are those of the first. */
export function validationFailed(details: readonly ErrorDetail[]): ServiceError {
  const [first] = details;
  if (first === undefined) throw new TypeError('a body without problems cannot be refused');
  return new ServiceError('VALIDATION_FAILED', { message: first.message, param: first.param, details });
}

/** What the documents say about a body that `schema` reads, as JSON Schema 2020-12. */
export function toJsonSchema(schema: Schema<unknown>): JsonSchema {
  return schema.jsonSchema;
}

/** The same schema with a sentence about what this field means. */
export function described<T>(description: string, schema: Schema<T>): Schema<T> {
  return { ...schema, jsonSchema: { description, ...schema.jsonSchema } };
}

export function optional<T>(schema: Schema<T>): Optional<T> {
  return { optional: schema };
}

export function dependent<T>(sibling: string, toSchema: (read: unknown) => Schema<T>): Dependent<T> {
  return { sibling, toSchema };
}

/** An object with these fields and no other. */
export function object<F extends Fields>(fields: F): Schema<Members<F>> {
  const readMembers = membersReader(fields);
  return {
    jsonSchema: objectJsonSchema(fields),
    read(value, place) {
      const members = asObject(value, place);
      const read = members && readMembers(members, place);
      return read as Members<F> | undefined;
    },
  };
}

/** An object of which exactly one field is sent; it reads as the name of that field and its value. */
export function exactlyOneOf<F extends Record<string, Schema<unknown>>>(fields: F): Schema<OneMember<F>> {
  const names = Object.keys(fields);
  const choices = names.map((name) => `"${name}"`).join(' or ');
  const readMembers = membersReader(Object.fromEntries(names.map((name) => [name, optional(fields[name])])));
  return {
    jsonSchema: {},
    read(value, place) {
      return undefined;
    },
  };
}
