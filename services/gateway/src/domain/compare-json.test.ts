import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareJson } from './compare-json.ts';

test('every place that differs is named by its path, with the JSON of both sides', () => {
  const stored = '{"a":1,"gone":true,"list":[{"apr":0.1},{"apr":0.2}],"same":{"x":[]}}';
  const repriced = '{"a":"1","list":[{"apr":0.1},{"apr":0.25},null],"same":{"x":[]},"new":{"y":1}}';
  assert.deepEqual(compareJson(stored, repriced), [
    { param: 'a', stored: '1', repriced: '"1"' },
    { param: 'gone', stored: 'true', repriced: '' },
    { param: 'list[1].apr', stored: '0.2', repriced: '0.25' },
    { param: 'list[2]', stored: '', repriced: 'null' },
    { param: 'new', stored: '', repriced: '{"y":1}' },
  ]);
});

test('a list in the place of an object is one difference', () => {
  assert.deepEqual(compareJson('{"a":[]}', '{"a":{}}'), [{ param: 'a', stored: '[]', repriced: '{}' }]);
});

const SAME_VALUES_OTHER_BYTES: readonly [string, string][] = [
  ['{"a":1, "b":2}', '{"a":1,"b":2}'],
  ['{"b":2,"a":1}', '{"a":1,"b":2}'],
  ['{"a":1,"a":1}', '{"a":1}'],
  ['{"a":1.0}', '{"a":1}'],
];
for (const [stored, repriced] of [...SAME_VALUES_OTHER_BYTES, ['{"a":', '{"a":1}'], ['', '{}']] as const) {
  test(`${stored || 'nothing'} in the place of ${repriced} is told where the texts part`, () => {
    const whole = [{ param: '', stored: JSON.stringify(stored), repriced: JSON.stringify(repriced) }];
    assert.deepEqual(compareJson(stored, repriced), whole);
  });
}

test('of long texts that differ in spelling, the surroundings of the first difference are shown', () => {
  const repriced = JSON.stringify({ before: 'x'.repeat(500), apr: 0.1, after: 'y'.repeat(500) });
  const [difference, ...others] = compareJson(repriced.replace(':0.1,', ': 0.1,'), repriced);
  assert.match(difference?.stored ?? '', /^".{0,30}apr.{0,4}: 0\.1,.{0,80}"$/);
  assert.ok((difference?.repriced.length ?? 0) < 120 && others.length === 0);
});

test('a text differs from itself nowhere, and from any other somewhere', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
  fc.assert(
    fc.property(object, object, (one, other) => {
      assert.deepEqual(compareJson(one, one), []);
      assert.equal(compareJson(one, other).length > 0, one !== other);
    }),
  );
});

test('a member called __proto__ is a member like any other', () => {
  assert.deepEqual(compareJson('{"__proto__":1}', '{}'), [{ param: '__proto__', stored: '1', repriced: '' }]);
});
