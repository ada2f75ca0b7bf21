import type { Claim, KeyHolder, KeyRecord, RecordedAnswer } from '../domain/idempotency.ts';

/**
 * One record for each Idempotency-Key of an agency and mode. Each of these is one statement; repeating it changes
 * nothing, so whoever does not know what became of it sends it again.
 */
export type IdempotencyStore = {
  /**
   * Takes the key where nobody has it or its record is 24 hours old. Gives the record that stands now, which is the
   * claim's own if it has the same owner, and the time by which its age is told.
   */
  claim(claim: Claim): Promise<{ readonly record: KeyRecord; readonly now: Date }>;
  /** Records the answer; false where the key is no longer the holder's, or was lost. */
  finish(holder: KeyHolder, answer: RecordedAnswer): Promise<boolean>;
  /** Frees the key for another attempt if it is the holder's and not finished; false where it was lost. */
  release(holder: KeyHolder): Promise<boolean>;
  /** Lets the key never succeed, unless it is finished or no longer the holder's. */
  markLost(holder: KeyHolder): Promise<void>;
  /** Removes some of the records that are 24 hours old, and gives their number: 0 where no more are left. */
  removeExpired(): Promise<number>;
};
