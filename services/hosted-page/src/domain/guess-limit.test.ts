import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GUESS_RULES, limitGuesses } from './guess-limit.ts';

const RULES = { misses: 3, windowMs: 1_000, mostAddresses: 100 };

type Miss = { readonly address: string; readonly atMs: number };

/** Misses of three addresses, in order of time; many of them close together. */
const misses = fc
  .array(fc.record({ address: fc.constantFrom('a', 'b', 'c'), stepMs: fc.nat(400) }), { maxLength: 60 })
  .map((steps) => {
    let atMs = 0;
    return steps.map(({ address, stepMs }): Miss => ({ address, atMs: (atMs += stepMs) }));
  });

/** The same promise written plainly: windows one after the other, each from the first miss after the last one. */
function waitByList(history: readonly Miss[], { address, atMs }: Miss): number | null {
  let startedMs = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (const miss of history.filter((one) => one.address === address)) {
    if (miss.atMs >= startedMs + RULES.windowMs) [startedMs, count] = [miss.atMs, 0];
    count += 1;
  }
  const leftMs = startedMs + RULES.windowMs - atMs;
  return count >= RULES.misses && leftMs > 0 ? Math.max(1, Math.ceil(leftMs / 1_000)) : null;
}

test('an address waits from its third miss in a window until the window ends, whatever the others do', () => {
  fc.assert(
    fc.property(misses, (history) => {
      const limit = limitGuesses(RULES);
      history.forEach((miss, index) => {
        const before = waitByList(history.slice(0, index), miss);
        assert.equal(limit.waitSeconds(miss.address, miss.atMs), before);
        limit.countMiss(miss.address, miss.atMs);
      });
    }),
  );
});

test('asking whether to wait changes nothing', () => {
  const limit = limitGuesses(RULES);
  for (let asked = 0; asked < 100; asked += 1) assert.equal(limit.waitSeconds('a', asked), null);
});

test('of too many addresses the oldest are forgotten, and no more than that', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), (addresses) => {
      const limit = limitGuesses({ ...RULES, misses: 1 });
      for (let n = 0; n < addresses; n += 1) limit.countMiss(`address ${n}`, n);
      const kept = Array.from({ length: addresses }, (_, n) => limit.waitSeconds(`address ${n}`, addresses) !== null);
      assert.deepEqual(
        kept,
        kept.map((_, n) => n >= addresses - RULES.mostAddresses),
      );
    }),
  );
});

test('twenty unknown links in ten minutes are let through, and one of them counts for that long', () => {
  const limit = limitGuesses(GUESS_RULES);
  for (let miss = 0; miss < 20; miss += 1) {
    assert.equal(limit.waitSeconds('a', miss), null);
    limit.countMiss('a', miss);
  }
  assert.equal(limit.waitSeconds('a', 1_000), 599);
  assert.equal(limit.waitSeconds('a', 599_999), 1);
  assert.equal(limit.waitSeconds('a', 600_000), null);
});
