import { ServiceError } from '@pfq/kit/errors';
import type { Mode } from './agency.ts';

/** The key of an agency in one mode, and who holds it: an owner is drawn for one attempt and never again. */
export type KeyHolder = {
  readonly agencyId: string;
  readonly mode: Mode;
  readonly key: string;
  readonly owner: string;
};

/** What must be the same for a request to be a repetition of another. */
export type Fingerprint = {
  readonly method: string;
  /** As sent, not decoded, without the query. */
  readonly path: string;
  /** SHA-256 of the body's bytes. */
  readonly bodyHash: Buffer;
  /** The acting broker. */
  readonly brokerId: string;
};

/** An attempt of a request to hold a key for one write; `writeId` is the id of what it will make. */
export type Claim = KeyHolder & Fingerprint & { readonly writeId: string; readonly requestId: string };

/** What a repetition is answered with. */
export type RecordedAnswer = { readonly status: number; readonly version: string; readonly body: string | null };

/** How far the write of a record has come. `answer` throws where what is stored cannot be opened. */
export type Progress =
  | { readonly state: 'claimed' }
  | { readonly state: 'finished'; readonly answer: () => RecordedAnswer }
  | { readonly state: 'lost' };

/** What is known of a key less than 24 hours after it was claimed. */
export type KeyRecord = Omit<Claim, 'requestId'> & {
  /** The request that claimed it; null where the release before did. */
  readonly requestId: string | null;
  readonly claimedAt: Date;
  readonly progress: Progress;
};

/** What to do with a request: the record is its own, or another's that is finished or given up by time. */
export type Step =
  | { readonly kind: 'perform' }
  | { readonly kind: 'replay'; readonly first: KeyRecord; readonly answer: () => RecordedAnswer }
  | { readonly kind: 'give_up'; readonly abandoned: KeyRecord };

/** No request runs this long: whoever has not recorded an outcome by then was killed, or stands still. */
const LOST_AFTER_MS = 120_000;
/** Half a minute is more than two clocks drift apart in two minutes, and more than an answer takes to be sent. */
const SURELY_NOT_LOST_MS = 90_000;

/**
 * Decides on a claim by the record that stands after it. Throws IDEMPOTENCY_KEY_REUSED, which is told before all else,
 * IDEMPOTENCY_REQUEST_IN_PROGRESS or IDEMPOTENCY_RECORD_LOST.
 */
export function judge(claim: Claim, record: KeyRecord, now: Date): Step {
  const { progress } = record;
  if (record.owner === claim.owner && progress.state === 'claimed') return { kind: 'perform' };
  requireSameRequest(claim, record);
  if (progress.state === 'finished') return { kind: 'replay', first: record, answer: progress.answer };
  if (progress.state === 'lost') throw recordLost();
  if (now.getTime() - record.claimedAt.getTime() > LOST_AFTER_MS) return { kind: 'give_up', abandoned: record };
  throw new ServiceError('IDEMPOTENCY_REQUEST_IN_PROGRESS', {
    message: 'The first request with this Idempotency-Key is still running. Send the same request again in 1 second.',
    retryAfterSeconds: 1,
  });
}

/** Whether IDEMPOTENCY_RECORD_LOST can have been answered for a key, `sinceMs` after it was claimed by our own clock. */
export function mayBeLost(sinceMs: number): boolean {
  return sinceMs > SURELY_NOT_LOST_MS;
}

export function recordLost(cause?: unknown): ServiceError {
  return new ServiceError('IDEMPOTENCY_RECORD_LOST', {
    message:
      'The first request with this Idempotency-Key never recorded its outcome, so the key cannot succeed any more. Send the request again with a new key.',
    cause,
  });
}

type Comparison = readonly [name: string, differs: (one: Fingerprint, other: Fingerprint) => boolean];

const COMPARISONS: readonly Comparison[] = [
  ['method', (one, other) => one.method !== other.method],
  ['path', (one, other) => one.path !== other.path],
  ['body', (one, other) => !one.bodyHash.equals(other.bodyHash)],
  ['acting broker', (one, other) => one.brokerId !== other.brokerId],
];

function requireSameRequest(sent: Fingerprint, first: Fingerprint): void {
  const different = COMPARISONS.filter(([, differs]) => differs(sent, first)).map(([name]) => name);
  if (different.length === 0) return;
  const [last = '', ...others] = different.reverse();
  const names = others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
  throw new ServiceError('IDEMPOTENCY_KEY_REUSED', {
    message: `This Idempotency-Key was used within 24 hours for a request with a different ${names}. Use a new key.`,
  });
}
