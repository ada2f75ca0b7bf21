import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { membersOffering } from '../store.test-support.ts';
import { optionIdsOf } from './options.ts';

test('the options of a quote are those it lists, in its order, and nothing else that looks like one', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 30 }), (ids) => {
      assert.deepEqual(optionIdsOf(membersOffering(...ids)), ids);
    }),
  );
});

test('members that were broken behind the back of the store are a fault, not a quote without options', () => {
  for (const broken of ['"options":[', '"totals":{}', '"options":null', '', '"options":[null]']) {
    assert.throws(() => optionIdsOf(Buffer.from(broken)), broken);
  }
});
