import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isCalendarDate } from './calendar-date.ts';

const CASES: readonly (readonly [text: string, isDate: boolean])[] = [
  ['2028-02-29', true],
  ['2000-02-29', true],
  ['0001-01-01', true],
  ['9999-12-31', true],
  ['2027-02-29', false],
  ['1900-02-29', false],
  ['2027-04-31', false],
  ['2027-13-01', false],
  ['2027-00-10', false],
  ['2027-01-00', false],
  ['0000-01-01', false],
  ['2027-1-1', false],
  ['20270101', false],
  ['2027-01-01T00:00:00Z', false],
  ['2027-01-01\n', false],
  ['２０２７-01-01', false],
  ['', false],
];
for (const [text, isDate] of CASES) {
  test(`${JSON.stringify(text)} is ${isDate ? 'a' : 'no'} day of the calendar`, () => {
    assert.equal(isCalendarDate(text), isDate);
  });
}

test('in every month of every year the days are 1 to the length of the month', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
      const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
      const length = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
      const start = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
      const days = Array.from({ length: 100 }, (_, day) => day).filter((day) =>
        isCalendarDate(`${start}-${String(day).padStart(2, '0')}`),
      );
      assert.deepEqual(
        days,
        Array.from({ length }, (_, index) => index + 1),
      );
    }),
  );
});
