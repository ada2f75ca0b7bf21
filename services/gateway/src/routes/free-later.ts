import { setTimeout as wait } from 'node:timers/promises';
import type { KeyHolder } from '../domain/idempotency.ts';
import type { OnceDeps } from './once.ts';

/** Together less than two minutes, after which the key may be lost and freeing it changes nothing. */
const DELAYS_MS = [250, 1_000, 3_000, 8_000, 16_000, 32_000, 48_000];

/**
 * Frees a key behind the back of its caller, who was told to use it again. It is freed more than once: a claim of which
 * nobody heard may arrive late. Whoever holds the key by then is not disturbed.
 */
export async function freeLater(
  holder: KeyHolder,
  { idempotency, logger }: Pick<OnceDeps, 'idempotency' | 'logger'>,
): Promise<void> {
  for (const delayMs of DELAYS_MS) {
    await wait(delayMs, undefined, { ref: false });
    try {
      await idempotency.release(holder);
    } catch (error) {
      logger.error({ err: error }, 'an idempotency key could not be freed afterwards');
    }
  }
}
