import { setTimeout as wait } from 'node:timers/promises';
import { OutcomeUnknownError } from '../errors.ts';
import { fromWireError } from './status.ts';

type Carrying<T> = {
  /** One attempt; repeating it changes nothing. */
  readonly attempt: (call: { readonly timeoutMs: number }) => Promise<T>;
  readonly remainingMs: () => number;
  /** For the log: "quote qte_… may or may not be stored". */
  readonly doubt: string;
};

const ATTEMPT_TIMEOUT_MS = 3_000;
const REPEAT_DELAY_MS = 100;
const LONGEST_DELAY_MS = 1_000;

/**
 * Carries out a write of another service for certain. SERVICE_UNAVAILABLE is thrown only where nothing can have been
 * stored. Once an outcome is unknown the write is sent again, until the request's time is over.
 */
export async function untilCertain<T>({ attempt, remainingMs, doubt }: Carrying<T>): Promise<T> {
  let unknown: OutcomeUnknownError | undefined;
  for (let delayMs = REPEAT_DELAY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
    try {
      return await attempt({ timeoutMs: Math.min(ATTEMPT_TIMEOUT_MS, remainingMs()) });
    } catch (error) {
      const failure = fromWireError(error);
      if (failure instanceof OutcomeUnknownError) unknown = failure;
      else if (!unknown || failure.code !== 'SERVICE_UNAVAILABLE') throw failure;
    }
    if (remainingMs() <= delayMs) throw new OutcomeUnknownError(new Error(doubt, { cause: unknown }));
    await wait(delayMs * (0.5 + Math.random() / 2));
  }
}
