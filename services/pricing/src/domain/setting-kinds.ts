import { formatMoney, parseMoney, type Cents } from '@pfq/kit/money';
import { isScaleRating, SCALE_RATINGS, type AmBestRating, type ScaleRating } from './am-best.ts';
import { formatDecimal, parseDecimal } from './decimal-text.ts';
import { isExactJsonObject, NumberText, type ExactJson } from './exact-json.ts';
import { compare, fraction, multiply, type Fraction } from './fraction.ts';

/** How a setting is read from JSON and written back. `read` gives undefined for a value that `expected` does not allow. */
export type SettingKind<Value> = {
  /** Completes the sentence "must be …". */
  readonly expected: string;
  readonly read: (json: ExactJson) => Value | undefined;
  /** The value as JSON text. */
  readonly write: (value: Value) => string;
};

type RatingAddOns = ReadonlyMap<AmBestRating, Fraction>;

const STATE = /^[A-Z]{2}$/;
const BASIS_POINTS_PER_ONE = 10_000n;
const PERCENT_PER_ONE = 100n;

/** A sum in dollars, two decimals, as a string. */
export function money(lowest: string): SettingKind<Cents> {
  const lowestCents = parseMoney(lowest);
  return {
    expected: `a money string of at least "${lowest}" with two decimals, such as "218.00"`,
    read: (json) => {
      const cents = typeof json === 'string' ? parseMoney(json) : null;
      return cents === null || lowestCents === null || cents < lowestCents ? undefined : cents;
    },
    write: (cents) => `"${formatMoney(cents)}"`,
  };
}

/** A fraction with any decimals, kept exactly. */
export function decimal(lowest: string, highest: string): SettingKind<Fraction> {
  return {
    expected: `a JSON number from ${lowest} to ${highest} with at most 18 decimals (fractions: 0.25 is 25 %)`,
    read: (json) => readDecimal(json, { lowest, highest }),
    write: formatDecimal,
  };
}

/** A fraction in whole basis points, held as their number: 0.18 is 1800. */
export function basisPoints(lowest: string, highest: string): SettingKind<number> {
  return wholeParts(BASIS_POINTS_PER_ONE, {
    expected: `a JSON number from ${lowest} to ${highest} with at most 4 decimals (fractions: 0.18 is 18 %)`,
    range: { lowest, highest },
  });
}

/** A fraction in whole percent, held as their number: 0.20 is 20. */
export function percent(lowest: string, highest: string): SettingKind<number> {
  return wholeParts(PERCENT_PER_ONE, {
    expected: `a JSON number from ${lowest} to ${highest} in whole percent (fractions: 0.20 is 20 %)`,
    range: { lowest, highest },
  });
}

export function whole(lowest: number, highest: number): SettingKind<number> {
  return {
    expected: `a whole JSON number from ${lowest} to ${highest}`,
    read: (json) => {
      const value = readDecimal(json, { lowest: String(lowest), highest: String(highest) });
      return value === undefined ? undefined : toWhole(value);
    },
    write: String,
  };
}

export function orNull<Value>(kind: SettingKind<Value>): SettingKind<Value | null> {
  return {
    expected: `${kind.expected}, or null`,
    read: (json) => (json === null ? null : kind.read(json)),
    write: (value) => (value === null ? 'null' : kind.write(value)),
  };
}

/** A list of one to `longest` values. */
export function listOf<Value>(kind: SettingKind<Value>, longest: number): SettingKind<readonly Value[]> {
  return {
    expected: `a list of 1 to ${longest} values, each ${kind.expected}`,
    read: (json) => {
      if (!Array.isArray(json) || json.length === 0 || json.length > longest) return undefined;
      const values = json.map((item: ExactJson) => kind.read(item));
      return values.some((value) => value === undefined) ? undefined : values.filter((value) => value !== undefined);
    },
    write: (values) => `[${values.map(kind.write).join(', ')}]`,
  };
}

export function state(): SettingKind<string> {
  return {
    expected: 'a two-letter state code, such as "TX"',
    read: (json) => (typeof json === 'string' && STATE.test(json) ? json : undefined),
    write: (code) => JSON.stringify(code),
  };
}

export function scaleRating(): SettingKind<ScaleRating> {
  return {
    expected: `one of ${SCALE_RATINGS.join(', ')}`,
    read: (json) => (typeof json === 'string' && isScaleRating(json) ? json : undefined),
    write: (rating) => JSON.stringify(rating),
  };
}

/** An object from AM Best rating to fraction. */
export function ratingAddOns(lowest: string, highest: string): SettingKind<RatingAddOns> {
  return {
    expected: `an object from AM Best ratings (A++ to D) to JSON numbers from ${lowest} to ${highest}, such as { "A": 0 }`,
    read: (json) => {
      if (!isExactJsonObject(json)) return undefined;
      const addOns = new Map<AmBestRating, Fraction>();
      for (const [rating, value] of Object.entries(json)) {
        const addOn = readDecimal(value, { lowest, highest });
        if (!isScaleRating(rating) || addOn === undefined) return undefined;
        addOns.set(rating, addOn);
      }
      return addOns;
    },
    write: (addOns) => {
      const members = [...addOns].map(([rating, addOn]) => `"${rating}": ${formatDecimal(addOn)}`);
      return `{ ${members.join(', ')} }`;
    },
  };
}

type Range = { readonly lowest: string; readonly highest: string };

function wholeParts(perOne: bigint, { expected, range }: { expected: string; range: Range }): SettingKind<number> {
  return {
    expected,
    read: (json) => {
      const value = readDecimal(json, range);
      return value === undefined ? undefined : toWhole(multiply(value, fraction(perOne, 1n)));
    },
    write: (parts) => formatDecimal(fraction(BigInt(parts), perOne)),
  };
}

function toWhole(value: Fraction): number | undefined {
  return value.numerator % value.denominator === 0n ? Number(value.numerator / value.denominator) : undefined;
}

function readDecimal(json: ExactJson, { lowest, highest }: Range): Fraction | undefined {
  const value = json instanceof NumberText ? parseDecimal(json.text) : null;
  const [least, most] = [parseDecimal(lowest), parseDecimal(highest)];
  if (value === null || least === null || most === null) return undefined;
  return compare(value, least) < 0 || compare(value, most) > 0 ? undefined : value;
}
