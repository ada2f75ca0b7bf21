import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
import { formatDecimal } from './decimal-text.ts';
import { toNumber } from './fraction.ts';
import { isRateSheetTooOld, parseRateSheet, readBaseRate } from './rate-sheet.ts';

const HEAD = '"as_of": "2026-11-20", "source": "treasury desk"';

test('a rate sheet is read in the order of its tenors, decimals exact', () => {
  const sheet = parseRateSheet(`{ ${HEAD}, "rates": { "12": 0.0410, "1": 4e-2, "3": 0.040512345678901234 } }`);
  assert.deepEqual(
    sheet.tenors.map(({ months, rate }) => [months, formatDecimal(rate)]),
    [
      [1, '0.04'],
      [3, '0.040512345678901234'],
      [12, '0.041'],
    ],
  );
  assert.deepEqual([sheet.asOf, sheet.source], ['2026-11-20', 'treasury desk']);
});

const REFUSED: readonly { name: string; text: string; details: string[] }[] = [
  { name: 'that is no object', text: '[]', details: ['INVALID_TYPE undefined'] },
  {
    name: 'without any field',
    text: '{}',
    details: ['REQUIRED as_of', 'REQUIRED source', 'REQUIRED rates'],
  },
  {
    name: 'of an unreal date',
    text: '{ "as_of": "2026-02-30", "source": "x", "rates": { "1": 0.04 } }',
    details: ['INVALID_FORMAT as_of'],
  },
  {
    name: 'with a blank source',
    text: '{ "as_of": "2026-11-20", "source": " ", "rates": { "1": 0.04 } }',
    details: ['INVALID_VALUE source'],
  },
  { name: 'without tenors', text: `{ ${HEAD}, "rates": {} }`, details: ['TOO_FEW rates'] },
  { name: 'with a negative rate', text: `{ ${HEAD}, "rates": { "1": -0.0001 } }`, details: ['OUT_OF_RANGE rates.1'] },
  { name: 'of a whole', text: `{ ${HEAD}, "rates": { "1": 1 } }`, details: ['OUT_OF_RANGE rates.1'] },
  { name: 'in percent', text: `{ ${HEAD}, "rates": { "1": 4.5 } }`, details: ['OUT_OF_RANGE rates.1'] },
  { name: 'with a rate as text', text: `{ ${HEAD}, "rates": { "1": "0.04" } }`, details: ['INVALID_TYPE rates.1'] },
  {
    name: 'with odd tenors',
    text: `{ ${HEAD}, "rates": { "0": 0.04, "01": 0.04, "1.5": 0.04, "x": 0.04 } }`,
    details: [
      'INVALID_FORMAT rates.0',
      'INVALID_FORMAT rates.01',
      'INVALID_FORMAT rates.1.5',
      'INVALID_FORMAT rates.x',
    ],
  },
  {
    name: 'with a field that it does not have',
    text: `{ ${HEAD}, "rates": { "1": 0.04 }, "rate": 1 }`,
    details: ['UNKNOWN_FIELD rate'],
  },
  {
    name: 'with every fault at once',
    text: '{ "as_of": 1, "source": 2, "rates": { "one": -1, "2": null }, "x": 0 }',
    details: [
      'INVALID_FORMAT as_of',
      'INVALID_VALUE source',
      'OUT_OF_RANGE rates.one',
      'INVALID_FORMAT rates.one',
      'INVALID_TYPE rates.2',
      'UNKNOWN_FIELD x',
    ],
  },
];
for (const { name, text, details } of REFUSED) {
  test(`a rate sheet ${name} is refused`, () => {
    const error = catchServiceError(() => parseRateSheet(text));
    assert.equal(error.code, 'VALIDATION_FAILED');
    const found = error.details.map(({ code, param }) => `${code} ${param}`);
    assert.deepEqual(found.toSorted(), details.toSorted());
    assert.equal(error.message, error.details[0]?.message);
  });
}

const MALFORMED = [
  { text: '{\n  "as_of": "2026-11-20",\n  oops }', tells: /line 3/ },
  { text: `{ ${HEAD},\n "rates": {\n "1": 0.04,\n "1": 0.05 } }`, tells: /Line 4 names "1" a second time/ },
  { text: '', tells: /not JSON/ },
];
for (const { text, tells } of MALFORMED) {
  test(`text that is no JSON is refused with its line: ${tells.source}`, () => {
    const error = catchServiceError(() => parseRateSheet(text));
    assert.equal(error.code, 'INVALID_JSON');
    assert.match(error.message, tells);
  });
}

const SHEET = parseRateSheet(`{ ${HEAD}, "rates": { "3": 0.04, "6": 0.046, "12": 0.034 } }`);
const READINGS = [
  { halfMonths: 2, rate: 0.04 },
  { halfMonths: 6, rate: 0.04 },
  { halfMonths: 7, rate: 0.041 },
  { halfMonths: 11, rate: 0.045 },
  { halfMonths: 12, rate: 0.046 },
  { halfMonths: 18, rate: 0.04 },
  { halfMonths: 24, rate: 0.034 },
  { halfMonths: 30, rate: 0.034 },
];
for (const { halfMonths, rate } of READINGS) {
  test(`at ${halfMonths / 2} months the base rate is ${rate}`, () => {
    assert.equal(toNumber(readBaseRate(SHEET, halfMonths)), rate);
  });
}

const AGES = [
  { maxDays: 7, now: '2026-11-27T00:00:00.000Z', tooOld: false },
  { maxDays: 7, now: '2026-11-27T00:00:00.001Z', tooOld: true },
  { maxDays: 7, now: '2026-11-19T00:00:00.000Z', tooOld: false },
  { maxDays: null, now: '2999-01-01T00:00:00.000Z', tooOld: false },
];
for (const { maxDays, now, tooOld } of AGES) {
  test(`a sheet of 2026-11-20 under a limit of ${maxDays} days is ${tooOld ? 'too old' : 'good'} at ${now}`, () => {
    assert.equal(isRateSheetTooOld(SHEET, { maxDays, nowMs: Date.parse(now) }), tooOld);
  });
}

function catchServiceError(action: () => unknown): ServiceError {
  try {
    action();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new assert.AssertionError({ message: 'nothing was refused' });
}
