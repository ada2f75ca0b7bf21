import { JsonObject, kindOf } from '@pfq/kit/json';
import type { JsonValue } from '@pfq/kit/json';
import type { Place } from '@pfq/kit/problems';
import { orNull } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { didYouMean } from './nearest.ts';
import type { Schema } from './schema.ts';

/** A field that may be left out or null, and then reads as null. */
export type Optional<T> = { readonly optional: Schema<T> };

/** A field whose limits come from a sibling declared before it; `limit` gets undefined where that one was refused. */
export type Limited<T> = { readonly sibling: string; readonly limit: (sibling: unknown) => Schema<T> };

/** The type that a schema or a field reads. */
export type Infer<F> =
  F extends Optional<infer T> ? T | null : F extends Limited<infer T> ? T : F extends Schema<infer T> ? T : never;

type Field = Schema<unknown> | Optional<unknown> | Limited<unknown>;
type Fields = Readonly<Record<string, Field>>;
type KnownFields = readonly (readonly [name: string, field: Field])[];
type Choices = Readonly<Record<string, Schema<unknown>>>;
type Members<F extends Fields> = { readonly [Name in keyof F]: Infer<F[Name]> };
type OneOf<F extends Choices> = { [Name in keyof F]: { readonly kind: Name; readonly value: Infer<F[Name]> } }[keyof F];

export function optional<T>(schema: Schema<T>): Optional<T> {
  return { optional: schema };
}

export function limitedBy<T>(sibling: string, limit: (sibling: unknown) => Schema<T>): Limited<T> {
  return { sibling, limit };
}

/** An object with these fields and no other. */
export function object<F extends Fields>(fields: F): Schema<Members<F>> {
  const known = Object.entries(fields);
  return {
    read(value, place) {
      if (!(value instanceof JsonObject)) return refuseType(value, place);
      return readMembers(value, { known, place }) as Members<F> | undefined;
    },
    toJsonSchema: () => objectJsonSchema(known),
  };
}

/** An object of which exactly one field is sent; it reads as the name of that field and its value. */
export function exactlyOneOf<F extends Choices>(choices: F): Schema<OneOf<F>> {
  const names = Object.keys(choices);
  const known = Object.entries(choices).map(([name, schema]) => [name, optional(schema)] as const);
  return {
    read(value, place) {
      if (!(value instanceof JsonObject)) return refuseType(value, place);
      const sent = names.filter((name) => (value.members.get(name) ?? null) !== null);
      const [kind] = sent;
      const single = kind !== undefined && sent.length === 1;
      if (!single) {
        const found = kind === undefined ? 'none' : 'more than one';
        place.refuse('EXACTLY_ONE_OF', `must have exactly one of ${names.join(' and ')}; ${found} was sent.`);
      }
      const read = readMembers(value, { known, place });
      return single && read ? ({ kind, value: read[kind] } as OneOf<F>) : undefined;
    },
    toJsonSchema: () => ({
      ...objectJsonSchema(known),
      // Twice `not`: makers of clients would take a plain `oneOf` for a choice of classes without members.
      not: { not: { oneOf: names.map(isSent) } },
    }),
  };
}

function isSent(name: string): JsonSchema {
  return { required: [name], properties: { [name]: { not: { type: 'null' } } } };
}

function refuseType(value: JsonValue, place: Place): undefined {
  return place.refuse('INVALID_TYPE', `must be an object; ${kindOf(value)} was sent.`);
}

/** What every field reads; undefined where any was refused, so that half an object never passes for a whole one. */
function readMembers(
  { members }: JsonObject,
  { known, place }: { known: KnownFields; place: Place },
): Record<string, unknown> | undefined {
  const read: Record<string, unknown> = {};
  const problemsBefore = place.problems.length;
  let knownSent = 0;
  for (const [name, field] of known) {
    const sent = members.get(name);
    if (sent !== undefined) knownSent += 1;
    const schema = 'limit' in field ? field.limit(read[field.sibling]) : field;
    const value = readMember(sent, schema, place.member(name));
    if (value !== undefined) read[name] = value;
  }
  if (knownSent < members.size) refuseUnknown(members, { known, place });
  return place.problems.length === problemsBefore ? read : undefined;
}

function refuseUnknown(members: JsonObject['members'], { known, place }: { known: KnownFields; place: Place }): void {
  const names = new Set(known.map(([name]) => name));
  for (const name of members.keys()) {
    if (!names.has(name)) place.member(name).refuse('UNKNOWN_FIELD', `is not a known field.${didYouMean(name, names)}`);
  }
}

function readMember(value: JsonValue | undefined, field: Schema<unknown> | Optional<unknown>, place: Place): unknown {
  if ('optional' in field) return value === undefined || value === null ? null : field.optional.read(value, place);
  return value === undefined ? place.refuse('REQUIRED', 'is required.') : field.read(value, place);
}

function objectJsonSchema(known: KnownFields): JsonSchema {
  const required = known.filter(([, field]) => !('optional' in field)).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(known.map(([name, field]) => [name, fieldJsonSchema(field)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function fieldJsonSchema(field: Field): JsonSchema {
  if ('optional' in field) return orNull(field.optional.toJsonSchema());
  return 'limit' in field ? field.limit(undefined).toJsonSchema() : field.toJsonSchema();
}
