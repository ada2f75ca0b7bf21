/** Something outside the program stands in the way. The message is the one line that a person is shown. */
export class Problem extends Error {
  constructor(line: string, cause?: unknown) {
    super(line, { cause });
    this.name = 'Problem';
  }
}
