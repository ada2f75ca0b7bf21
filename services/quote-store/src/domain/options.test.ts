import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { membersOffering } from '../store.test-support.ts';
import { FIRST_API_VERSION as apiVersion } from './api-version.ts';
import { optionIdsOf } from './options.ts';

test('the options of a quote are those it lists, in its order, and nothing else that looks like one', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 30 }), (ids) => {
      assert.deepEqual(optionIdsOf({ apiVersion, pricedMembers: membersOffering(...ids) }), ids);
    }),
  );
});

test('members that were broken behind the back of the store are a fault, not a quote without options', () => {
  for (const broken of ['"options":[', '"totals":{}', '"options":null', '', '"options":[null]']) {
    assert.throws(() => optionIdsOf({ apiVersion, pricedMembers: Buffer.from(broken) }), broken);
  }
});

test('of a quote in a version of the API that is not known here no options are read', () => {
  const quote = { apiVersion: '2027-01-01', pricedMembers: membersOffering('opt_15_9') };
  assert.throws(() => optionIdsOf(quote), /API version that this release does not know: 2027-01-01/);
});
