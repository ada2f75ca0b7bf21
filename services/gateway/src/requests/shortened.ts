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
