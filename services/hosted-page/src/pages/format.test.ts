import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { formatMoney, formatRate, formatShare } from './format.ts';

const digits = fc.stringMatching(/^\d{0,12}$/);
const fractions = fc.oneof(fc.constantFrom('0', '1'), fc.stringMatching(/^[01]\.\d{1,12}$/));

describe('an amount', () => {
  for (const [text, shown] of [
    ['0.00', '$0.00'],
    ['14568.75', '$14,568.75'],
    ['999.99', '$999.99'],
    ['1000.00', '$1,000.00'],
    ['123456789.01', '$123,456,789.01'],
    ['-1234.50', '-$1,234.50'],
  ] as const) {
    test(`${text} is shown as ${shown}`, () => assert.equal(formatMoney(text), shown));
  }

  test('shows the very digits of the text, however many they are', () => {
    fc.assert(
      fc.property(digits, fc.stringMatching(/^\d\d$/), (dollars, cents) => {
        const text = `1${dollars}.${cents}`;
        assert.equal(formatMoney(text).replaceAll(/[$,]/g, ''), text);
        assert.match(formatMoney(text), /^\$\d{1,3}(,\d{3})*\.\d\d$/);
      }),
    );
  });

  test('of any other spelling is refused rather than shown wrong', () => {
    for (const text of ['', '1', '1.5', '1e3', ' 1.00', '1,000.00', 'NaN', '1.005']) {
      assert.throws(() => formatMoney(text));
    }
  });
});

describe('a rate', () => {
  for (const [fraction, rate, share] of [
    ['0.1692', '16.92%', '16.92%'],
    ['0.1', '10.00%', '10%'],
    ['0.25', '25.00%', '25%'],
    ['0.0005', '0.05%', '0.05%'],
    ['0.12345', '12.345%', '12.345%'],
    ['0', '0.00%', '0%'],
    ['1', '100.00%', '100%'],
    ['0.290', '29.00%', '29%'],
  ] as const) {
    test(`${fraction} is shown as ${rate}, and as ${share} where it is a share`, () => {
      assert.equal(formatRate(fraction), rate);
      assert.equal(formatShare(fraction), share);
    });
  }

  test('is exactly a hundred times the fraction', () => {
    fc.assert(
      fc.property(fractions, (fraction) => {
        for (const shown of [formatRate(fraction), formatShare(fraction)]) {
          assert.equal(scaled(shown.replace('%', '')), 100n * scaled(fraction));
          assert.match(shown, /^(0|[1-9]\d*)(\.\d+)?%$/);
        }
      }),
    );
  });
});

/** A plain decimal as a whole number of 10⁻¹⁴. */
function scaled(text: string): bigint {
  const [whole = '', rest = ''] = text.split('.');
  return BigInt(whole + rest.padEnd(14, '0'));
}
