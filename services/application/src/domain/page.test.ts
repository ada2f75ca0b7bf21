import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '@pfq/kit/ids';
import { newApplication } from '../samples.test-support.ts';
import { requireCursor, requireLimit, toPage } from './page.ts';

for (const limit of [0, 101, -1, 1.5, Number.NaN, 2 ** 31 - 1]) {
  test(`a page of ${limit} is not to be had`, () => {
    assert.throws(() => requireLimit(limit), { code: 'INVALID_PAGINATION', param: 'limit' });
  });
}

test('a page may hold from 1 to 100 applications', () => {
  for (const limit of [1, 20, 100]) requireLimit(limit);
});

for (const id of ['', 'app_', 'app_000000000000000000000\0', newId('qte_', 0), 'x'.repeat(100_000)]) {
  test(`no page starts after ${JSON.stringify(id.slice(0, 40))}`, () => {
    assert.throws(() => requireCursor(id), { code: 'INVALID_PAGINATION', param: 'starting_after' });
  });
}

test('one application more than the limit says that another page follows, and is not on this one', () => {
  const [one, two, three] = [newApplication(), newApplication(), newApplication()];
  assert.deepEqual(toPage([one, two, three], 2), { applications: [one, two], hasMore: true });
  assert.deepEqual(toPage([one, two], 2), { applications: [one, two], hasMore: false });
  assert.deepEqual(toPage([], 2), { applications: [], hasMore: false });
});
