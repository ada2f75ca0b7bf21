import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isExactJsonObject, NumberText, parseExactJson, type ExactJson } from './exact-json.ts';

test('numbers keep the digits they were written with', () => {
  const json = parseExactJson('[0.10, 1e400, -0, 0.12345678901234567890123]');
  assert.deepEqual(
    json,
    ['0.10', '1e400', '-0', '0.12345678901234567890123'].map((text) => new NumberText(text)),
  );
});

test('everything else is read as JSON.parse reads it', () => {
  const agrees = fc.property(fc.json(), (text) => {
    assert.deepEqual(toPlain(parseExactJson(text)), JSON.parse(text));
  });
  fc.assert(agrees, { numRuns: 500 });
});

const REPEATED = ['{"a":1,"a":2}', '{"a":{"b":1,"b":2}}', '[{"a":1},{"a":1,"\\u0061":2}]', '{"x":[{}],"x":1}'];
for (const text of REPEATED) {
  test(`a member named twice is refused: ${text}`, () => {
    assert.throws(() => parseExactJson(text), /^ServiceError: Line 1 names ".+" a second time/);
  });
}

const DISTINCT = [
  '{"a":{"a":1}}',
  '[{"a":1},{"a":2}]',
  '{"a":"a","b":"a"}',
  '{"a":"{\\"a\\":","b":1}',
  '{"a":["a","a"]}',
];
for (const text of DISTINCT) {
  test(`members that only look alike are read: ${text}`, () => assert.ok(parseExactJson(text) !== null));
}

test('only an object is an object', () => {
  const values = ['{}', '[]', 'null', '1', '"x"'].map(parseExactJson);
  assert.deepEqual(values.map(isExactJsonObject), [true, false, false, false, false]);
});

function toPlain(value: ExactJson): unknown {
  if (value instanceof NumberText) return Number(value.text);
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isExactJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlain(member)]));
}
