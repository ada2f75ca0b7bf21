import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonObject, readJson } from './json.ts';
import { writeJson, writeMembers, writePairs } from './json-writer.ts';

const rewritten = (text: string) => writeJson(readJson(Buffer.from(text)));

test('whatever JSON.stringify wrote is read and written again byte for byte', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), (value) => {
      const text = JSON.stringify(value);
      assert.equal(rewritten(text), text);
    }),
    { numRuns: 500 },
  );
});

const KEPT = [
  ['the order of members', '{"b":1,"a":2,"2":3,"1":4}'],
  ['the name __proto__', '{"__proto__":{"a":1},"constructor":null}'],
  ['every digit of a number', '[0.250,25e-2,-0,1e999,12345678901234567890.0]'],
  ['what a string must escape', String.raw`["\"\\\n\u0000\u001f","\ud800","é€😀"]`],
  ['emptiness', '[{},[],"",null]'],
] as const;
for (const [what, text] of KEPT) {
  test(`writing keeps ${what}`, () => {
    assert.equal(rewritten(text), text);
  });
}

test('spaces between values and needless escapes are left out', () => {
  assert.equal(rewritten(' { "a" : [ 1 , "\\u0041\\/" ] } '), '{"a":[1,"A/"]}');
});

test('pairs are read back in their order and spelling, whatever their names', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', '2', '1', ''));
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name }), (pairs) => {
      const read = readJson(Buffer.from(writePairs(pairs)));
      assert.ok(read instanceof JsonObject);
      assert.deepEqual([...read.members], pairs);
    }),
  );
});

test('members are written without braces, and what is undefined is left out', () => {
  assert.equal(writeMembers({ b: 1, a: [null, 'x'], c: undefined }), '"b":1,"a":[null,"x"]');
});
