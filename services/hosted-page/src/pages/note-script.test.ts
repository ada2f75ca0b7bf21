import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { NOTE_SCRIPT } from './note-script.ts';

test('the counter counts code points, line breaks as one, blank ends not at all', () => {
  for (const [note, shown] of [
    ['', '0 of 500'],
    ['  two  ', '3 of 500'],
    ['a\r\nb', '3 of 500'],
    ['👩‍🚀', '3 of 500'],
    ['x'.repeat(500), '500 of 500'],
    ['x'.repeat(512), '512 of 500: 12 too many'],
  ] as const) {
    assert.equal(count(note).textContent, shown);
  }
});

test('the counter agrees with the server about every note', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (note) => {
      const length = Array.from(note.replaceAll('\r\n', '\n').replaceAll('\r', '\n').trim()).length;
      assert.match(count(note).textContent, new RegExp(`^${length} of 500`));
    }),
  );
});

test('the counter shows itself, and speaks up only near the end', () => {
  assert.deepEqual(count('short'), { textContent: '5 of 500', className: 'count', hidden: false, live: 'off' });
  assert.equal(count('x'.repeat(451)).live, 'polite');
  assert.equal(count('x'.repeat(501)).className, 'count problem');
});

/** What the counter has become once the note was typed. */
function count(note: string): { textContent: string; className: string; hidden: boolean; live: string } {
  const shown = { textContent: '', className: 'count', hidden: true, live: 'off' };
  const counter = Object.assign(shown, {
    dataset: { most: '500', counted: '# of 500', overlong: '# of 500: ~ too many' },
    setAttribute: (_name: string, value: string) => (shown.live = value),
  });
  const field = {
    value: '',
    listeners: [() => {}],
    addEventListener: (_: string, f: () => void) => field.listeners.push(f),
  };
  runInNewContext(NOTE_SCRIPT, { document: { getElementById: (id: string) => (id === 'note' ? field : counter) } });
  field.value = note;
  for (const listener of field.listeners) listener();
  const { textContent, className, hidden, live } = shown;
  return { textContent, className, hidden, live };
}
