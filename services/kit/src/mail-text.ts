/**
 * What must not reach a header or a line of its own: control characters, every kind of line end, halves of surrogate
 * pairs, and what is invisible or turns the direction of its surroundings; not the joiners that emoji are made with.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}[\p{Cf}--[\u{200C}\u{200D}]]]+/gv;

/** `text` as one line of at most `most` code points, the last of them "…" where something was cut off. */
export function oneLine(text: string, most: number): string {
  const points = Array.from(text.replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim());
  return points.length > most
    ? `${points
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    : points.join('');
}

/** The lines of `text`, each without what cannot be printed; spaces stay as they were typed. */
export function printableLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/);
  return lines.map((line) => line.replace(UNPRINTABLE, ' ').trimEnd());
}
