import assert from 'node:assert/strict';
import test from 'node:test';
import { flatten, parseJson } from './json.ts';

const FAULTS: readonly (readonly [string, RegExp])[] = [
  ['{\n  "a": 1\n  "b": 2\n}', /^f\.json line 3 is not good JSON: "," or "}" is expected here\.$/],
  ['{\n  "a": x\n}', /^f\.json line 2 .*: a value is expected here\.$/],
  ['{\n  "a": 1,\n}', /^f\.json line 3 .*: a name in double quotes is expected here\.$/],
  ['{ "a" 1 }', /^f\.json line 1 .*: ":" is expected after "a"\.$/],
  ['[1, 2', /^f\.json line 1 .*: "," or "]" is expected here\.$/],
  ['{}\n{}', /^f\.json line 2 .*: nothing more is expected here\.$/],
  ['{\n  "1": 0.04,\n  "\\u0031": 0.05\n}', /^f\.json line 3 .*: "\\u0031" is there twice\.$/],
  ['', /^f\.json line 1 .*: a value is expected here\.$/],
  ['['.repeat(100_000), /^f\.json line 1 .*: it is more than 64 levels deep\.$/],
];

for (const [text, line] of FAULTS) {
  test(`broken JSON is named with its file and line: ${JSON.stringify(text.slice(0, 40))}`, () => {
    assert.throws(() => parseJson(text, 'f.json'), { name: 'CommandFailure', message: line });
  });
}

test('flattening names every value by its path and keeps lists whole', () => {
  const value = { a: { b: 1, c: { d: null } }, e: ['x', 'y'], f: [{ g: 1 }], __proto__x: true };
  assert.deepEqual(flatten(value), { 'a.b': 1, 'a.c.d': null, e: 'x, y', f: '[{"g":1}]', __proto__x: true });
});
