import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GUESS_RULES, limitGuesses } from './guess-limit.ts';
import type { GuessLimit } from './guess-limit.ts';

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
  for (const earlier of history.filter((one) => one.address === address)) {
    if (earlier.atMs >= startedMs + RULES.windowMs) [startedMs, count] = [earlier.atMs, 0];
    count += 1;
  }
  const leftMs = startedMs + RULES.windowMs - atMs;
  return count >= RULES.misses && leftMs > 0 ? Math.max(1, Math.ceil(leftMs / 1_000)) : null;
}

/** Looks a link up that does not exist; gives the seconds to wait where it is not even looked up. */
async function miss(limit: GuessLimit, address: string): Promise<number | null> {
  const admission = await limit.admit(address);
  if (admission.kind === 'refused') return admission.retryAfterSeconds;
  admission.settle('miss');
  return null;
}

test('an address waits from its third miss in a window until the window ends, whatever the others do', async () => {
  await fc.assert(
    fc.asyncProperty(misses, async (history) => {
      let now = 0;
      const limit = limitGuesses(RULES, () => now);
      for (const [index, { address, atMs }] of history.entries()) {
        now = atMs;
        assert.equal(await miss(limit, address), waitByList(history.slice(0, index), { address, atMs }));
      }
    }),
  );
});

test('what is found, or fails, counts for nothing', async () => {
  const limit = limitGuesses(RULES, () => 0);
  for (let count = 0; count < 100; count += 1) {
    const admission = await limit.admit('a');
    assert.ok(admission.kind === 'admitted');
    admission.settle('other');
  }
});

test('however many are asked at once and in whatever order they end, no more are missed, and all that exist are found', async () => {
  const asked = fc.array(fc.record({ exists: fc.boolean(), turns: fc.nat(5) }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(asked, async (links) => {
      const limit = limitGuesses(RULES, () => 0);
      let missed = 0;
      const answers = await Promise.all(
        links.map(async ({ exists, turns }) => {
          const admission = await limit.admit('a');
          if (admission.kind === 'refused') return 'refused';
          for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
          if (!exists) missed += 1;
          admission.settle(exists ? 'other' : 'miss');
          return 'answered';
        }),
      );
      const unknown = links.filter(({ exists }) => !exists).length;
      assert.equal(missed, Math.min(unknown, RULES.misses));
      if (unknown < RULES.misses) assert.ok(!answers.includes('refused'));
    }),
  );
});

test('of too many addresses the oldest are forgotten, and no more than that', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 300 }), async (addresses) => {
      let now = 0;
      const limit = limitGuesses({ ...RULES, misses: 1 }, () => now);
      for (; now < addresses; now += 1) await miss(limit, `address ${now}`);
      const answers = await Promise.all(Array.from({ length: addresses }, (_, n) => limit.admit(`address ${n}`)));
      assert.deepEqual(
        answers.map(({ kind }) => kind),
        answers.map((_, n) => (n >= addresses - RULES.mostAddresses ? 'refused' : 'admitted')),
      );
    }),
    { numRuns: 30 },
  );
});

test('twenty unknown links in ten minutes are let through, and one of them counts for that long', async () => {
  let now = 0;
  const limit = limitGuesses(GUESS_RULES, () => now);
  for (; now < 20; now += 1) assert.equal(await miss(limit, 'a'), null);
  now = 1_000;
  assert.equal(await miss(limit, 'a'), 599);
  now = 599_999;
  assert.equal(await miss(limit, 'a'), 1);
  now = 600_000;
  assert.equal(await miss(limit, 'a'), null);
});
