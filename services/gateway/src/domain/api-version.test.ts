import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chooseVersion, FIRST_VERSION } from './api-version.ts';

const VERSIONS = [FIRST_VERSION, '2027-03-01', '2028-02-29'] as const;

describe('the version that serves a request', () => {
  const cases = [
    [undefined, '2028-02-29', 'the newest where none is pinned'],
    ['2026-09-23', '2026-09-23', 'the one pinned to the day'],
    ['2027-02-28', '2026-09-23', 'the one before the pinned date'],
    ['2027-03-01', '2027-03-01', 'the one pinned to the day'],
    ['2028-02-29', '2028-02-29', 'the one issued on a leap day'],
    ['9999-12-31', '2028-02-29', 'the newest where the date is later'],
    ['2026-09-22', '2026-09-23', 'the first where the date is earlier'],
    ['0001-01-01', '2026-09-23', 'the first where the date is earlier'],
  ] as const;
  for (const [pinned, served, meaning] of cases) {
    test(`is ${meaning}: ${pinned} gets ${served}`, () => {
      assert.equal(chooseVersion(pinned, VERSIONS), served);
    });
  }

  for (const pinned of [undefined, '2026-09-22', '2026-09-23', '2028-02-29', '9999-12-31']) {
    test(`is the only one where there is no other, whatever is pinned: ${pinned}`, () => {
      assert.equal(chooseVersion(pinned, [FIRST_VERSION]), '2026-09-23');
    });
  }
});

const NO_DATES = [
  '',
  'v1',
  '2026-9-23',
  '2026-02-30',
  '2027-02-29',
  '2026-13-01',
  '0000-01-01',
  '2026-09-23 ',
  '20260923',
];
for (const pinned of [...NO_DATES, '2026-09-23, 2026-09-23', '+2026-09-23', '2026-09-23T00:00:00Z']) {
  test(`"${pinned}" is refused as a version`, () => {
    assert.throws(() => chooseVersion(pinned, VERSIONS), { code: 'INVALID_API_VERSION' });
  });
}
