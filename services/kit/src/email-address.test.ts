import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailKey, isEmailAddress } from './email-address.ts';

const CASES: readonly (readonly [text: string, isAddress: boolean])[] = [
  ['ann@agency.example', true],
  ["o'brien+quotes@agency.example", true],
  ['josé@bücher.example', true],
  [`${'a'.repeat(240)}@agency.example`, true],
  [`${'\u{1F600}'.repeat(240)}@agency.example`, true],
  [`${'a'.repeat(241)}@agency.example`, false],
  ['ann.lee@agency.example', true],
  ['ann..lee@agency.example', false],
  ['.ann@agency.example', false],
  ['ann.@agency.example', false],
  ['ann@agency..example', false],
  ['ann@agency.example.', false],
  ['ann\u200b@agency.example', false],
  ['ann', false],
  ['@agency.example', false],
  ['ann@', false],
  ['ann@one@two.example', false],
  ['ann @agency.example', false],
  ['Ann <ann@agency.example>', false],
  ['ann@agency.example,bob@agency.example', false],
  ['ann@agency.example\n', false],
  ['ann\0@agency.example', false],
  ['\ud800@agency.example', false],
  ['', false],
];
for (const [text, isAddress] of CASES) {
  test(`${JSON.stringify(text.slice(0, 60))} is ${isAddress ? 'an' : 'no'} email address`, () => {
    assert.equal(isEmailAddress(text), isAddress);
  });
}

test('addresses that differ in case alone have one key, others have not', () => {
  assert.equal(emailKey('Ana@Agency.example'), emailKey('ana@aGENCY.EXAMPLE'));
  assert.notEqual(emailKey('ana@agency.example'), emailKey('ann@agency.example'));
});
