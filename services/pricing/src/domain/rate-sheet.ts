import { isRealDate } from './calendar.ts';
import { parseDecimal } from './decimal-text.ts';
import { isExactJsonObject, NumberText, parseExactJson, type ExactJson, type ExactJsonObject } from './exact-json.ts';
import { add, fraction, multiply, subtract, type Fraction } from './fraction.ts';
import { refuse, refuseIfAny, type Problems } from './problems.ts';

/** What money costs the lender by how long it is lent: annual fractions by tenor, shortest first, at least one. */
export type RateSheet = {
  /** The date the rates were taken, `YYYY-MM-DD`. */
  readonly asOf: string;
  readonly source: string;
  readonly tenors: readonly [Tenor, ...Tenor[]];
};

type Tenor = { readonly months: number; readonly rate: Fraction };

const KNOWN_FIELDS = new Set(['as_of', 'source', 'rates']);
const TENOR_MONTHS = /^[1-9]\d{0,2}$/;
const DAY_MS = 86_400_000;

/**
 * Reads a rate sheet: `{ "as_of": date, "source": text, "rates": { months: fraction } }`, decimals kept exactly.
 * Throws INVALID_JSON, or VALIDATION_FAILED with every problem.
 */
export function parseRateSheet(text: string): RateSheet {
  const sheet = parseExactJson(text);
  if (!isExactJsonObject(sheet)) {
    refuse([{ code: 'INVALID_TYPE', message: 'Send one JSON object with as_of, source and rates.' }]);
  }
  const problems: Problems = [];
  const asOf = readAsOf(sheet['as_of'], problems);
  const source = readSource(sheet['source'], problems);
  const [shortest, ...longer] = readTenors(sheet['rates'], problems);
  reportUnknownFields(sheet, problems);
  refuseIfAny(problems);
  if (shortest === undefined) throw new Error('an empty rate sheet was not reported');
  return { asOf, source, tenors: [shortest, ...longer] };
}

/** The annual base rate, linear between tenors, the nearest outside them. Half months matter: give twice the months. */
export function readBaseRate({ tenors }: RateSheet, halfMonths: number): Fraction {
  let below = tenors[0];
  for (const above of tenors) {
    if (above.months * 2 >= halfMonths) return interpolate({ below, above, halfMonths });
    below = above;
  }
  return below.rate;
}

/** The age of a sheet counts from the start of `asOf`, UTC. */
export function rateSheetAgeMs({ asOf }: Pick<RateSheet, 'asOf'>, nowMs: number): number {
  return nowMs - Date.parse(`${asOf}T00:00:00Z`);
}

/** Whether prices may no longer rest on the sheet; null is no limit. */
export function isRateSheetTooOld(sheet: RateSheet, age: { maxDays: number | null; nowMs: number }): boolean {
  if (age.maxDays === null) return false;
  return rateSheetAgeMs(sheet, age.nowMs) > age.maxDays * DAY_MS;
}

function interpolate({ below, above, halfMonths }: { below: Tenor; above: Tenor; halfMonths: number }): Fraction {
  if (halfMonths <= below.months * 2) return below.rate;
  const way = fraction(BigInt(halfMonths - below.months * 2), BigInt((above.months - below.months) * 2));
  return add(below.rate, multiply(subtract(above.rate, below.rate), way));
}

function readAsOf(value: ExactJson | undefined, problems: Problems): string {
  if (typeof value === 'string' && isRealDate(value)) return value;
  const code = value === undefined ? 'REQUIRED' : 'INVALID_FORMAT';
  problems.push({ code, param: 'as_of', message: 'as_of must be the real date of the rates, as "YYYY-MM-DD".' });
  return '';
}

function readSource(value: ExactJson | undefined, problems: Problems): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  const code = value === undefined ? 'REQUIRED' : 'INVALID_VALUE';
  problems.push({ code, param: 'source', message: 'source must say in words where the rates come from.' });
  return '';
}

function readTenors(value: ExactJson | undefined, problems: Problems): Tenor[] {
  if (!isExactJsonObject(value)) {
    const code = value === undefined ? 'REQUIRED' : 'INVALID_TYPE';
    problems.push({ code, param: 'rates', message: 'rates must be an object such as { "1": 0.0400, "12": 0.0410 }.' });
    return [];
  }
  const entries = Object.entries(value);
  if (entries.length === 0) {
    problems.push({ code: 'TOO_FEW', param: 'rates', message: 'rates must hold at least one tenor.' });
  }
  const tenors = entries.flatMap(([months, rate]) => readTenor(months, { rate, problems }));
  return tenors.sort((left, right) => left.months - right.months);
}

function readTenor(months: string, { rate, problems }: { rate: ExactJson; problems: Problems }): Tenor[] {
  const param = `rates.${months}`;
  if (!TENOR_MONTHS.test(months)) {
    const message = `rates: "${months}" must be a tenor in whole months from 1 to 999.`;
    problems.push({ code: 'INVALID_FORMAT', param, message });
  }
  if (!(rate instanceof NumberText)) {
    const message = `${param} must be a JSON number, a fraction such as 0.0400 for 4 %.`;
    problems.push({ code: 'INVALID_TYPE', param, message });
    return [];
  }
  const exact = parseDecimal(rate.text);
  if (exact === null || exact.numerator < 0n || exact.numerator >= exact.denominator) {
    const message = `${param} is ${rate.text}, but must be a fraction from 0 to below 1 with at most 18 decimals: 0.04 is 4 %.`;
    problems.push({ code: 'OUT_OF_RANGE', param, message });
    return [];
  }
  return [{ months: Number(months), rate: exact }];
}

function reportUnknownFields(sheet: ExactJsonObject, problems: Problems): void {
  for (const name of Object.keys(sheet).filter((field) => !KNOWN_FIELDS.has(field))) {
    problems.push({ code: 'UNKNOWN_FIELD', param: name, message: `${name} is no field of a rate sheet. Remove it.` });
  }
}
