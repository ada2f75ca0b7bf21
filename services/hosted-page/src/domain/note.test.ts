import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_NOTE_LENGTH, readNote } from './note.ts';

const FAMILY = '👨‍👩‍👧';

const CASES: readonly (readonly [what: string, typed: string, reading: ReturnType<typeof readNote>])[] = [
  ['nothing', '', { kind: 'note', note: '' }],
  ['blanks alone', ' \r\n\t ', { kind: 'note', note: '' }],
  ['blanks around', '  Call me.\r\n', { kind: 'note', note: 'Call me.' }],
  ['line breaks as browsers send them', 'a\r\n\r\nb\rc', { kind: 'note', note: 'a\n\nb\nc' }],
  ['a tab', 'a\tb', { kind: 'note', note: 'a\tb' }],
  ['500 letters', 'x'.repeat(500), { kind: 'note', note: 'x'.repeat(500) }],
  ['501 letters', 'x'.repeat(501), { kind: 'note-too-long', length: 501 }],
  ['500 emoji', '🏠'.repeat(500), { kind: 'note', note: '🏠'.repeat(500) }],
  ['501 emoji', '🏠'.repeat(501), { kind: 'note-too-long', length: 501 }],
  ['emoji that are made of several', FAMILY, { kind: 'note', note: FAMILY }],
  ['500 line breaks between two letters', `a${'\r\n'.repeat(500)}b`, { kind: 'note-too-long', length: 502 }],
  ['NUL', 'a\0b', { kind: 'note-unreadable' }],
  ['a bell', 'a\u0007b', { kind: 'note-unreadable' }],
  ['a control character of the second block', 'a\u0085b', { kind: 'note-unreadable' }],
  ['half of a surrogate pair', 'a\ud83c', { kind: 'note-unreadable' }],
  ['what a browser sends for such a half', 'a\ufffd', { kind: 'note-unreadable' }],
];
for (const [what, typed, reading] of CASES) {
  test(`a note of ${what} is read as ${reading.kind}`, () => assert.deepEqual(readNote(typed), reading));
}

const typedTexts = fc
  .array(fc.constantFrom('a', ' ', '\n', '\r', '\t', '\u00a0', '\0', '🏠', '\ud83c', '\ufffd', '\u0085'), {
    maxLength: 1_200,
  })
  .map((characters) => characters.join(''));

test('whatever was typed, what is kept is read again as itself, has no blank ends and at most 500 characters', () => {
  fc.assert(
    fc.property(typedTexts, (typed) => {
      const reading = readNote(typed);
      if (reading.kind !== 'note') return;
      assert.deepEqual(readNote(reading.note), reading);
      assert.equal(reading.note, reading.note.trim());
      assert.ok(Array.from(reading.note).length <= MAX_NOTE_LENGTH);
    }),
  );
});
