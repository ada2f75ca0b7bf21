import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AM_BEST_RATINGS, isAmBestRating, isWeaker, ratingsDownTo } from './am-best.ts';

test('the scale runs from A++ to D, and what is off it is weaker still, NR weakest', () => {
  assert.equal(AM_BEST_RATINGS.join(' '), 'A++ A+ A A- B++ B+ B B- C++ C+ C C- D E F S NR');
  assert.ok(AM_BEST_RATINGS.slice(1).every((rating, index) => isWeaker(rating, AM_BEST_RATINGS[index] ?? 'NR')));
});

test('a minimum of A- is met by A- and better alone', () => {
  const met = AM_BEST_RATINGS.filter((rating) => !isWeaker(rating, 'A-'));
  assert.deepEqual(met, ['A++', 'A+', 'A', 'A-']);
  assert.deepEqual(ratingsDownTo('A-'), met);
});

test('ratings off the scale meet no minimum, not even D', () => {
  assert.deepEqual(
    AM_BEST_RATINGS.filter((rating) => isWeaker(rating, 'D')),
    ['E', 'F', 'S', 'NR'],
  );
});

test('ratings are spelt exactly', () => {
  assert.deepEqual(['A-', 'a-', 'A −', 'NR', ''].map(isAmBestRating), [true, false, false, true, false]);
});
