import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeApiKey, modeOfApiKey } from './api-key.ts';

const BASE62 = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
const random = fc.string({ unit: fc.constantFrom(...BASE62), minLength: 43, maxLength: 43 });
const mode = fc.constantFrom('live' as const, 'test' as const);

test('the checksum is CRC-32 (IEEE) over prefix and random part, in base62 padded with 0', () => {
  // By Python's zlib.crc32, an independent implementation: 1051148186 and 4111573833.
  assert.equal(makeApiKey('test', '0'.repeat(43)), `pfq_test_${'0'.repeat(43)}198Vf0`);
  const random43 = BASE62.slice(0, 43).join('');
  assert.equal(makeApiKey('live', random43), `pfq_live_${random43}4UFkAz`);
});

test('a key tells its mode', () => {
  fc.assert(fc.property(mode, random, (given, body) => assert.equal(modeOfApiKey(makeApiKey(given, body)), given)));
});

test('one wrong character, a missing or an extra one is always found', () => {
  fc.assert(
    fc.property(mode, random, fc.nat(57), fc.constantFrom(...BASE62, ' ', '-'), (given, body, index, other) => {
      const key = makeApiKey(given, body);
      fc.pre(key[index] !== other);
      assert.equal(modeOfApiKey(key.slice(0, index) + other + key.slice(index + 1)), null);
      assert.equal(modeOfApiKey(key.slice(0, index) + key.slice(index + 1)), null);
      assert.equal(modeOfApiKey(key.slice(0, index) + other + key.slice(index)), null);
    }),
  );
});

test('a key whose live and test prefixes were swapped is found without a look-up', () => {
  fc.assert(
    fc.property(random, (body) => {
      assert.equal(modeOfApiKey(makeApiKey('live', body).replace('_live_', '_test_')), null);
      assert.equal(modeOfApiKey(makeApiKey('test', body).replace('_test_', '_live_')), null);
    }),
  );
});

for (const text of ['', 'pfq_test_', 'x', 'pfq_live_\0', `PFQ_TEST_${'0'.repeat(49)}`]) {
  test(`${JSON.stringify(text)} is no key`, () => assert.equal(modeOfApiKey(text), null));
}
