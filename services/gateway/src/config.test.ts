import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settings } from './config.ts';

const NEW = 'n'.repeat(32);
const OLD = 'o'.repeat(40);

test('secrets for answers come newest first, separated by commas', () => {
  const { parse, secret } = settings.answerSecrets;
  assert.deepEqual(parse(NEW), [NEW]);
  assert.deepEqual(parse(`${NEW}, ${OLD}`), [NEW, OLD]);
  assert.equal(secret, true, 'they may come from a file, and are never printed');
});

test('every secret for answers must be long enough, so that a stray comma is noticed', () => {
  for (const given of ['short', `${NEW},short`, `${NEW},`, `,${NEW}`]) {
    assert.throws(() => settings.answerSecrets.parse(given), /must have at least 32 characters/, given);
  }
});
