import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@pfq/kit/log';
import type { IdempotencyStore } from './storage/idempotency-store.ts';

type SweepOptions = {
  readonly store: Pick<IdempotencyStore, 'removeExpired'>;
  /** From the end of one sweep to the next, on average: several gateways do not keep step. */
  readonly intervalMs: number;
  readonly logger: Pick<Logger, 'warn'>;
};

/** Removes expired idempotency keys, now and again and again until `stop`, which waits for the batch under way. */
export function startSweep(options: SweepOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const sweeping = sweepUntil(stopping.signal, options);
  return {
    async stop() {
      stopping.abort();
      await sweeping;
    },
  };
}

async function sweepUntil(stopped: AbortSignal, { store, intervalMs, logger }: SweepOptions): Promise<void> {
  while (!stopped.aborted) {
    try {
      while (!stopped.aborted && (await store.removeExpired()) > 0);
    } catch (error) {
      logger.warn({ err: error }, 'expired idempotency keys could not be removed; the next sweep tries again');
    }
    await pause(intervalMs * (0.5 + Math.random()), stopped);
  }
}

async function pause(durationMs: number, stopped: AbortSignal): Promise<void> {
  try {
    await wait(durationMs, undefined, { signal: stopped });
  } catch (error) {
    if (!stopped.aborted) throw error;
  }
}
