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
const TABLES = `
const NAMED = [
  ['the first', 'no name', ['nor this']],
  [
    "the second's",
    'no name either',
  ],
];
const GROUPS = {
  'a group of rows': [
    ['no test', 1],
  ],
};
const OTHER = ['elsewhere'];
for (const [promise, text] of NAMED) {
  it(promise, () => assert.equal(text, 'in a body'));
}
for (const [promise, rows] of Object.entries(GROUPS)) {
  describe(promise, () => {
    for (const [text, number] of rows) {
      it(text + number, () => {});
    }
  });
}
for (const [what, number] of [
  ['some text', 1],
  ['another text', 2],
] as const) {
  it('is a test of ' + what, () => {});
  it('reads', () => {});
}
for (const one of [...OTHER, 'here']) test('finds', () => assert.ok('in a body'));
it('stands alone', () => {});
function holds(promise) {
  test(promise, () => {});
}
holds('a promise that is handed on');
`;
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
    assert.deepEqual(namesIn(FORMS), names);
  });

  it('is what each case begins with, where a loop hands names on, and no other text', () => {
    assert.deepEqual(namesIn(TABLES).slice(0, 3), ['the first', "the second's", 'a group of rows']);
    assert.deepEqual(namesIn(TABLES).slice(3), ['is a test of ', 'reads', 'finds', 'stands alone']);
  });

  const cases: readonly (readonly [name: string, inside: readonly string[], outside: readonly string[]])[] = [
    ['reads', ['some text', "['another text', 2]"], ['the first', 'elsewhere', 'reads']],
    ['finds', ['here', 'elsewhere'], ['in a body', 'some text']],
    ["the second's", ['no name either', 'nor this'], ['in a body', 'no test']],
    ['stands alone', [], ['here', 'stands alone']],
  ];
  for (const [name, inside, outside] of cases) {
    it(`has as its cases what the loops around it go through: ${name}`, () => {
      const tables =
        testsIn(TABLES)
          .tests.find((test) => test.name === name)
          ?.tables.join('\n') ?? '';
      assert.deepEqual(
        [...inside, ...outside].filter((text) => tables.includes(text)),
        inside,
      );
    });
  }

  it('is found to be skipped, but not where that depends on what is there', () => {
    for (const text of SKIPPED) assert.equal(testsIn(text).skips, true, text);
    assert.equal(testsIn("describe('x', { skip: WITHOUT_MONGO }, () => {});").skips, false);
  });
});

describe('a test that is named', () => {
  const file = 'tests/contract/declared-tests.test.ts';
  const words = 'tests/contract/words.test.ts';
  const known = { file: 'tests/contract/coverage.test.ts', name: 'name every detail code' };

  it('has no problem where it is there', () => {
    assert.equal(problemOf(known), null);
    assert.equal(problemOf({ file: words, name: '${field} of ${schema}', near: "'created_via'" }), null);
  });

  it('has one where its file, its name or its case is not there', () => {
    assert.equal(problemOf({ ...known, file: 'tests/none.test.ts' }), 'there is no tests/none.test.ts');
    assert.equal(problemOf({ ...known, name: 'name' }), `${known.file} has no test "name"`);
    const elsewhere = { ...known, near: 'DETAIL_CODES' };
    assert.equal(problemOf(elsewhere), `${known.file} has no case "DETAIL_CODES" of "name every detail code"`);
    assert.equal(problemOf({ file, name: 'a test' }), `${file} skips a test`);
  });
});

function namesIn(text: string): readonly string[] {
  return testsIn(text).tests.map(({ name }) => name);
}
