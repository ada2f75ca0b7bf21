import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@pfq/kit/errors';

const LONGEST = 255;

/**
 * The Idempotency-Key of a write as it was sent, but for the white space around a header's value, which HTTP does not
 * count; null where there is none. Throws IDEMPOTENCY_KEY_INVALID.
 */
export function readIdempotencyKey({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): string | null {
  const [key, ...others] = headersDistinct['idempotency-key'] ?? [];
  if (key === undefined) return null;
  if (others.length > 0) throw invalid(`was sent ${others.length + 1} times. Send it once`);
  if (key === '') throw invalid(`is empty. Send 1 to ${LONGEST} characters, or leave the header out`);
  if (key.length > LONGEST) throw invalid(`has ${key.length} characters. Send ${LONGEST} at most`);
  if (!/^[ -~]+$/.test(key)) throw invalid('must be printable ASCII: letters, digits, punctuation and spaces');
  return key;
}

function invalid(problem: string): ServiceError {
  return new ServiceError('IDEMPOTENCY_KEY_INVALID', { message: `Idempotency-Key ${problem}.` });
}
