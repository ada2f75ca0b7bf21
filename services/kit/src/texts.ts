/** Enough to recognise what was sent; a message never carries more of it. */
const MAX_SHOWN = 40;

/** `text` in double quotes, cut to 40 characters, with whatever cannot be printed escaped. */
export function shortened(text: string): string {
  return JSON.stringify(cut(text));
}

/** The first 40 characters of `text`. */
export function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}

/** What makes a text unfit to be kept, for a message: PostgreSQL cannot keep NUL, UTF-8 not half a surrogate pair. */
export function flawIn(text: string): string | null {
  if (text.includes('\0')) return 'the character NUL (U+0000)';
  return text.isWellFormed() ? null : 'half of a surrogate pair';
}

/** Whether a text has more than `most` code points; the long count is taken only where the short one leaves a doubt. */
export function isLonger(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || Array.from(text).length > most);
}
