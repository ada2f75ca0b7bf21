import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bothTimes, dollars, percent, shortPercent } from './amounts.ts';

const MONEY = {
  '0.05': '$0.05',
  '968.75': '$968.75',
  '1000.00': '$1,000.00',
  '14568.75': '$14,568.75',
  '123456789.10': '$123,456,789.10',
};
for (const [given, shown] of Object.entries(MONEY)) {
  test(`${given} is ${shown}`, () => assert.equal(dollars(given), shown));
}

test('an amount is shown in the very digits that it has', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 99_999_999_999n }), (cents) => {
      const text = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
      assert.equal(dollars(text).replace(/[$,]/g, ''), text);
      assert.match(dollars(text), /^\$\d{1,3}(,\d{3})*\.\d\d$/);
    }),
  );
});

for (const [given, exact, short] of [
  [1692, '16.92%', '16.92%'],
  [1700, '17.00%', '17%'],
  [2000, '20.00%', '20%'],
  [1250, '12.50%', '12.5%'],
  [1005, '10.05%', '10.05%'],
  [5, '0.05%', '0.05%'],
  [0, '0.00%', '0%'],
  [10_000, '100.00%', '100%'],
] as const) {
  test(`${given} basis points are ${exact}, shortly ${short}`, () => {
    assert.deepEqual([percent(given), shortPercent(given)], [exact, short]);
  });
}

for (const [instant, shown] of [
  ['2026-11-21T20:07:25.999Z', 'November 21, 2026 at 2:07 PM CST (2026-11-21 20:07:25 UTC)'],
  ['2026-07-01T04:59:00Z', 'June 30, 2026 at 11:59 PM CDT (2026-07-01 04:59:00 UTC)'],
  ['2027-01-01T06:00:00Z', 'January 1, 2027 at 12:00 AM CST (2027-01-01 06:00:00 UTC)'],
] as const) {
  test(`${instant} is ${shown}`, () => assert.equal(bothTimes(new Date(instant)), shown));
}
