import { JsonNumber, JsonObject, readJson } from '@pfq/kit/json';
import type { JsonValue } from '@pfq/kit/json';

/** Reads a run of members as it is stored: JSON text without outer braces. */
export function readMembers(members: Uint8Array): JsonObject {
  return toObject(readJson(Buffer.concat([Buffer.from('{'), members, Buffer.from('}')])));
}

export function toObject(value: JsonValue | undefined): JsonObject {
  if (!(value instanceof JsonObject)) throw new Error('the stored quote has something else where an object should be');
  return value;
}

export function textIn({ members }: JsonObject, name: string): string {
  const value = members.get(name);
  if (typeof value !== 'string') throw new Error(`the stored quote has no text "${name}"`);
  return value;
}

export function textOrNullIn(object: JsonObject, name: string): string | null {
  return object.members.get(name) === null ? null : textIn(object, name);
}

export function wholeNumberIn(object: JsonObject, name: string): number {
  const value = numberIn(object, name);
  if (!Number.isInteger(value)) throw new Error(`"${name}" of the stored quote is no whole number`);
  return value;
}

/** A fraction in basis points: of at most four decimals is the double nearest, which rounding brings back exactly. */
export function basisPointsIn(object: JsonObject, name: string): number {
  return Math.round(numberIn(object, name) * 10_000);
}

function numberIn({ members }: JsonObject, name: string): number {
  const value = members.get(name);
  if (!(value instanceof JsonNumber)) throw new Error(`the stored quote has no number "${name}"`);
  return Number(value.text);
}
