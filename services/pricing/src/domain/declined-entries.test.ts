import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
import { applyChange } from './declined-entries.ts';

const ENTRIES = { issuers: ['Acme & Sons Ins. Co.', 'Best Mutual'], coverages: ['flood'] };

test('an entry is added at the end, in the spelling given', () => {
  const { issuers } = applyChange(ENTRIES, { list: 'issuers', value: 'Zenith', declined: true });
  assert.deepEqual(issuers, [...ENTRIES.issuers, 'Zenith']);
});

test('an issuer that is listed under another spelling is not listed twice', () => {
  assert.equal(applyChange(ENTRIES, { list: 'issuers', value: 'ACME and sons ins co', declined: true }), ENTRIES);
});

test('an entry goes, whatever the spelling of the issuer, and the others stay', () => {
  const { issuers } = applyChange(ENTRIES, { list: 'issuers', value: 'acme and sons ins co', declined: false });
  assert.deepEqual(issuers, ['Best Mutual']);
  const { coverages } = applyChange(ENTRIES, { list: 'coverages', value: 'flood', declined: false });
  assert.deepEqual(coverages, []);
});

test('removing what is not listed is NOT_FOUND and names what is', () => {
  assert.throws(
    () => applyChange(ENTRIES, { list: 'issuers', value: 'Zenith', declined: false }),
    (error: unknown) =>
      error instanceof ServiceError && error.code === 'NOT_FOUND' && /Best Mutual/.test(error.message),
  );
});
