import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatDecimal, formatPercent, parseDecimal, roundUpToBasisPoints } from './decimal-text.ts';

const ROUNDED_UP = [
  ['0', 0],
  ['0.0', 0],
  ['-0', 0],
  ['0e999999999999', 0],
  ['0.25', 2_500],
  ['2.5e-1', 2_500],
  ['25E-2', 2_500],
  ['0.2500', 2_500],
  ['0.25000000000000000000', 2_500],
  ['0.25000000000000000001', 2_501],
  ['0.00001', 1],
  ['1E-3', 10],
  ['1e-999999999999999999999', 1],
  ['0.9999', 9_999],
  ['0.99991', 10_000],
  ['1', 10_000],
  ['1.000', 10_000],
  ['10000e-4', 10_000],
] as const;
for (const [text, basisPoints] of ROUNDED_UP) {
  test(`a rate sent as ${text} is ${basisPoints} basis points, rounded up`, () => {
    assert.equal(roundUpToBasisPoints(text), basisPoints);
  });
}

for (const text of [
  '1.00000000000000000001',
  '2',
  '25',
  '1e999999999999999999999',
  '-0.1',
  '',
  'x',
  '.5',
  '1.',
  '1e',
]) {
  test(`"${text}" is no rate from 0 to 1`, () => assert.equal(roundUpToBasisPoints(text), null));
}

test('a rate of a million digits is rounded in an instant', () => {
  assert.equal(roundUpToBasisPoints(`0.25${'0'.repeat(1_000_000)}1`), 2_501);
  assert.equal(roundUpToBasisPoints(`0.${'0'.repeat(1_000_000)}`), 0);
});

test('rounding up agrees with rational arithmetic', () => {
  const parts = fc.record({
    digits: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    decimals: fc.integer({ min: 12, max: 20 }),
  });
  const agrees = fc.property(parts, ({ digits, decimals }) => {
    const unit = 10n ** BigInt(decimals);
    assert.equal(roundUpToBasisPoints(`${digits}e-${decimals}`), Number((digits * 10_000n + unit - 1n) / unit));
  });
  fc.assert(agrees, { numRuns: 1_000 });
});

const DECIMALS = [
  ['0.0400', '0.04'],
  ['-0.0025', '-0.0025'],
  ['7', '7'],
  ['120', '120'],
  ['1.5e2', '150'],
  ['4e-2', '0.04'],
  ['0.000', '0'],
  ['0.123456789012345678', '0.123456789012345678'],
] as const;
for (const [text, written] of DECIMALS) {
  test(`the decimal ${text} is kept exactly and written ${written}`, () => {
    const value = parseDecimal(text);
    assert.ok(value !== null);
    assert.equal(formatDecimal(value), written);
  });
}

for (const text of ['0.1234567890123456789', '1e-19', '1234567890', '1e999999999', 'x', '0x10', '']) {
  test(`"${text}" is no decimal of a bearable size`, () => assert.equal(parseDecimal(text), null));
}

const PERCENTS = [
  [2_512, '25.12%'],
  [2_510, '25.1%'],
  [9_000, '90%'],
  [10_000, '100%'],
  [5, '0.05%'],
  [0, '0%'],
] as const;
for (const [basisPoints, text] of PERCENTS) {
  test(`${basisPoints} basis points are written ${text}`, () => assert.equal(formatPercent(basisPoints), text));
}
