import assert from 'node:assert/strict';
import { it } from 'node:test';
import { nearest } from './nearest.ts';

const cases: readonly (readonly [
  promise: string,
  text: string,
  candidates: readonly string[],
  meant: string | undefined,
])[] = [
  ['a name one edit away is meant', 'premum', ['premium', 'carrier'], 'premium'],
  ['a name two edits away is meant', 'prmum', ['premium'], 'premium'],
  ['a name three edits away is not', 'prmm', ['premium'], undefined],
  ['the nearer of two is meant', 'rates', ['dates', 'rate', 'fates'], 'dates'],
  ['of two as near, the first is meant', 'bat', ['cat', 'hat'], 'cat'],
  ['letter case is no edit', 'EffectiveDate', ['effective_date'], 'effective_date'],
];
for (const [promise, text, candidates, meant] of cases) {
  it(promise, () => assert.equal(nearest(text, candidates), meant));
}

it('a text of any length is compared in no time', () => {
  assert.equal(nearest('x'.repeat(2_000_000), ['premium']), undefined);
});
