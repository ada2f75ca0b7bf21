import { isCalendarDate } from '@pfq/kit/calendar-date';
import { kindOf } from '@pfq/kit/json';
import type { JsonValue } from '@pfq/kit/json';
import type { Place } from '@pfq/kit/problems';
import { flawIn, isLonger, shortened } from '@pfq/kit/texts';
import { orEmpty } from './json-schema.ts';
import { didYouMean } from './nearest.ts';
import type { Schema } from './schema.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A string that says something: not blank, at most `most` code points. */
export function text(most: number): Schema<string> {
  return {
    read: (value, place) => notLonger(filledString(value, place), { most, place }),
    toJsonSchema: () => ({ type: 'string', pattern: '\\S', maxLength: most }),
  };
}

/** A string that may be empty or blank, at most `most` code points. */
export function anyText(most: number): Schema<string> {
  return {
    read: (value, place) => notLonger(soundString(value, place), { most, place }),
    toJsonSchema: () => ({ type: 'string', maxLength: most }),
  };
}

/** What an optional string with a spelling of its own reads: empty says as little as absent does, and becomes null too. */
export function emptyOr<T>(schema: Schema<T>): Schema<T | null> {
  return {
    read: (value, place) => (value === '' ? null : schema.read(value, place)),
    toJsonSchema: () => orEmpty(schema.toJsonSchema()),
  };
}

/** One of `values`, exactly as spelled; `meaning` names them in the message: "one of A and B". */
export function choice<const Value extends string>(values: readonly Value[], meaning: string): Schema<Value> {
  return {
    read(value, place) {
      const sent = filledString(value, place);
      if (sent === undefined) return undefined;
      const found = values.find((one) => one === sent);
      if (found !== undefined) return found;
      const hint = didYouMean(sent, values);
      return place.refuse('INVALID_VALUE', `must be ${meaning}; ${shortened(sent)} was sent.${hint}`);
    },
    toJsonSchema: () => ({ type: 'string', enum: values }),
  };
}

/** Exactly `count` digits, as text. */
export function digits(count: number): Schema<string> {
  const pattern = `^\\d{${count}}$`;
  const spelling = new RegExp(pattern);
  return {
    read(value, place) {
      const sent = filledString(value, place);
      if (sent === undefined || spelling.test(sent)) return sent;
      return place.refuse('INVALID_FORMAT', `must be ${count} digits; ${shortened(sent)} was sent.`);
    },
    toJsonSchema: () => ({ type: 'string', pattern }),
  };
}

/** A day of the calendar as `YYYY-MM-DD`, in the years 0001 to 9999. */
export const date: Schema<string> = {
  read(value, place) {
    const sent = filledString(value, place);
    if (sent === undefined) return undefined;
    if (!DATE.test(sent)) {
      return place.refuse('INVALID_FORMAT', `must be a date as YYYY-MM-DD; ${shortened(sent)} was sent.`);
    }
    if (isCalendarDate(sent)) return sent;
    return place.refuse('INVALID_FORMAT', `must be a date that exists; ${shortened(sent)} does not.`);
  },
  toJsonSchema: () => ({ type: 'string', format: 'date', pattern: DATE.source }),
};

/** A string that is not blank. */
export function filledString(value: JsonValue, place: Place): string | undefined {
  const sent = soundString(value, place);
  if (sent === undefined || sent.trim() !== '') return sent;
  return place.refuse('INVALID_VALUE', 'must not be blank.');
}

/** A string without NUL and half surrogate pairs: PostgreSQL cannot keep the one, UTF-8 not the other. */
export function soundString(value: JsonValue, place: Place): string | undefined {
  if (typeof value !== 'string') return place.refuse('INVALID_TYPE', `must be a string; ${kindOf(value)} was sent.`);
  const flaw = flawIn(value);
  return flaw === null ? value : place.refuse('INVALID_VALUE', `must not hold ${flaw}.`);
}

function notLonger(sent: string | undefined, limit: { most: number; place: Place }): string | undefined {
  if (sent === undefined || !isLonger(sent, limit.most)) return sent;
  return limit.place.refuse('TOO_LONG', `must be at most ${limit.most} characters long.`);
}
