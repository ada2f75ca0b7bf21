import fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMoney, parseMoney, sumCents, toCents, ZERO_CENTS } from './money.ts';

const amounts = fc.bigInt({ min: -99_999_999_999n, max: 99_999_999_999n }).map(toCents);

test('money that is written can be read back, to the cent', () => {
  fc.assert(fc.property(amounts, (cents) => assert.equal(parseMoney(formatMoney(cents)), cents)));
});

test('money that can be read is written the same way again', () => {
  const texts = fc.stringMatching(/^-?[1-9]\d{0,8}\.\d{2}$/);
  fc.assert(
    fc.property(texts, (text) => {
      const cents = parseMoney(text);
      assert.ok(cents !== null);
      assert.equal(formatMoney(cents), text);
    }),
  );
});

for (const [cents, text] of [
  [0n, '0.00'],
  [5n, '0.05'],
  [-5n, '-0.05'],
  [100n, '1.00'],
  [-123_450n, '-1234.50'],
  [99_999_999_999n, '999999999.99'],
  [10n ** 30n, '10000000000000000000000000000.00'],
] as const) {
  test(`${cents} cents is ${text}`, () => assert.equal(formatMoney(toCents(cents)), text));
}

for (const [text, cents] of [
  ['-0.00', 0n],
  ['007.50', 750n],
  ['999999999.99', 99_999_999_999n],
] as const) {
  test(`${text} is ${cents} cents`, () => assert.equal(parseMoney(text), cents));
}

const malformed = [
  '',
  '1',
  '1.5',
  '1.234',
  '.50',
  '1.',
  '+1.00',
  '1,000.00',
  '$1.00',
  ' 1.00',
  '1.00\n',
  '1e3.00',
  '--1.00',
];
for (const text of [...malformed, '1234567890.00', '٣.٠٠', '0x1.00', 'NaN']) {
  test(`${JSON.stringify(text)} is no money`, () => assert.equal(parseMoney(text), null));
}

test('a sum loses no cent, however large or long', () => {
  fc.assert(
    fc.property(fc.array(amounts), (list) => {
      assert.equal(sumCents([...list, ...list.map((cents) => toCents(0n - cents))]), ZERO_CENTS);
    }),
  );
  assert.equal(sumCents([toCents(2n ** 53n), toCents(1n)]), 2n ** 53n + 1n);
});
