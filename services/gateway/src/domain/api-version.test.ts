import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseVersion, CURRENT_VERSION } from './api-version.ts';

for (const pinned of [undefined, '2026-09-23', '2026-09-22', '0001-01-01', '2028-02-29', '9999-12-31']) {
  test(`the only version serves a request that pins ${pinned}`, () => {
    assert.equal(chooseVersion(pinned), CURRENT_VERSION);
    assert.equal(CURRENT_VERSION, '2026-09-23');
  });
}

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
    assert.throws(() => chooseVersion(pinned), { code: 'INVALID_API_VERSION' });
  });
}
