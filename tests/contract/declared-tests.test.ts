import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { problemOf, testsIn } from './declared-tests.ts';

const FORMS = String.raw`
  describe('a group', () => {
    it('a test', () => {});
    it("somebody's test", async () => {});
    test(
      'a long one',
      () => {},
    );
    for (const x of [1]) test(${'`'}the ${'$'}{x} of a table${'`'}, () => assert.ok('no name'));
    it('it\'s quoted', () => {});
  });`;
const WRAPPER = "holds('a promise', 1); function holds(promise, x) { test(promise, () => {}); }";
const SKIPPED = [
  "it.skip('x', () => {});",
  "describe.skip('x', () => {});",
  "test.todo('x');",
  "it('x', (t) => t.skip());",
  "it('x', { skip: true }, () => {});",
  "it('x', { todo: 'later' }, () => {});",
];

describe('what a test file declares', () => {
  it('is every test and group under the name that the source writes', () => {
    const names = ['a group', 'a test', "somebody's test", 'a long one', 'the ${x} of a table', "it's quoted"];
    assert.deepEqual([...testsIn(FORMS).names], names);
  });

  it('is any text where names are handed on', () => {
    assert.ok(testsIn(WRAPPER).names.has('a promise'));
  });

  it('is found to be skipped, but not where that depends on what is there', () => {
    for (const text of SKIPPED) assert.equal(testsIn(text).skips, true, text);
    assert.equal(testsIn("describe('x', { skip: WITHOUT_MONGO }, () => {});").skips, false);
  });
});

describe('a test that is named', () => {
  const file = 'tests/contract/declared-tests.test.ts';
  const known = { file: 'tests/contract/coverage.test.ts', name: 'name every detail code' };

  it('has no problem where it is there', () => {
    assert.equal(problemOf(known), null);
    assert.equal(problemOf({ ...known, near: 'DETAIL_CODES' }), null);
  });

  it('has one where its file, its name or the text near it is not there', () => {
    assert.equal(problemOf({ ...known, file: 'tests/none.test.ts' }), 'there is no tests/none.test.ts');
    assert.equal(problemOf({ ...known, name: 'name' }), `${known.file} has no test "name"`);
    assert.equal(problemOf({ ...known, near: 'no such text' }), `${known.file} says nowhere "no such text"`);
    assert.equal(problemOf({ file, name: 'a test' }), `${file} skips a test`);
  });
});
