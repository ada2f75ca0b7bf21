import fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base62, checksum, firstIdAt, isBase62, isId, newId, randomBase62 } from './ids.ts';

/** 2020 to 2300. */
const instants = fc.integer({ min: 1_577_836_800_000, max: 10_413_792_000_000 });

test('an id is its prefix and 22 base62 characters', () => {
  fc.assert(
    fc.property(instants, (nowMs) => {
      const id = newId('qte_', nowMs);
      assert.match(id, /^qte_[0-9A-Za-z]{22}$/);
      assert.ok(isId('qte_', id));
      assert.ok(!isId('agy_', id));
    }),
  );
});

test('ids sort by the microsecond of their creation', () => {
  fc.assert(
    fc.property(instants, instants, fc.integer({ min: 0, max: 999 }), (one, other, micros) => {
      const [earlier, later] = [Math.min(one, other) + micros / 1000, Math.max(one, other) + 1 + micros / 1000];
      assert.ok(newId('qte_', earlier) < newId('qte_', later));
    }),
  );
  assert.ok(newId('qte_', 1_800_000_000_000.25) < newId('qte_', 1_800_000_000_000.5));
});

test('the first id of a time is above all ids before it, and not above those that come', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: 1, max: 1_000_000_000 }), (nowMs, laterMs) => {
      const first = firstIdAt('req_', nowMs + laterMs);
      assert.ok(newId('req_', nowMs) < first);
      assert.ok(newId('req_', nowMs + laterMs) > first);
    }),
  );
});

test('a hundred thousand ids of one microsecond are all different', () => {
  const ids = new Set(Array.from({ length: 100_000 }, () => newId('qte_', 1_800_000_000_000)));
  assert.equal(ids.size, 100_000);
});

test('no character is favoured: chi-squared of 620,000 characters stays under its 1-in-10-million value', () => {
  const counts = new Map<string, number>();
  for (const character of randomBase62(620_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
  assert.equal(counts.size, 62);
  const expected = 10_000;
  const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // 61 degrees of freedom.
  assert.ok(chiSquared < 135, `${chiSquared}`);
});

test('random text has exactly the length asked for', () => {
  for (const length of [0, 1, 13, 43, 1000]) assert.equal(randomBase62(length).length, length);
});

test('base62 keeps the order of numbers and says each in one way', () => {
  const numbers = fc.bigInt({ min: 0n, max: 62n ** 9n - 1n });
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      assert.equal(base62(one, 9) < base62(other, 9), one < other);
      assert.equal(readBase62(base62(one, 9)), one);
    }),
  );
});

for (const [text, what] of [
  ['qte_' + '0'.repeat(21), 'too short'],
  ['qte_' + '0'.repeat(23), 'too long'],
  ['qte_' + '0'.repeat(21) + '-', 'not base62'],
  ['qte_' + '0'.repeat(21) + '\n', 'ended by a line feed'],
  ['QTE_' + '0'.repeat(22), 'in other case'],
  ['', 'empty'],
] as const) {
  test(`a text that is ${what} is no id`, () => assert.equal(isId('qte_', text), false));
}

test('only digits and Latin letters are base62', () => {
  assert.ok(isBase62('09AZaz'));
  for (const text of ['é', '_', ' ', 'a\n', '٣']) assert.equal(isBase62(text), false);
});

test('the checksum is CRC-32 (IEEE): its published check value is cbf43926', () => {
  assert.equal(checksum('123456789'), base62(0xcbf43926n, 6));
  assert.equal(checksum('').length, 6);
});

function readBase62(text: string): bigint {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return Array.from(text).reduce((value, digit) => value * 62n + BigInt(digits.indexOf(digit)), 0n);
}
