import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { plainDecimal, typedNumber } from './decimal-text.ts';

describe('the plain decimal of a JSON number', () => {
  const cases: readonly (readonly [text: string, plain: string | null])[] = [
    ['0.250', '0.25'],
    ['25e-2', '0.25'],
    ['2.5E-1', '0.25'],
    ['-0.10', '-0.1'],
    ['100', '100'],
    ['1.0', '1'],
    ['1e2', '100'],
    ['-0', '0'],
    ['0e999999999999', '0'],
    ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
    [`0.${'0'.repeat(400)}1e400`, '0.1'],
    ['1e999', null],
    ['-1e999', null],
    ['1e-999', null],
    [`1${'0'.repeat(400)}`, null],
  ];
  for (const [text, plain] of cases) {
    it(`of ${text.slice(0, 40)} is ${plain ?? 'none, being outside the range of doubles'}`, () => {
      assert.equal(plainDecimal(text), plain);
    });
  }

  it('is exactly what was written, however it was written', () => {
    const parts = fc.tuple(fc.boolean(), fc.nat(), fc.stringMatching(/^\d{0,30}$/), fc.integer({ min: -40, max: 40 }));
    fc.assert(
      fc.property(parts, ([negative, whole, fraction, exponent]) => {
        const text = `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}e${exponent}`;
        const plain = plainDecimal(text) ?? '';
        assert.match(plain, /^(?:0|-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?)$/);
        const written =
          BigInt(whole + fraction) * (negative ? -1n : 1n) * 10n ** BigInt(100 + exponent - fraction.length);
        const [units = '', decimals = ''] = plain.replace('-', '').split('.');
        const read =
          BigInt(units + decimals) * (plain.startsWith('-') ? -1n : 1n) * 10n ** BigInt(100 - decimals.length);
        assert.equal(read, written);
      }),
    );
  });

  it('shifts by powers of ten without losing a digit', () => {
    assert.equal(plainDecimal('12.5', -2), '0.125');
    assert.equal(plainDecimal('0.07', 2), '7');
  });

  it('takes linear time on long runs of zeros', () => {
    assert.equal(plainDecimal(`0.${'0'.repeat(100)}1${'0'.repeat(2_000_000)}1`)?.length, 2_000_104);
  });
});

describe('a number as people type it', () => {
  const cases: readonly (readonly [text: string, number: string | undefined])[] = [
    ['$1,200.5', '1200.5'],
    [' 25% ', '25'],
    ['-3', '-3'],
    ['abc', undefined],
    ['', undefined],
    ['1'.repeat(100_000), undefined],
  ];
  for (const [text, number] of cases) {
    it(`is ${number ?? 'not guessed'} for ${JSON.stringify(text.slice(0, 20))}`, () =>
      assert.equal(typedNumber(text), number));
  }
});
