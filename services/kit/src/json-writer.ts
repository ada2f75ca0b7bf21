import { JsonNumber, JsonObject } from './json.ts';
import type { JsonValue } from './json.ts';

/** Writes a tree as JSON text without spaces: every member in its place, every number as it was written. */
export function writeJson(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (!(value instanceof JsonObject)) return JSON.stringify(value);
  const members = Array.from(value.members, ([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`);
  return `{${members.join(',')}}`;
}

/** Writes names and strings as an object, in order: a JavaScript object would move integer-like names to the front and lose `__proto__`. */
export function writePairs(pairs: readonly (readonly [name: string, value: string])[]): string {
  return `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
}

/** Writes the members of an object without its outer braces, for a text that goes on. */
export function writeMembers(object: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(object).slice(1, -1);
}
