import { JsonNumber, JsonObject, kindOf } from '@pfq/kit/json';
import type { JsonValue } from '@pfq/kit/json';
import type { Place } from '@pfq/kit/problems';
import { flawIn } from '@pfq/kit/texts';

/** Gives a JSON value its type, or notes every problem at and below `place` and gives undefined. An absent value is undefined. */
export type Shape<T> = (value: JsonValue | undefined, place: Place) => T | undefined;

type Shapes = Readonly<Record<string, Shape<unknown>>>;
type Members<S extends Shapes> = { readonly [Name in keyof S]: S[Name] extends Shape<infer T> ? T : never };
export type Pair = { readonly name: string; readonly value: string };

const LARGEST_INT32 = 2 ** 31 - 1;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

/** Text that can be kept, and that UTF-8 can carry: half of a surrogate pair would arrive as something else. */
export const text: Shape<string> = (value, place) => {
  if (typeof value !== 'string') return refuseKind(value, place, 'a string');
  const flaw = flawIn(value);
  return flaw === null ? value : place.refuse('INVALID_VALUE', `must not hold ${flaw}.`);
};

export const money: Shape<string> = (value, place) =>
  value instanceof JsonNumber ? refuseKind(value, place, 'a string such as "1234.50"') : text(value, place);

export const number: Shape<number> = (value, place) => {
  if (!(value instanceof JsonNumber)) return refuseKind(value, place, 'a number');
  const double = Number(value.text);
  return Number.isFinite(double) ? double : place.refuse('OUT_OF_RANGE', 'is larger than a number can be.');
};

export const wholeNumber: Shape<number> = (value, place) => {
  if (!(value instanceof JsonNumber)) return refuseKind(value, place, 'a whole number');
  const whole = Number(value.text);
  if (Number.isInteger(whole) && Math.abs(whole) <= LARGEST_INT32) return whole;
  return place.refuse('OUT_OF_RANGE', 'must be a whole number.');
};

export const flag: Shape<boolean> = (value, place) =>
  typeof value === 'boolean' ? value : refuseKind(value, place, 'true or false');

/** A time as the public API writes it, in UTC and to the millisecond at most. */
export const instant: Shape<Date> = (value, place) => {
  const spelled = text(value, place);
  if (spelled === undefined) return undefined;
  const time = new Date(INSTANT.test(spelled) ? spelled : Number.NaN);
  const exists = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(spelled.slice(0, 19));
  return exists ? time : place.refuse('INVALID_FORMAT', 'must be a time such as "2026-11-20T09:30:00.000Z".');
};

/** One text and no other. */
export function exactly(wanted: string): Shape<string> {
  return (value, place) => (value === wanted ? wanted : place.refuse('INVALID_VALUE', `must be "${wanted}".`));
}

/** Null says the same as nothing at all. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value, place) => (value === undefined || value === null ? null : shape(value, place));
}

export function list<T>(item: Shape<T>): Shape<readonly T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) return refuseKind(value, place, 'an array');
    const read = value.map((one, index) => item(one, place.item(index)));
    return read.every((one) => one !== undefined) ? read : undefined;
  };
}

/** An object with these members and no other. */
export function record<S extends Shapes>(shapes: S): Shape<Members<S>> {
  const names = Object.keys(shapes);
  return (value, place) => {
    if (!(value instanceof JsonObject)) return refuseKind(value, place, 'an object');
    const { members } = value;
    const before = place.problems.length;
    const read = Object.entries(shapes).map(([name, shape]) => [name, shape(members.get(name), place.member(name))]);
    for (const name of members.keys()) {
      if (names.includes(name)) continue;
      place.member(name).refuse('UNKNOWN_FIELD', `is not known here, where there are ${names.join(', ')}.`);
    }
    return place.problems.length === before ? (Object.fromEntries(read) as Members<S>) : undefined;
  };
}

/** An object whose names are free and whose values are strings: its members in order. */
export const pairs: Shape<readonly Pair[]> = (value, place) => {
  if (!(value instanceof JsonObject)) return refuseKind(value, place, 'an object');
  const read = Array.from(value.members, ([name, member]) => {
    const at = place.member(name);
    const said = text(member, at);
    return text(name, at) === undefined || said === undefined ? undefined : { name, value: said };
  });
  return read.every((pair) => pair !== undefined) ? read : undefined;
};

function refuseKind(value: JsonValue | undefined, place: Place, wanted: string): undefined {
  if (value === undefined) return place.refuse('REQUIRED', `must be ${wanted}, and is missing.`);
  return place.refuse('INVALID_TYPE', `must be ${wanted}, not ${kindOf(value)}.`);
}
