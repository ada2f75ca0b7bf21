import { JsonNumber, JsonObject, readJson } from './json.ts';
import type { JsonValue } from './json.ts';

/** A member with where it stands, for the error of what should be there: `options[2].apr`. */
type Member = { readonly value: JsonValue | undefined; readonly place: string };

/** The members of a stored JSON object, read one by one. Each throws an Error that names the member which is not as it should be. */
export type Members = {
  readonly text: (name: string) => string;
  readonly textOrNull: (name: string) => string | null;
  /** Decimal US dollars, as the API writes them. */
  readonly money: (name: string) => string;
  /** The digits as they are stored. */
  readonly number: (name: string) => string;
  readonly wholeNumber: (name: string) => number;
  /** Of a fraction with four decimals at most, exactly: `0.1692` is 1692. */
  readonly basisPoints: (name: string) => number;
  readonly instant: (name: string) => Date;
  readonly object: (name: string) => Members;
  readonly objects: (name: string) => readonly Members[];
};

const MONEY = /^-?\d+\.\d{2}$/;

/** Reads the inside of a JSON object, without its braces, that comes in several runs. */
export function readMembers(...runs: readonly Uint8Array[]): Members {
  const inside = runs.flatMap((run, index) => (index === 0 ? [run] : [Buffer.from(','), run]));
  const value = readJson(Buffer.concat([Buffer.from('{'), ...inside, Buffer.from('}')]));
  return membersOf({ value, place: '' });
}

function membersOf({ value: whole, place }: Member): Members {
  if (!(whole instanceof JsonObject)) throw wrong(place, 'an object');
  const member = (name: string) => ({
    value: whole.members.get(name),
    place: place === '' ? name : `${place}.${name}`,
  });
  const number = (name: string) => digitsOf(member(name), 'a number');
  return {
    text: (name) => textOf(member(name)),
    textOrNull: (name) => (member(name).value === null ? null : textOf(member(name))),
    money(name) {
      const amount = textOf(member(name));
      return MONEY.test(amount) ? amount : fail(member(name), 'an amount');
    },
    number,
    wholeNumber(name) {
      const value = Number(digitsOf(member(name), 'a whole number'));
      return Number.isSafeInteger(value) ? value : fail(member(name), 'a whole number');
    },
    // The double nearest to four decimals is far closer to them than half a basis point, so rounding brings them back.
    basisPoints: (name) => Math.round(Number(number(name)) * 10_000),
    instant(name) {
      const instant = new Date(textOf(member(name)));
      return Number.isNaN(instant.getTime()) ? fail(member(name), 'an instant') : instant;
    },
    object: (name) => membersOf(member(name)),
    objects(name) {
      const { value } = member(name);
      if (!Array.isArray(value)) throw wrong(member(name).place, 'an array');
      return value.map((item, index) => membersOf({ value: item, place: `${member(name).place}[${index}]` }));
    },
  };
}

function textOf(member: Member): string {
  return typeof member.value === 'string' ? member.value : fail(member, 'a string');
}

function digitsOf(member: Member, expected: string): string {
  return member.value instanceof JsonNumber ? member.value.text : fail(member, expected);
}

function fail({ place }: Member, expected: string): never {
  throw wrong(place, expected);
}

function wrong(place: string, expected: string): Error {
  return new Error(`what is stored has a member that is not ${expected}: ${place === '' ? 'the whole' : place}`);
}
