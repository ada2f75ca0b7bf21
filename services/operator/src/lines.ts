import type { FileHandle } from 'node:fs/promises';

/** One line of a file without its end; null where it is longer than MAX_LINE_BYTES. */
export type Line = { readonly number: number; readonly bytes: Buffer | null };

/** Longer than any sensible line, and short enough to be kept in memory. */
export const MAX_LINE_BYTES = 1024 * 1024;

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\u{FEFF}');

/** Reads an open file from its beginning, after any byte order mark, line by line in bounded memory. */
export async function* readLines(file: FileHandle): AsyncGenerator<Line> {
  const line = new LineInMaking();
  let isBeginning = true;
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 * 1024 })) {
    const bytes: Buffer = chunk;
    const isMarked = isBeginning && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    let start = isMarked ? BYTE_ORDER_MARK.length : 0;
    isBeginning = false;
    for (let end = bytes.indexOf(LINE_FEED, start); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      line.add(bytes.subarray(start, end));
      yield line.end();
      start = end + 1;
    }
    line.add(bytes.subarray(start));
  }
  yield line.end();
}

class LineInMaking {
  #pieces: Buffer[] = [];
  #length = 0;
  #number = 1;

  add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > MAX_LINE_BYTES) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  end(): Line {
    const ended = { number: this.#number, bytes: this.#length > MAX_LINE_BYTES ? null : Buffer.concat(this.#pieces) };
    this.#pieces = [];
    this.#length = 0;
    this.#number += 1;
    return ended;
  }
}
