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
