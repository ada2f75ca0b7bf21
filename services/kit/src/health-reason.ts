import { ServiceError } from './errors.ts';
import { redact } from './redact.ts';

/** Why a look failed, without anything secret. What was worded for callers gives way to its cause. */
export function reasonOf(error: unknown): string {
  if (error instanceof ServiceError && error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return redact(error instanceof Error ? error.message || error.name : String(error));
}
