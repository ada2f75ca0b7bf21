import { ConfigError } from '@pfq/kit/config';
import { OutcomeUnknownError, ServiceError } from '@pfq/kit/errors';
import { asOneLine } from './output.ts';

/** What the command cannot do, in one line for people that says what to do about it. */
export class CommandFailure extends Error {
  constructor(line: string, cause?: unknown) {
    super(line, { cause });
    this.name = 'CommandFailure';
  }
}

/** Work that somebody ended before it was done. */
export class Stopped extends CommandFailure {}

/** A file of which nothing is taken: one line, and under it one for each problem that there is room for. */
export class BadFile extends CommandFailure {
  readonly problems: readonly string[];

  constructor(line: string, problems: readonly string[]) {
    super(line);
    this.name = 'BadFile';
    this.problems = problems;
  }
}

/** The part of an answer that every service of this version sends. */
export function present<T>(part: T | undefined): T {
  if (part === undefined) throw new CommandFailure('the answer lacks a part: is the service older than this command?');
  return part;
}

const MOST_PROBLEMS_SHOWN = 5;

/** One line for whatever a command failed with; under it, for a bad file, a line for each problem. */
export function describeFailure(error: unknown): string {
  if (error instanceof BadFile) return [error.message, ...error.problems].map(asOneLine).join('\n  ');
  if (error instanceof ConfigError) return asOneLine(error.problems.join('; '));
  if (error instanceof ServiceError) return asOneLine(describeServiceError(error));
  if (error instanceof CommandFailure || error instanceof OutcomeUnknownError) return asOneLine(error.message);
  return asOneLine(`this is a bug of pfq: ${error instanceof Error ? error.message : String(error)}`);
}

function describeServiceError({ message, details }: ServiceError): string {
  const problems = details.map((problem) => {
    const { param } = problem;
    return param === undefined || problem.message.includes(param) ? problem.message : `${param}: ${problem.message}`;
  });
  if (problems.length === 0) return message;
  const hidden = problems.length - MOST_PROBLEMS_SHOWN;
  const shown = problems.slice(0, MOST_PROBLEMS_SHOWN).join(' ');
  return hidden > 0 ? `${shown} (and ${hidden} more)` : shown;
}
