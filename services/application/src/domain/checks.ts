import { isCalendarDate } from '@pfq/kit/calendar-date';
import { isEmailAddress } from '@pfq/kit/email-address';
import { isId } from '@pfq/kit/ids';
import { parseMoney } from '@pfq/kit/money';
import type { Place } from '@pfq/kit/problems';
import { flawIn, isLonger, shortened } from '@pfq/kit/texts';

/** Notes in `place` what is wrong with a value. */
export type Check<T> = (value: T, place: Place) => void;

/** One check for each field of T, with the field's path in the words of the public API. */
type FieldChecks<T> = { readonly [Name in keyof T]: readonly [path: string, check: Check<T[Name]>] };

const OPTION_ID = /^opt_\d{1,3}_\d{1,3}$/;
const REQUIREMENT_CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
const REQUIREMENT_CODE_LENGTH = 64;
const WEB_ADDRESS = /^https?:\/\/[^\s\p{Cc}]+$/u;
const WEB_ADDRESS_LENGTH = 255;
const LONGEST_TERM_MONTHS = 120;

/** The checks of an object, in the order in which problems are told. */
export function fields<T>(checks: FieldChecks<T>): Check<T> {
  return (value, place) => {
    for (const name in checks) {
      const [path, check] = checks[name];
      check(value[name], pathBelow(place, path));
    }
  };
}

export function nullOr<T>(check: Check<T>): Check<T | null> {
  return (value, place) => {
    if (value !== null) check(value, place);
  };
}

/** A list over its limit has that one problem: its items are not looked at. */
export function list<T>(item: Check<T>, most: number): Check<readonly T[]> {
  return (values, place) => {
    if (values.length > most) {
      return place.refuse('TOO_MANY', `must have at most ${most} items; ${values.length} were sent.`);
    }
    for (const [index, value] of values.entries()) item(value, place.item(index));
  };
}

/** At most `most` code points, blank or not. */
export function anyText(most: number): Check<string> {
  return (value, place) => {
    const flaw = flawIn(value);
    if (flaw !== null) place.refuse('INVALID_VALUE', `must not hold ${flaw}.`);
    else if (isLonger(value, most)) place.refuse('TOO_LONG', `must be at most ${most} characters long.`);
  };
}

/** At most `most` code points, and not blank. */
export function filledText(most: number): Check<string> {
  const check = anyText(most);
  return (value, place) => {
    if (value.trim() === '') place.refuse('INVALID_VALUE', 'must not be blank.');
    else check(value, place);
  };
}

export function choice(choices: readonly string[]): Check<string> {
  return (value, place) => {
    if (choices.includes(value)) return;
    place.refuse('INVALID_VALUE', `must be one of ${choices.join(', ')}; ${shortened(value)} was sent.`);
  };
}

export function id(prefix: 'agy_' | 'app_' | 'qte_' | 'pol_'): Check<string> {
  return spelled((value) => isId(prefix, value), `${prefix} and 22 characters 0-9, A-Z, a-z`);
}

export const optionId = spelled((value) => OPTION_ID.test(value), 'an option id such as opt_25_10');

export const money = spelled((value) => parseMoney(value) !== null, 'an amount with two decimals, such as 1200.00');

export const date = spelled(isCalendarDate, 'a date that exists, as YYYY-MM-DD');

export const email = spelled(isEmailAddress, 'an email address such as ann@agency.example');

export const webAddress = spelled(
  (value) =>
    !isLonger(value, WEB_ADDRESS_LENGTH) && flawIn(value) === null && WEB_ADDRESS.test(value) && URL.canParse(value),
  `a web address such as https://portal.example/applications/1, of at most ${WEB_ADDRESS_LENGTH} characters`,
);

export const requirementCode = spelled(
  (value) => REQUIREMENT_CODE.test(value) && value.length <= REQUIREMENT_CODE_LENGTH,
  `capitals, digits and single underscores, at most ${REQUIREMENT_CODE_LENGTH}`,
);

export const rate: Check<number> = (value, place) => {
  if (value >= 0 && value <= 1) return;
  const hint = value > 1 && value <= 100 ? ` For ${value} % send ${value / 100}.` : '';
  place.refuse('OUT_OF_RANGE', `must be a fraction from 0 to 1; ${value} was sent.${hint}`);
};

export const termMonths: Check<number> = (value, place) => {
  if (Number.isInteger(value) && value >= 1 && value <= LONGEST_TERM_MONTHS) return;
  place.refuse('OUT_OF_RANGE', `must be a number of months from 1 to ${LONGEST_TERM_MONTHS}; ${value} was sent.`);
};

/** What must be null for a reason that the message tells. */
export function onlyNull(reason: string): Check<string | null> {
  return (value, place) => {
    if (value !== null) place.refuse('INVALID_VALUE', `must be null: ${reason}.`);
  };
}

function spelled(isRight: (value: string) => boolean, what: string): Check<string> {
  return (value, place) => {
    if (!isRight(value)) place.refuse('INVALID_FORMAT', `must be ${what}; ${shortened(value)} was sent.`);
  };
}

function pathBelow(place: Place, path: string): Place {
  return path.split('.').reduce((at, name) => at.member(name), place);
}
