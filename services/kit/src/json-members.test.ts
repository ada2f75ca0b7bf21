import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readMembers } from './json-members.ts';
import type { Members } from './json-members.ts';

const read = (...runs: readonly string[]): Members => readMembers(...runs.map((run) => Buffer.from(run)));

test('the inside of an object is read in as many runs as it is stored in', () => {
  const members = read('"a":"x","none":null', '"b":{"c":[{"d":0.1690},{"d":2}]}', '"at":"2026-11-20T15:04:05.678Z"');
  assert.equal(members.text('a'), 'x');
  assert.deepEqual([members.textOrNull('none'), members.textOrNull('a')], [null, 'x']);
  const [first, second] = members.object('b').objects('c');
  assert.equal(first?.number('d'), '0.1690', 'the digits as they are stored');
  assert.equal(second?.wholeNumber('d'), 2);
  assert.deepEqual(members.instant('at'), new Date('2026-11-20T15:04:05.678Z'));
});

test('a fraction of four decimals is its basis points exactly', () => {
  fc.assert(
    fc.property(fc.nat(99_999_999), (points) => {
      const digits = String(points).padStart(5, '0');
      assert.equal(
        read(`"rate":${digits.slice(0, -4).replace(/^0+(?=\d)/, '')}.${digits.slice(-4)}`).basisPoints('rate'),
        points,
      );
    }),
  );
});

const WRONG: readonly (readonly [json: string, read: (members: Members) => unknown, message: RegExp])[] = [
  ['"a":1', (members) => members.text('a'), /not a string: a$/],
  ['', (members) => members.textOrNull('a'), /not a string: a$/],
  ['"a":"1"', (members) => members.money('a'), /not an amount: a$/],
  ['"a":"0.1"', (members) => members.number('a'), /not a number: a$/],
  ['"a":1.5', (members) => members.wholeNumber('a'), /not a whole number: a$/],
  ['"a":"1"', (members) => members.wholeNumber('a'), /not a whole number: a$/],
  ['"a":null', (members) => members.basisPoints('a'), /not a number: a$/],
  ['"a":"soon"', (members) => members.instant('a'), /not an instant: a$/],
  ['"a":[]', (members) => members.object('a'), /not an object: a$/],
  ['"a":{}', (members) => members.objects('a'), /not an array: a$/],
  ['"a":[{},1]', (members) => members.objects('a'), /not an object: a\[1\]$/],
  ['"a":[{"b":{}}]', (members) => members.objects('a')[0]?.object('b').text('c'), /not a string: a\[0\]\.b\.c$/],
];
for (const [json, reading, message] of WRONG) {
  test(`{${json}} read as something else is an error that says where: ${message}`, () => {
    assert.throws(() => reading(read(json)), message);
  });
}
