import { ServiceError } from '@pfq/kit/errors';
import type { ErrorDetail } from '@pfq/kit/errors';
import { isScope, SCOPES } from './scopes.ts';

const NAME_LENGTH = 200;
const EMAIL_LENGTH = 255;
const EMAIL = /^[^\s@<>",;:\\()[\]]+@[^\s@<>",;:\\()[\]]+$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

type Fields = {
  readonly name?: string;
  readonly email?: string;
  readonly brokerEmail?: string;
  readonly scopes?: readonly string[];
  readonly expiresOn?: string | undefined;
};

/** Refuses what the operator sent for a new agency, broker or key, with every problem at once. */
export function requireValidFields(fields: Fields): void {
  const details = [
    ...problem('name', 'INVALID_VALUE', fields.name !== undefined && nameProblem(fields.name)),
    ...problem('email', 'INVALID_FORMAT', fields.email !== undefined && emailProblem(fields.email)),
    ...problem('broker_email', 'INVALID_FORMAT', fields.brokerEmail !== undefined && emailProblem(fields.brokerEmail)),
    ...(fields.scopes ?? []).flatMap((scope, index) =>
      problem(`scopes[${index}]`, 'INVALID_VALUE', scopeProblem(scope)),
    ),
    ...problem('expires_on', 'INVALID_FORMAT', fields.expiresOn !== undefined && dateProblem(fields.expiresOn)),
  ];
  const [first] = details;
  if (first) throw new ServiceError('VALIDATION_FAILED', { message: first.message, param: first.param, details });
}

function problem(param: string, code: string, message: string | false): ErrorDetail[] {
  return message === false ? [] : [{ code, param, message }];
}

function nameProblem(name: string): string | false {
  const fits = name.trim() !== '' && name.length <= NAME_LENGTH && !name.includes('\0');
  return !fits && `name must not be blank and has at most ${NAME_LENGTH} characters.`;
}

function emailProblem(email: string): string | false {
  const fits = EMAIL.test(email) && email.length <= EMAIL_LENGTH && !email.includes('\0');
  return !fits && `"${email.slice(0, 60)}" is not an email address such as ann@agency.example.`;
}

function scopeProblem(scope: string): string | false {
  return !isScope(scope) && `"${scope.slice(0, 60)}" is not a scope. The scopes are ${SCOPES.join(', ')}.`;
}

function dateProblem(date: string): string | false {
  const parsed = new Date(`${date}T00:00:00Z`);
  const real = DATE.test(date) && !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
  return !real && `"${date.slice(0, 60)}" is not a real date written YYYY-MM-DD.`;
}
