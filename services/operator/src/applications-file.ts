import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { readApplicationLine, type IncomingApplication } from './application-line.ts';
import { MAX_LINE_BYTES, readLines } from './lines.ts';

/** One application of the file. */
export type Entry = {
  readonly line: number;
  readonly id: string;
  readonly agencyId: string;
  readonly application: IncomingApplication;
};

/** Something wrong with a line, in words that name the line. */
export type LineProblem = { readonly line: number; readonly text: string };

/** Lines that go to the application service together. */
export type Batch = {
  /** Those whose form is right, in the order of their lines. */
  readonly entries: readonly Entry[];
  /** What is wrong with the form of the others. */
  readonly problems: readonly LineProblem[];
  /** Tells these lines from any others. */
  readonly digest: string;
};

/** What the application service takes in one call, and half of what any gRPC peer takes in one message. */
const MAX_LINES = 500;
const MAX_BYTES = 2 * 1024 * 1024;
const BLANKS: ReadonlySet<number> = new Set(Buffer.from(' \t\r'));

/** Reads an applications file from its beginning; blank lines are passed over. Only one batch at a time is in memory. */
export async function* readBatches(file: FileHandle): AsyncGenerator<Batch> {
  let batch = new BatchInMaking();
  for await (const { number, bytes } of readLines(file)) {
    if (bytes?.every((byte) => BLANKS.has(byte))) continue;
    if (!batch.hasRoomFor(bytes)) {
      yield batch.end();
      batch = new BatchInMaking();
    }
    batch.add(number, bytes);
  }
  if (!batch.isEmpty()) yield batch.end();
}

export function problemOf(line: number, text: string): LineProblem {
  return { line, text: `line ${line}: ${text}` };
}

class BatchInMaking {
  #lines = 0;
  #bytes = 0;
  readonly #entries: Entry[] = [];
  readonly #problems: LineProblem[] = [];
  readonly #digest = createHash('sha256');

  isEmpty(): boolean {
    return this.#lines === 0;
  }

  /** Always, while it is empty: a batch is larger than a line. */
  hasRoomFor(bytes: Buffer | null): boolean {
    return this.#lines < MAX_LINES && this.#bytes + (bytes?.length ?? 0) <= MAX_BYTES;
  }

  add(number: number, bytes: Buffer | null): void {
    this.#lines += 1;
    if (bytes === null) {
      this.#problems.push(problemOf(number, `it is longer than ${MAX_LINE_BYTES} bytes.`));
      return;
    }
    this.#bytes += bytes.length;
    this.#digest.update(bytes).update('\n');
    const read = readApplicationLine(bytes);
    if ('application' in read) this.#entries.push({ line: number, ...read });
    else this.#problems.push(...read.problems.map((problem) => problemOf(number, problem)));
  }

  end(): Batch {
    return { entries: this.#entries, problems: this.#problems, digest: this.#digest.digest('base64') };
  }
}
