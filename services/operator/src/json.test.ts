import assert from 'node:assert/strict';
import test from 'node:test';
import { flatten, parseJson } from './json.ts';

const FAULTS: readonly (readonly [string, RegExp])[] = [
  [
    '{\n  "a": 1\n  "b": 2\n}',
    /^f\.json is not valid JSON at line 3, column 3: "," or "}" was expected, "\\"" was found\.$/,
  ],
  ['{\n  "a": x\n}', /^f\.json .* line 2, column 8: a value was expected, "x" was found\.$/],
  ['{\n  "a": 1,\n}', /^f\.json .* line 3, column 1: a member name in double quotes was expected/],
  ['{ "a" 1 }', /^f\.json .* line 1, column 7: ":" after a member name was expected/],
  ['[1, 2', /^f\.json .* line 1, column 6: "," or "]" was expected, the end of the text was found\.$/],
  ['{}\n{}', /^f\.json .* line 2, column 1: "{" follows the end of the value\.$/],
  [
    '{\n  "1": 0.04,\n  "\\u0031": 0.05\n}',
    /^f\.json .* line 3, column 3: the member "1" appears twice in one object\.$/,
  ],
  ['', /^f\.json .* line 1, column 1: there is no value\.$/],
  ['['.repeat(100_000), /^f\.json .* line 1, column 65: the nesting is deeper than 64 levels\.$/],
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
