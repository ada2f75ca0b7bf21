import type { Schema } from '../openapi/document-types.ts';
import { markdownWithoutHtml } from './escape.ts';

const NOT_BLANK = String.raw`\S`;

/** Whether a caller writes a value or reads it: writers need to know what they must send, and how it is spelled. */
export type Side = 'sent' | 'answered';

/** The fields of an object as a Markdown list, with those of the objects inside it; what has a name of its own is linked. */
export function fieldList(schema: Schema, side: Side, level = 0): string {
  const always = new Set(schema.required);
  const items = Object.entries(schema.properties ?? {}).map(([name, field]) =>
    fieldItem(field, { name, facts: describeType(field), isAlways: always.has(name), side, level }),
  );
  return items.join('\n');
}

type FieldHead = {
  readonly name: string;
  /** Beside the name, in Markdown. */
  readonly facts: string;
  readonly isAlways: boolean;
  readonly side: Side;
  readonly level?: number;
};

/** One field of such a list. */
export function fieldItem(schema: Schema, { name, facts, isAlways, side, level = 0 }: FieldHead): string {
  const mark = { sent: isAlways ? 'required' : '', answered: isAlways ? '' : 'not always there' }[side];
  const head = `- <span class="field"><code>${name}</code> ${facts}${mark && ` <b>${mark}</b>`}</span>`;
  const sentences = [
    markdownWithoutHtml(schema.description ?? ''),
    ...limitsOf(schema),
    ...(side === 'sent' ? spellingOf(schema) : []),
  ];
  const inner = fieldList(innerObject(schema), side, level + 1);
  const item = `${'  '.repeat(level)}${[head, ...sentences].join(' ').trimEnd()}`;
  return inner === '' ? item : `${item}\n${inner}`;
}

/** The name of the type in Markdown: `string or null`, `array of objects`, or a link to what has a part of its own. */
export function describeType(schema: Schema): string {
  if (schema.$ref !== undefined) return `[${nameOf(schema.$ref)}](#${anchorOf(nameOf(schema.$ref))})`;
  if (schema.anyOf !== undefined) return schema.anyOf.map(describeType).join(' or ');
  return [schema.type ?? 'object']
    .flat()
    .map((type) => {
      if (type === 'array' && schema.items !== undefined) return `array of ${plural(schema.items)}`;
      return type === 'string' && schema.format !== undefined ? `string (${schema.format})` : type;
    })
    .join(' or ');
}

/** The anchor of the part that tells of a named schema. */
export function anchorOf(name: string): string {
  return `object-${name.toLowerCase()}`;
}

/** `Quote` of `#/components/schemas/Quote`. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function plural(items: Schema): string {
  const type = describeType(items);
  return type.startsWith('[') ? type : `${type}s`;
}

/** The object whose fields are told beneath a field: itself, or what its array holds. */
function innerObject(schema: Schema): Schema {
  return schema.items === undefined ? schema : innerObject(schema.items);
}

/** What a value may be beyond its type, one sentence each. */
function limitsOf(schema: Schema): readonly string[] {
  const { minimum, maximum, maxLength, minItems, maxItems, maxProperties } = schema;
  const values = [...(schema.enum ?? []), ...(schema['x-extensible-enum'] ?? [])].filter((value) => value !== null);
  return [
    ...(schema.const === undefined ? [] : [`Always \`${schema.const}\`.`]),
    ...(values.length === 0
      ? []
      : [`One of ${values.map((value) => `\`${value === '' ? '""' : value}\``).join(', ')}.`]),
    ...between([minimum, maximum], ''),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
    ...between([minItems, maxItems], ' items'),
    ...(maxProperties === undefined ? [] : [`At most ${maxProperties} pairs.`]),
    ...(schema.default === undefined ? [] : [`Default ${schema.default}.`]),
  ];
}

/** How a text is spelled, where its format does not say it. */
function spellingOf({ pattern, format }: Schema): readonly string[] {
  if (pattern === undefined || format !== undefined) return [];
  return pattern === NOT_BLANK ? ['Not blank.'] : [`Matches \`${pattern}\`.`];
}

function between([least, most]: readonly [number | undefined, number | undefined], unit: string): readonly string[] {
  if (least !== undefined && most !== undefined) return [`From ${least} to ${most}${unit}.`];
  if (least !== undefined) return [`At least ${least}${unit}.`];
  return most === undefined ? [] : [`At most ${most}${unit}.`];
}
