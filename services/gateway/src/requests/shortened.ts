/** Enough to recognise what was sent; a message never carries more of it. */
const MAX_SHOWN = 40;

/** `text` in double quotes with whatever cannot be printed escaped, cut to 40 characters. */
export function shortened(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text);
}
