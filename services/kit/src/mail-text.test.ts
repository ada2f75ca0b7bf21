import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toReply } from './mail-failure.ts';
import { oneLine, printableLines } from './mail-text.ts';

const LINES: readonly (readonly [given: string, line: string])[] = [
  ['Hill Country Roofing LLC', 'Hill Country Roofing LLC'],
  ['  two\r\nlines\u2028and more ', 'two lines and more'],
  ['a\0b\u202Ec\u2066d\uFEFFe\u{E0041}f', 'a b c d e f'],
  ['half \uD83D of a pair', 'half of a pair'],
  ['family 👩‍👩‍👧, Zürich, مكتب', 'family 👩‍👩‍👧, Zürich, مكتب'],
  ['1234567890'.repeat(5), `${'1234567890'.repeat(3)}123456789…`],
  ['𝔘'.repeat(41), `${'𝔘'.repeat(39)}…`],
];
for (const [given, line] of LINES) {
  test(`${JSON.stringify(given)} is one line: ${line}`, () => {
    assert.equal(oneLine(given, 40), line);
  });
}

test('the lines of a note are kept, each without what could hide or turn it', () => {
  const note = 'first\n\n  indented \r\nthird\u2028fourth\rfifth\u202E';
  assert.deepEqual(printableLines(note), ['first', '', '  indented', 'third', 'fourth', 'fifth']);
});

test('no text makes more than one line, or a longer one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.integer({ min: 1, max: 40 }), (text, most) => {
      const line = oneLine(text, most);
      assert.ok(Array.from(line).length <= most && line.isWellFormed());
      assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test('a reply is shown as one line without secrets, 300 characters at most', () => {
  assert.equal(toReply('535-no\r\n535 hunter2 is not it', ['hunter2', '']), '535-no 535 *** is not it');
  assert.equal(Array.from(toReply('5'.repeat(1_000), [])).length, 300);
});
