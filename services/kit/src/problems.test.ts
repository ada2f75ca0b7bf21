import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Place, validationFailed } from './problems.ts';

const PATHS: readonly (readonly [path: string, place: (whole: Place) => Place])[] = [
  ['policies[0].premium', (whole) => whole.member('policies').item(0).member('premium')],
  ['metadata["odd key"]', (whole) => whole.member('metadata').member('odd key')],
  ['metadata[""]', (whole) => whole.member('metadata').member('')],
  ['metadata["a.b"]', (whole) => whole.member('metadata').member('a.b')],
  ['metadata["2"]', (whole) => whole.member('metadata').member('2')],
  ['metadata["\\u0000"]', (whole) => whole.member('metadata').member('\0')],
  [`metadata["${'x'.repeat(39)}…"]`, (whole) => whole.member('metadata').member('x'.repeat(100_000))],
  ['__proto__', (whole) => whole.member('__proto__')],
];
for (const [path, placeIn] of PATHS) {
  test(`a problem is told at ${path}`, () => {
    const whole = Place.whole('The body');
    placeIn(whole).refuse('INVALID_VALUE', 'must not be blank.');
    assert.deepEqual(whole.problems, [{ code: 'INVALID_VALUE', param: path, message: `${path} must not be blank.` }]);
  });
}

test('a problem of the whole has no param and names the whole', () => {
  const whole = Place.whole('The body');
  whole.refuse('INVALID_TYPE', 'must be an object.');
  assert.deepEqual(whole.problems, [{ code: 'INVALID_TYPE', message: 'The body must be an object.' }]);
});

test('the refusal tells every problem in the order found, and the first at its head', () => {
  const whole = Place.whole('The body');
  whole.member('b').refuse('REQUIRED', 'is required.');
  whole.member('a').refuse('TOO_LONG', 'is too long.');
  const { code, message, param, details } = validationFailed(whole.problems);
  assert.deepEqual([code, message, param], ['VALIDATION_FAILED', 'b is required.', 'b']);
  assert.deepEqual(details, whole.problems);
});

test('of more than 1,000 problems the first are told, and that they are not all', () => {
  const whole = Place.whole('The body');
  for (let index = 0; index <= 1_000; index += 1) whole.item(index).refuse('REQUIRED', 'is required.');
  const { message, details } = validationFailed(whole.problems);
  assert.deepEqual([details.length, details.at(-1)?.param], [1_000, '[999]']);
  assert.equal(message, '[0] is required. Only the first 1000 problems are listed.');
});

test('what has no problems cannot be refused', () => {
  assert.throws(() => validationFailed([]), TypeError);
});
