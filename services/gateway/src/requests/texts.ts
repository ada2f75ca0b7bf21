import type { JsonValue } from './json.ts';
import { orEmpty } from './json-schema.ts';
import { didYouMean } from './nearest.ts';
import { kindOf } from './place.ts';
import type { Place } from './place.ts';
import type { Schema } from './schema.ts';
import { shortened } from './shortened.ts';

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
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
    if (isCalendarDay(sent)) return sent;
    return place.refuse('INVALID_FORMAT', `must be a date that exists; ${shortened(sent)} does not.`);
  },
  toJsonSchema: () => ({ type: 'string', format: 'date', pattern: DATE.source }),
};

function isCalendarDay(spelled: string): boolean {
  const year = Number(spelled.slice(0, 4));
  const month = Number(spelled.slice(5, 7));
  const day = Number(spelled.slice(8));
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return year >= 1 && day >= 1 && day <= (isLeap && month === 2 ? 29 : (MONTH_LENGTHS[month - 1] ?? 0));
}

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
  return flaw === undefined ? value : place.refuse('INVALID_VALUE', `must not hold ${flaw}.`);
}

/** What makes a string unfit to be kept, for a message. */
export function flawIn(sent: string): string | undefined {
  if (sent.includes('\0')) return 'the character NUL (U+0000)';
  return sent.isWellFormed() ? undefined : 'half of a surrogate pair';
}

function notLonger(sent: string | undefined, limit: { most: number; place: Place }): string | undefined {
  if (sent === undefined || !isLonger(sent, limit.most)) return sent;
  return limit.place.refuse('TOO_LONG', `must be at most ${limit.most} characters long.`);
}

/** Whether a text has more than `most` code points; the long count is taken only where the short one leaves a doubt. */
export function isLonger(sent: string, most: number): boolean {
  return sent.length > most && (sent.length > 2 * most || Array.from(sent).length > most);
}
