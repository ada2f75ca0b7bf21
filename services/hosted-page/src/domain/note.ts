/** The longest note, in Unicode code points. */
export const MAX_NOTE_LENGTH = 500;

/** A note as it is kept, with line breaks of one character; empty where none was written. */
export type NoteReading =
  | { readonly kind: 'note'; readonly note: string }
  | { readonly kind: 'note-too-long'; readonly length: number }
  | { readonly kind: 'note-unreadable' };

/**
 * Control characters, but for tab and line break; halves of surrogate pairs; and the character that browsers send in place of
 * such a half, or of bytes that are no text.
 */
const UNREADABLE = /[^\P{Cc}\t\n]|\p{Cs}|\uFFFD/u;

/** Reads what was typed into the note; blanks around it do not count. */
export function readNote(typed: string): NoteReading {
  const note = typed.replace(/\r\n?/g, '\n').trim();
  const length = Array.from(note).length;
  if (length > MAX_NOTE_LENGTH) return { kind: 'note-too-long', length };
  return UNREADABLE.test(note) ? { kind: 'note-unreadable' } : { kind: 'note', note };
}
