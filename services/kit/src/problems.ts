import type { DetailCode } from './detail-codes.ts';
import { ServiceError } from './errors.ts';
import type { ErrorDetail } from './errors.ts';
import { shortened } from './texts.ts';

/** More problems than this are not a mistake but noise, and listing them all would make an answer of many megabytes. */
const MAX_PROBLEMS = 1_000;

const IDENTIFIER = /^[A-Za-z_]\w{0,39}$/;

/** Where in what was sent a walk stands: a path such as `policies[0].premium`, and the problems found so far. */
export class Place {
  /** Empty for the whole. */
  readonly param: string;
  /** Of the whole, in the order found. */
  readonly problems: ErrorDetail[];
  readonly #whole: string;

  private constructor(param: string, { problems, whole }: { problems: ErrorDetail[]; whole: string }) {
    this.param = param;
    this.problems = problems;
    this.#whole = whole;
  }

  /** Where a walk begins; `name` begins the message of a problem with the whole: "The body". */
  static whole(name: string): Place {
    return new Place('', { problems: [], whole: name });
  }

  /** The member `name`: `insured.name`, or `metadata["odd key"]` where the name is no identifier or very long. */
  member(name: string): Place {
    if (!IDENTIFIER.test(name)) return this.#at(`${this.param}[${shortened(name)}]`);
    return this.#at(this.param === '' ? name : `${this.param}.${name}`);
  }

  item(index: number): Place {
    return this.#at(`${this.param}[${index}]`);
  }

  /** Notes a problem, up to 1,000. `what` goes on where the name of the place ends: "must be an object." Undefined: nothing was read. */
  refuse(code: DetailCode, what: string): undefined {
    if (this.problems.length === MAX_PROBLEMS) return;
    if (this.param === '') this.problems.push({ code, message: `${this.#whole} ${what}` });
    else this.problems.push({ code, param: this.param, message: `${this.param} ${what}` });
  }

  #at(param: string): Place {
    return new Place(param, { problems: this.problems, whole: this.#whole });
  }
}

/** The answer to what has problems; its message and param are those of the first. */
export function validationFailed(problems: readonly ErrorDetail[]): ServiceError {
  const [first] = problems;
  if (first === undefined) throw new TypeError('what has no problems was refused');
  const cut = problems.length < MAX_PROBLEMS ? '' : ` Only the first ${MAX_PROBLEMS} problems are listed.`;
  return new ServiceError('VALIDATION_FAILED', { message: first.message + cut, param: first.param, details: problems });
}
