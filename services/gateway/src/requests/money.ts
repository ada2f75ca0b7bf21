import { JsonNumber, kindOf } from '@pfq/kit/json';
import { formatMoney, parseMoney, ZERO_CENTS } from '@pfq/kit/money';
import type { Cents } from '@pfq/kit/money';
import { shortened } from '@pfq/kit/texts';
import { plainDecimal, typedNumber } from './decimal-text.ts';
import type { Schema } from './schema.ts';
import { filledString } from './texts.ts';

/** The least and the most of an amount, both included; `meaning` says in a message what the most is: "the premium". */
export type MoneyBounds = {
  readonly least: Cents;
  readonly most?: { readonly cents: Cents; readonly meaning: string } | undefined;
};

/** What documents say; the bounds themselves are no matter of spelling. */
const ZERO_OR_MORE = '^\\d{1,9}\\.\\d{2}$';
const ABOVE_ZERO = '^(?!0+\\.00$)\\d{1,9}\\.\\d{2}$';

/** US dollars as a string with exactly two decimals and at most nine digits before them. */
export function money({ least, most }: MoneyBounds): Schema<Cents> {
  return {
    read(value, place) {
      if (typeof value !== 'string') {
        const example = value instanceof JsonNumber ? spelling(value.text) : undefined;
        return place.refuse('INVALID_TYPE', `${mustBeMoney(example)}; ${kindOf(value)} was sent.`);
      }
      const sent = filledString(value, place);
      if (sent === undefined) return undefined;
      const cents = parseMoney(sent);
      if (cents === null) {
        const example = spelling(typedNumber(sent));
        return place.refuse('INVALID_FORMAT', `${mustBeMoney(example)}; ${shortened(sent)} was sent.`);
      }
      if (cents < least)
        return place.refuse('OUT_OF_RANGE', `must be at least "${formatMoney(least)}"; "${sent}" was sent.`);
      if (most === undefined || cents <= most.cents) return cents;
      const limit = `"${formatMoney(most.cents)}", ${most.meaning}`;
      return place.refuse('OUT_OF_RANGE', `must be at most ${limit}; "${sent}" was sent.`);
    },
    toJsonSchema: () => ({ type: 'string', pattern: least > ZERO_CENTS ? ABOVE_ZERO : ZERO_OR_MORE }),
  };
}

function mustBeMoney(example = '1200.00'): string {
  return `must be a string with two decimals, such as "${example}"`;
}

/** How a JSON number is spelled as money; undefined where it has more digits than money can. */
function spelling(number: string | undefined): string | undefined {
  const [whole = '', decimals = ''] = (number === undefined ? null : plainDecimal(number))?.split('.') ?? [];
  const spelled = `${whole}.${decimals.padEnd(2, '0')}`;
  return parseMoney(spelled) === null ? undefined : spelled;
}
