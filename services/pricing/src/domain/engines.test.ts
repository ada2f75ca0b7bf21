import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDeal, makeReference } from './deals.test-support.ts';
import { ENGINE_VERSION, findEngine } from './engines.ts';

test('the engine that prices new deals can be found again by its version', () => {
  const price = findEngine(ENGINE_VERSION);
  assert.equal(price?.(makeDeal(), makeReference()).recommendedOptionId, 'opt_25_10');
});

test('a version that never was has no engine', () => assert.equal(findEngine('0'), null));
