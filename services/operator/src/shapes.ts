import type { JsonValue } from './ordered-json.ts';

/** Where a value stands in its file's line, such as `policies[0].total`, and all the problems found in that line. */
export type Place = { readonly path: string; readonly problems: string[] };

/** Gives a JSON value its type, or notes every problem at and below `place` and gives undefined. An absent value is undefined. */
export type Shape<T> = (value: JsonValue | undefined, place: Place) => T | undefined;

type Shapes = Readonly<Record<string, Shape<unknown>>>;
type Members<S extends Shapes> = { readonly [Name in keyof S]: S[Name] extends Shape<infer T> ? T : never };
export type Pair = { readonly name: string; readonly value: string };

/** A line with more problems than this is not a mistake but noise. */
const MAX_PROBLEMS = 20;
const LARGEST_INT32 = 2 ** 31 - 1;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

/** Text that UTF-8 can carry: half of a surrogate pair would arrive as something else. */
export const text: Shape<string> = (value, place) => {
  if (typeof value !== 'string') return refuse(place, `must be a string${unlike(value)}.`);
  return value.isWellFormed() ? value : refuse(place, 'must not hold half of a surrogate pair.');
};

export const money: Shape<string> = (value, place) =>
  typeof value === 'number' ? refuse(place, 'must be a string such as "1234.50", not a number.') : text(value, place);

export const number: Shape<number> = (value, place) => {
  if (typeof value !== 'number') return refuse(place, `must be a number${unlike(value)}.`);
  return Number.isFinite(value) ? value : refuse(place, 'is larger than a number can be.');
};

export const wholeNumber: Shape<number> = (value, place) => {
  if (Number.isInteger(value) && Math.abs(Number(value)) <= LARGEST_INT32) return Number(value);
  return refuse(place, `must be a whole number${typeof value === 'number' ? '' : unlike(value)}.`);
};

export const flag: Shape<boolean> = (value, place) =>
  typeof value === 'boolean' ? value : refuse(place, `must be true or false${unlike(value)}.`);

/** A time as the public API writes it, in UTC and to the millisecond at most. */
export const instant: Shape<Date> = (value, place) => {
  const spelled = text(value, place);
  if (spelled === undefined) return undefined;
  const time = new Date(INSTANT.test(spelled) ? spelled : Number.NaN);
  const exists = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(spelled.slice(0, 19));
  return exists ? time : refuse(place, 'must be a time such as "2026-11-20T09:30:00.000Z".');
};

/** One text and no other. */
export function exactly(wanted: string): Shape<string> {
  return (value, place) => (value === wanted ? wanted : refuse(place, `must be "${wanted}".`));
}

/** Null says the same as nothing at all. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value, place) => (value === undefined || value === null ? null : shape(value, place));
}

export function list<T>(item: Shape<T>): Shape<readonly T[]> {
  return (value, place) => {
    if (!isList(value)) return refuse(place, `must be a list${unlike(value)}.`);
    const read = value.map((one, index) => item(one, { ...place, path: `${place.path}[${index}]` }));
    return read.every((one) => one !== undefined) ? read : undefined;
  };
}

/** An object with these members and no other. */
export function record<S extends Shapes>(shapes: S): Shape<Members<S>> {
  const names = Object.keys(shapes);
  return (value, place) => {
    if (!(value instanceof Map)) return refuse(place, `must be an object${unlike(value)}.`);
    const before = place.problems.length;
    const read = Object.entries(shapes).map(([name, shape]) => [name, shape(value.get(name), memberOf(place, name))]);
    for (const name of value.keys()) {
      if (!names.includes(name))
        refuse(memberOf(place, name), `is not known here, where there are ${names.join(', ')}.`);
    }
    return place.problems.length === before ? (Object.fromEntries(read) as Members<S>) : undefined;
  };
}

/** An object whose names are free and whose values are strings: its members in order. */
export const pairs: Shape<readonly Pair[]> = (value, place) => {
  if (!(value instanceof Map)) return refuse(place, `must be an object${unlike(value)}.`);
  const read = [...value].map(([name, member]) => {
    const at = memberOf(place, name);
    const said = text(member, at);
    return text(name, at) === undefined || said === undefined ? undefined : { name, value: said };
  });
  return read.every((pair) => pair !== undefined) ? read : undefined;
};

function refuse({ path, problems }: Place, problem: string): undefined {
  if (problems.length < MAX_PROBLEMS) problems.push(path === '' ? `it ${problem}` : `${path} ${problem}`);
}

function memberOf({ path, problems }: Place, name: string): Place {
  const isPlain = /^\w{1,40}$/.test(name);
  const step = isPlain ? `${path === '' ? '' : '.'}${name}` : `[${JSON.stringify(name.slice(0, 40))}]`;
  return { path: path + step, problems };
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The end of a problem: what is there instead. */
function unlike(value: JsonValue | undefined): string {
  if (value === undefined) return ', and is missing';
  if (value === null) return ', not null';
  if (value instanceof Map) return ', not an object';
  return isList(value) ? ', not a list' : `, not a ${typeof value}`;
}
