import type { ErrorCode } from '@pfq/kit/error-codes';
import { ServiceError } from '@pfq/kit/errors';
import { count } from '@pfq/kit/telemetry/metrics';
import type { Answer } from './answer.ts';

const REFUSALS: { readonly [C in ErrorCode]?: 'key_reused' | 'in_progress' | 'record_lost' } = {
  IDEMPOTENCY_KEY_REUSED: 'key_reused',
  IDEMPOTENCY_REQUEST_IN_PROGRESS: 'in_progress',
  IDEMPOTENCY_RECORD_LOST: 'record_lost',
};

/**
 * Counts what became of a request that came with an Idempotency-Key: whoever held its key was performed, unless the key was
 * lost meanwhile, and so was one that was refused as it would have been without a key. Not counted where the key store is away.
 */
export async function countingOutcomes(work: (hold: () => void) => Promise<Answer>): Promise<Answer> {
  let isHolder = false;
  try {
    const answer = await work(() => (isHolder = true));
    countOutcome(answer.replay ? 'replayed' : 'performed');
    return answer;
  } catch (error) {
    const refusal = error instanceof ServiceError ? REFUSALS[error.code] : undefined;
    if (refusal) countOutcome(refusal);
    else if (isHolder) countOutcome('performed');
    throw error;
  }
}

function countOutcome(outcome: string): void {
  count('pfq.idempotency.outcomes', { 'pfq.idempotency.outcome': outcome });
}
