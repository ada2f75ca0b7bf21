import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addMonths,
  daysBetween,
  isLastDayOfMonth,
  isRealDate,
  lastDayOfMonth,
  wholeMonthsBetween,
} from './calendar.ts';

const WHOLE_MONTHS = [
  ['2026-12-01', '2027-12-01', 12],
  ['2026-12-01', '2027-11-30', 11],
  ['2026-11-30', '2027-02-28', 3],
  ['2026-11-30', '2027-02-27', 2],
  ['2028-02-29', '2029-02-28', 12],
  ['2028-02-29', '2029-02-27', 11],
  ['2026-01-31', '2026-02-28', 1],
  ['2026-01-31', '2026-03-30', 1],
  ['2026-12-01', '2026-12-01', 0],
  ['2026-12-01', '2026-12-31', 0],
  ['2026-12-01', '2025-12-01', 0],
  ['9998-12-31', '9999-12-31', 12],
] as const;
for (const [from, to, months] of WHOLE_MONTHS) {
  test(`${from} to ${to} is ${months} whole months`, () => {
    assert.equal(wholeMonthsBetween(from, to), months);
  });
}

const SHIFTED = [
  ['2026-11-30', 3, '2027-02-28'],
  ['2027-11-30', 3, '2028-02-29'],
  ['2026-01-31', 1, '2026-02-28'],
  ['2026-03-31', -1, '2026-02-28'],
  ['2026-01-15', -1, '2025-12-15'],
  ['2026-12-15', 12, '2027-12-15'],
] as const;
for (const [date, months, expected] of SHIFTED) {
  test(`${date} and ${months} months is ${expected}`, () => {
    assert.equal(addMonths(date, months), expected);
  });
}

const REAL = ['2026-02-28', '2028-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '2026-12-31'];
const UNREAL = ['2026-02-29', '2100-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '2026-1-1', '2026-01-00', 'soon'];
for (const date of REAL) test(`${date} is a real date`, () => assert.equal(isRealDate(date), true));
for (const date of UNREAL) test(`${date} is no real date`, () => assert.equal(isRealDate(date), false));

test('a month ends on its last day', () => {
  assert.equal(lastDayOfMonth('2028-02-03'), '2028-02-29');
  assert.equal(isLastDayOfMonth('2027-02-28'), true);
  assert.equal(isLastDayOfMonth('2028-02-28'), false);
});

test('days are counted as the platform counts them, over eight thousand years', () => {
  const day = fc
    .date({ min: new Date('1900-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const counted = fc.property(day, day, (from, to) => {
    const expected = (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000;
    assert.equal(daysBetween(from, to), expected);
  });
  fc.assert(counted, { numRuns: 1_000 });
});

test('whole months are the most that fit', () => {
  const day = fc
    .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2032-12-31T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const most = fc.property(day, day, (one, other) => {
    const [from, to] = one <= other ? [one, other] : [other, one];
    const months = wholeMonthsBetween(from, to);
    assert.ok(addMonths(from, months) <= to && addMonths(from, months + 1) > to);
  });
  fc.assert(most, { numRuns: 1_000 });
});
