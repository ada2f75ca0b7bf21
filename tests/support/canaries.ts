import type { Schema } from '@pfq/gateway/openapi/document-types';
import { DOCUMENT } from './strict-schemas.ts';

/** Texts that occur nowhere else, each put into one place that nothing of may be seen elsewhere. */
export type Canaries = {
  /** A new one: ten letters that they all share, and four digits. */
  readonly make: (place: string) => string;
  /** Watches for a text that was not ours to choose, such as a key. */
  readonly watch: (place: string, text: string) => string;
  /** The places whose canary a text holds, plain in either case, or as hexadecimal or base64. */
  readonly foundIn: (text: string) => readonly string[];
};

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const SHARED_LENGTH = 10;

export function hatchCanaries(): Canaries {
  const random = crypto.getRandomValues(new Uint8Array(SHARED_LENGTH));
  const shared = Array.from(random, (byte) => LETTERS[byte % LETTERS.length]).join('');
  const places: string[] = [];
  const watched = new Map<string, string>();
  const encoded = encodingsOf(shared);
  return {
    make(place) {
      places.push(place);
      return `${shared}${String(places.length - 1).padStart(4, '0')}`;
    },
    watch(place, text) {
      watched.set(place, text);
      return text;
    },
    foundIn(text) {
      const numbers = text.matchAll(new RegExp(`${shared}(\\d{4})?`, 'gi'));
      return [
        ...new Set([
          ...Array.from(numbers, ([, number]) => places[Number(number)] ?? 'a part of a canary'),
          ...encoded.filter((code) => text.includes(code)).map(() => 'an encoded canary'),
          ...[...watched].filter(([, one]) => text.includes(one)).map(([place]) => place),
        ]),
      ];
    },
  };
}

/** Hexadecimal, and base64 wherever in a longer text it begins; without the characters that depend on its neighbours. */
function encodingsOf(text: string): readonly string[] {
  const base64 = [0, 1, 2].map((before) => {
    const code = Buffer.from(`${' '.repeat(before)}${text}`).toString('base64url');
    return code.slice(Math.ceil((before * 4) / 3), Math.floor(((before + text.length) * 4) / 3));
  });
  return [Buffer.from(text).toString('hex'), ...base64];
}

/** What a field can hold beside free text, by its name. A new field of that kind is to be added. */
const EXACT: Readonly<Record<string, unknown>> = {
  state: 'TX',
  premium: '71359.46',
  amount: '613.08',
  rate: 0.25,
  effective_date: '2126-12-01',
  expiration_date: '2127-12-01',
  naic_code: '73915',
  type: 'general_liability',
  document_type: 'binder',
  earned: true,
  auditable: false,
};

/** A request that is taken, with a canary in every field that takes free text. */
export function acceptable(name: string, canaries: Canaries): unknown {
  return fill(namedSchema(name), name, (schema, place) => {
    const field = place.split('.').at(-1) ?? '';
    const isFree = typesOf(schema).includes('string') && !schema.enum && (schema.pattern ?? '\\S') === '\\S';
    if (isFree) return canaries.make(place);
    if (field in EXACT) return EXACT[field];
    throw new Error(`${place} holds no free text: say what it can hold`);
  });
}

/** A request with a canary that is refused in every field, as its value or too long, and in a field that nobody knows. */
export function refusable(name: string, canaries: Canaries): unknown {
  const wrong = (schema: Schema, place: string) => canaries.make(place) + 'x'.repeat(schema.maxLength ?? 0);
  return fill(namedSchema(name), name, wrong, (place) => ({
    [canaries.make(`${place}, an unknown name`)]: canaries.make(`${place}, an unknown value`),
  }));
}

type Leaf = (schema: Schema, place: string) => unknown;

function fill(schema: Schema, place: string, leaf: Leaf, more: (place: string) => object = () => ({})): unknown {
  const { properties, additionalProperties, items, not: isExclusive } = schema;
  if (properties) {
    const all = Object.entries(properties);
    // Of members that shut one another out, the first.
    const members = isExclusive ? all.slice(0, 1) : all;
    const filled = members.map(([name, one]) => [name, fill(one, `${place}.${name}`, leaf, more)]);
    return { ...Object.fromEntries(filled), ...more(place) };
  }
  if (items) return [fill(items, `${place}[0]`, leaf, more)];
  if (additionalProperties) {
    const name = String(leaf({ type: 'string' }, `${place}, a name`));
    return { [name]: leaf(additionalProperties, `${place}, a value`) };
  }
  return leaf(schema, place);
}

function typesOf({ type = [] }: Schema): readonly string[] {
  return [type].flat();
}

function namedSchema(name: string): Schema {
  const schema = DOCUMENT.components.schemas[name];
  if (!schema) throw new Error(`the document has no schema ${name}`);
  return schema;
}
