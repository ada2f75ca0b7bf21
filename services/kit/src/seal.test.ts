import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSeal } from './seal.ts';

const OLD = 'the secret of last year, 32 characters';
const NEW = 'the secret of this year, 32 characters';
const LINK = 'https://pay.example/q/a-token';
const REFUSED = /changed or moved, or its secret is not known/;

const wellFormed = fc.string({ unit: 'binary' });

test('what is sealed for a place opens there, whatever it is', () => {
  const { seal, open } = createSeal([NEW]);
  fc.assert(
    fc.property(wellFormed, wellFormed, (text, place) => {
      assert.equal(open(seal(text, place), place), text);
    }),
  );
});

test('sealed bytes do not show the text, and the same text never seals to the same bytes', () => {
  const { seal } = createSeal([NEW]);
  const [one, other] = [seal(LINK, 'here'), seal(LINK, 'here')];
  assert.ok(!one.includes('pay.example') && !one.includes('a-token'));
  assert.ok(!one.equals(other));
  assert.equal(one[0], 1, 'the format');
});

test('sealed bytes open in no other place', () => {
  const { seal, open } = createSeal([NEW]);
  assert.throws(() => open(seal(LINK, 'here'), 'there'), REFUSED);
});

test('one bit changed anywhere, or one byte cut off, is noticed', () => {
  const { seal, open } = createSeal([NEW]);
  const sealed = seal(LINK, 'here');
  for (let bit = 0; bit < 8 * sealed.length; bit += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    assert.throws(() => open(changed, 'here'), bit < 8 ? /format/ : REFUSED);
  }
  for (let length = 0; length < sealed.length; length += 1) {
    assert.throws(() => open(sealed.subarray(0, length), 'here'), Error);
  }
});

test('a secret can be replaced: the new one seals, the old one still opens what it sealed', () => {
  const before = createSeal([OLD]);
  const during = createSeal([NEW, OLD]);
  const after = createSeal([NEW]);
  assert.equal(during.open(before.seal(LINK, 'here'), 'here'), LINK);
  assert.equal(after.open(during.seal(LINK, 'here'), 'here'), LINK);
  assert.throws(() => after.open(before.seal(LINK, 'here'), 'here'), REFUSED);
});
