import type { ErrorDetail } from '@pfq/kit/errors';

/** The codes of problems that an application can have, a part of those that the public API has. */
type ProblemCode =
  | 'REQUIRED'
  | 'INVALID_FORMAT'
  | 'INVALID_VALUE'
  | 'OUT_OF_RANGE'
  | 'TOO_LONG'
  | 'TOO_FEW'
  | 'TOO_MANY';

/** Enough to recognise what was sent; a message never carries more of it. */
const SHOWN_LENGTH = 40;

/** Where in a request the walk stands, in the words of the public API: `applications[2].policies[0].total`. */
export class Place {
  readonly param: string;
  /** Of the whole request, in the order found. */
  readonly problems: ErrorDetail[];

  constructor(param: string, problems: ErrorDetail[]) {
    this.param = param;
    this.problems = problems;
  }

  member(path: string): Place {
    return new Place(`${this.param}.${path}`, this.problems);
  }

  item(index: number): Place {
    return new Place(`${this.param}[${index}]`, this.problems);
  }

  /** A member whose name is anyone's. */
  named(name: string): Place {
    return new Place(`${this.param}[${shown(name)}]`, this.problems);
  }

  /** Notes a problem. `what` goes on where the name of the place ends: "must not be blank." */
  refuse(code: ProblemCode, what: string): void {
    this.problems.push({ code, param: this.param, message: `${this.param} ${what}` });
  }
}

/** A text in double quotes, cut short, with whatever cannot be printed escaped. */
export function shown(text: string): string {
  return JSON.stringify(text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH - 1)}…` : text);
}
