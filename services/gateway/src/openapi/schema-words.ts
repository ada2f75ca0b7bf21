import type { Schema } from './document-types.ts';

/** The words that the schemas of answers are written in. Each takes a sentence for the reader. */

export function text(description: string, limits: Pick<Schema, 'maxLength' | 'pattern' | 'format'> = {}): Schema {
  return { type: 'string', description, ...limits };
}

/** A word that is always the same. */
export function word(value: string, description: string): Schema {
  return { type: 'string', const: value, description };
}

/** One of several words, to which others may be added without a new version. */
export function oneOfMany(values: readonly string[], description: string): Schema {
  return { type: 'string', description: `${description} More values may be added.`, 'x-extensible-enum': values };
}

export function yesOrNo(description: string): Schema {
  return { type: 'boolean', description };
}

export function money(description: string): Schema {
  return text(`${description} US dollars with two decimals.`, { pattern: '^-?\\d+\\.\\d{2}$' });
}

/** A share of something. */
export function fraction(description: string): Schema {
  return { type: 'number', description: `${description} A fraction: 0.25 is 25 %.`, minimum: 0, maximum: 1 };
}

export function count(description: string, least: number): Schema {
  return { type: 'integer', description, minimum: least };
}

export function day(description: string): Schema {
  return text(description, { format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
}

export function instant(description: string): Schema {
  return text(`${description} UTC.`, { format: 'date-time', pattern: '^.*Z$' });
}

/** A prefix and characters that mean nothing. */
export function id(prefix: string, length: number, description: string): Schema {
  return text(description, { pattern: `^${prefix}[0-9A-Za-z]{${length}}$` });
}

export const OPTION_ID = '^opt_\\d{1,3}_\\d{1,3}$';

export function webAddress(description: string): Schema {
  return text(description, { format: 'uri' });
}

/** The caller's own names and values. */
export function pairs(description: string): Schema {
  return { type: 'object', description, additionalProperties: { type: 'string' } };
}

export function listOf(items: Schema, description: string): Schema {
  return { type: 'array', description, items };
}

/** An object of which every member is there, but for those named; more may be added without a new version. */
export function object(
  properties: Readonly<Record<string, Schema>>,
  { sometimes = [] }: { readonly sometimes?: readonly string[] } = {},
): Schema {
  const required = Object.keys(properties).filter((name) => !sometimes.includes(name));
  return { type: 'object', properties, required };
}

export function nullable(schema: Schema): Schema {
  if (schema.$ref !== undefined) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [...[schema.type ?? []].flat(), 'null'] };
}

export function described(description: string, schema: Schema): Schema {
  return { ...schema, description };
}

export function refTo(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
