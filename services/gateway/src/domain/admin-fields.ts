import { isCalendarDate } from '@pfq/kit/calendar-date';
import { isEmailAddress } from '@pfq/kit/email-address';
import { ServiceError } from '@pfq/kit/errors';
import type { ErrorDetail } from '@pfq/kit/errors';
import { isId } from '@pfq/kit/ids';
import { isLonger, shortened } from '@pfq/kit/texts';
import { isScope, SCOPES } from './scopes.ts';

/** In code points. */
const NAME_LENGTH = 200;
const CONTROL_CHARACTER = /\p{Cc}/u;

type Problem = ErrorDetail & { readonly param: string };

/** Refuses what the operator sent, with every problem at once. Throws VALIDATION_FAILED. */
export function requireNoProblems(problems: readonly (Problem | null)[]): void {
  const details = problems.filter((problem) => problem !== null);
  const [first] = details;
  if (first) throw new ServiceError('VALIDATION_FAILED', { message: first.message, param: first.param, details });
}

/** Refuses one field. */
export function refuseField(code: string, param: string, message: string): never {
  throw new ServiceError('VALIDATION_FAILED', { message, param, details: [{ code, param, message }] });
}

/** Refuses an id that cannot exist, as if it were looked up in vain. Throws NOT_FOUND. */
export function requireId(prefix: 'agy_' | 'key_', id: string): void {
  if (!isId(prefix, id)) throw missing(prefix === 'agy_' ? 'agency' : 'key', id);
}

export function missing(thing: 'agency' | 'broker' | 'key', name: string): ServiceError {
  return new ServiceError('NOT_FOUND', { message: `There is no ${thing} ${shortened(name)}.` });
}

export function nameProblem(param: string, name: string): Problem | null {
  if (name.trim() === '') return { code: 'INVALID_VALUE', param, message: `${param} must not be blank.` };
  if (CONTROL_CHARACTER.test(name))
    return { code: 'INVALID_VALUE', param, message: `${param} must not hold control characters.` };
  if (!isLonger(name, NAME_LENGTH)) return null;
  return { code: 'TOO_LONG', param, message: `${param} must be at most ${NAME_LENGTH} characters long.` };
}

export function emailProblem(param: string, email: string): Problem | null {
  if (isEmailAddress(email)) return null;
  const message = `${shortened(email)} is not an email address such as ann@agency.example.`;
  return { code: 'INVALID_FORMAT', param, message };
}

export function scopeProblems(param: string, scopes: readonly string[]): (Problem | null)[] {
  return scopes.map((scope, index) => {
    const message = `${shortened(scope)} is not a scope. The scopes are ${SCOPES.join(', ')}.`;
    return isScope(scope) ? null : { code: 'INVALID_VALUE', param: `${param}[${index}]`, message };
  });
}

export function dateProblem(param: string, date: string | undefined): Problem | null {
  if (date === undefined || isCalendarDate(date)) return null;
  return {
    code: 'INVALID_FORMAT',
    param,
    message: `${shortened(date)} is not a date that exists, written YYYY-MM-DD.`,
  };
}
