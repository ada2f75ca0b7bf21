import { JsonNumber, kindOf } from '@pfq/kit/json';
import { cut } from '@pfq/kit/texts';
import { plainDecimal, typedNumber } from './decimal-text.ts';
import type { Schema } from './schema.ts';

/** A number of more characters deserves no guess at what was meant. */
const MAX_GUESSED = 20;

const FRACTION = /^(?:0(?:\.\d+)?|1)$/;

/** A number from 0 to 1, read as the exact plain decimal of what was sent: 0.250 and 25e-2 are both "0.25". */
export const rate: Schema<string> = {
  read(value, place) {
    if (!(value instanceof JsonNumber)) {
      const meant = typeof value === 'string' ? likelyFraction(typedNumber(value)) : undefined;
      const hint = meant === undefined ? '' : ` Send ${meant}, without quotes.`;
      return place.refuse('INVALID_TYPE', `must be a number, such as 0.25 for 25 %; ${kindOf(value)} was sent.${hint}`);
    }
    const fraction = plainDecimal(value.text);
    if (fraction !== null && FRACTION.test(fraction)) return fraction;
    const meant = value.text.length > MAX_GUESSED ? undefined : likelyFraction(value.text);
    const hint = meant === undefined ? '' : ` For ${value.text} % send ${meant}.`;
    return place.refuse('OUT_OF_RANGE', `must be a fraction from 0 to 1; ${cut(value.text)} was sent.${hint}`);
  },
  toJsonSchema: () => ({ type: 'number', minimum: 0, maximum: 1 }),
};

/** The fraction that a number stands for, be it one already or a percentage; undefined where it is neither. */
function likelyFraction(number: string | undefined): string | undefined {
  if (number === undefined) return undefined;
  for (const shift of [0, -2]) {
    const plain = plainDecimal(number, shift);
    if (plain !== null && FRACTION.test(plain)) return plain;
  }
  return undefined;
}
