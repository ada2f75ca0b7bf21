import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { isId } from '@pfq/kit/ids';
import fc from 'fast-check';
import { reviewNonces } from './nonce.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NEW = 'a-secret-of-this-test-32-characters-long';
const OLD = 'another-secret-32-characters-long-of-old';
const REVIEWED = { linkHash: hashOf('a link'), optionId: 'opt_20_9' };

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

test('a nonce proves its review page for a day, under one change id', () => {
  const nonces = reviewNonces([NEW]);
  const nonce = nonces.issue(REVIEWED, NOW + 0.75);
  const changeId = nonces.read(nonce, REVIEWED, NOW + 0.75) ?? '';
  assert.ok(isId('chg_', changeId));
  assert.equal(nonces.read(nonce, REVIEWED, NOW + DAY_MS), changeId);
  assert.equal(nonces.read(nonce, REVIEWED, NOW + DAY_MS + 1), null);
});

test('clocks of two processes may be a minute apart; beyond that a nonce comes from the future', () => {
  const nonces = reviewNonces([NEW]);
  const nonce = nonces.issue(REVIEWED, NOW);
  assert.notEqual(nonces.read(nonce, REVIEWED, NOW - MINUTE_MS), null);
  assert.equal(nonces.read(nonce, REVIEWED, NOW - MINUTE_MS - 1), null);
});

test('a nonce counts for its own link and option alone', () => {
  const nonces = reviewNonces([NEW]);
  const nonce = nonces.issue(REVIEWED, NOW);
  for (const other of ['opt_20_10', 'opt_20_', '', '\nopt_20_9', 'opt_20_9\n']) {
    assert.equal(nonces.read(nonce, { ...REVIEWED, optionId: other }, NOW), null, other);
  }
  assert.equal(nonces.read(nonce, { ...REVIEWED, linkHash: hashOf('another') }, NOW), null);
});

test('every nonce has a change id of its own', () => {
  const nonces = reviewNonces([NEW]);
  const ids = Array.from({ length: 100 }, () => nonces.read(nonces.issue(REVIEWED, NOW), REVIEWED, NOW));
  assert.equal(new Set(ids).size, 100);
});

test('a nonce of an older secret still counts, one of a secret that is gone does not', () => {
  const nonce = reviewNonces([OLD]).issue(REVIEWED, NOW);
  assert.notEqual(reviewNonces([NEW, OLD]).read(nonce, REVIEWED, NOW), null);
  assert.equal(reviewNonces([NEW]).read(nonce, REVIEWED, NOW), null);
  assert.equal(reviewNonces([OLD]).read(reviewNonces([NEW, OLD]).issue(REVIEWED, NOW), REVIEWED, NOW), null);
});

test('a nonce with any character changed, removed or added is refused', () => {
  const nonces = reviewNonces([NEW]);
  const nonce = nonces.issue(REVIEWED, NOW);
  const changed = fc
    .tuple(fc.nat(nonce.length - 1), fc.string({ unit: 'binary-ascii', minLength: 0, maxLength: 2 }))
    .map(([at, instead]) => nonce.slice(0, at) + instead + nonce.slice(at + 1))
    .filter((one) => one !== nonce);
  fc.assert(
    fc.property(changed, (one) => assert.equal(nonces.read(one, REVIEWED, NOW), null)),
    { numRuns: 2_000 },
  );
  for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=') {
    const one = nonce.slice(0, -1) + last;
    if (one !== nonce) assert.equal(nonces.read(one, REVIEWED, NOW), null, 'the last character has bits to spare');
  }
});

test('no text at all is taken for a nonce', () => {
  const nonces = reviewNonces([NEW]);
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary-ascii', maxLength: 100 }),
      (text) => nonces.read(text, REVIEWED, NOW) === null,
    ),
  );
});
