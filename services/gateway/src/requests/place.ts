import type { ErrorDetail } from '@pfq/kit/errors';
import type { DetailCode } from './detail-codes.ts';
import { JsonNumber, JsonObject } from './json.ts';
import type { JsonValue } from './json.ts';
import { shortened } from './shortened.ts';

/** More problems than this are not a mistake but noise, and listing them all would make an answer of many megabytes. */
export const MAX_PROBLEMS = 1_000;

const IDENTIFIER = /^[A-Za-z_]\w{0,39}$/;

/** Where in the body the walk stands: a path such as `policies[0].premium`, and the problems found so far. */
export class Place {
  /** Empty for the body itself. */
  readonly param: string;
  readonly problems: ErrorDetail[];

  constructor(param: string, problems: ErrorDetail[]) {
    this.param = param;
    this.problems = problems;
  }

  /** The member `name`: `insured.name`, or `metadata["odd key"]` where the name is no identifier or very long. */
  member(name: string): Place {
    if (!IDENTIFIER.test(name)) return new Place(`${this.param}[${shortened(name)}]`, this.problems);
    return new Place(this.param === '' ? name : `${this.param}.${name}`, this.problems);
  }

  item(index: number): Place {
    return new Place(`${this.param}[${index}]`, this.problems);
  }

  /** Notes a problem, up to MAX_PROBLEMS. `what` goes on where the name of the place ends: "must be an object." Undefined: nothing was read. */
  refuse(code: DetailCode, what: string): undefined {
    if (this.problems.length === MAX_PROBLEMS) return;
    if (this.param === '') this.problems.push({ code, message: `The body ${what}` });
    else this.problems.push({ code, param: this.param, message: `${this.param} ${what}` });
  }
}

/** What was sent, for a message about its type: "a number". */
export function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'a string';
  if (typeof value === 'boolean') return 'a boolean';
  if (value instanceof JsonNumber) return 'a number';
  return value instanceof JsonObject ? 'an object' : 'an array';
}
