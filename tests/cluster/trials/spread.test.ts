import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeSpread } from './spread.ts';

const EVEN = [100, 90, 110, 100];

const JUDGED: readonly (readonly [string, readonly number[], number | null, readonly string[]])[] = [
  ['even calls, and soon, are as promised', EVEN, 10, []],
  ['a share that comes later breaks the promise', EVEN, null, ['new pods had less than their share for 11 s']],
  ['a pod with too few breaks it', [100, 70, 115, 115], 10, ['pod-1 had 70 of a mean of 100']],
  ['a pod that is not counted breaks it', [100, 100, 100], 10, ['3 pods were counted']],
];

for (const [what, counts, seconds, broken] of JUDGED) {
  test(what, () => {
    const ofPods = new Map(counts.map((count, at) => [`pod-${at}`, count]));
    assert.deepEqual(judgeSpread('pricing', ofPods, seconds).broken, broken);
  });
}
