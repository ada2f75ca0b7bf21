import { newId } from '@pfq/kit/ids';
import type { KeptRequest } from './domain/kept-request.ts';

export const SENDER = { agencyId: 'agy_1', mode: 'test', keyId: 'key_1' } as const;

/** A quote made at a time, but for `changes`. */
export function keptRequest(at: Date, changes: Partial<KeptRequest> = {}): KeptRequest {
  return {
    requestId: newId('req_', at.getTime()),
    receivedAt: at,
    method: 'POST',
    path: '/v1/quotes',
    route: '/v1/quotes',
    status: 201,
    durationUs: 12_345,
    errorCode: null,
    sender: SENDER,
    quoteId: newId('qte_', at.getTime()),
    apiVersion: '2026-09-23',
    hasIdempotencyKey: false,
    replayOf: null,
    traceId: null,
    ...changes,
  };
}
