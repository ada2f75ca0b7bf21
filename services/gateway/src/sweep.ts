import type { Logger } from '@pfq/kit/log';
import { pause } from './pause.ts';

/** Rows that are removed by age. */
type Expiring = {
  /** What they are, for the log. */
  readonly what: string;
  /** Removes some of them, and gives their number: 0 where no more are left. */
  readonly removeExpired: () => Promise<number>;
};

type SweepOptions = {
  readonly expiring: readonly Expiring[];
  /** From the end of one sweep to the next, on average: several gateways do not keep step. */
  readonly intervalMs: number;
  readonly logger: Pick<Logger, 'warn'>;
};

/** Removes what has expired, now and again and again until `stop`, which waits for the batch under way. */
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

async function sweepUntil(stopped: AbortSignal, { expiring, intervalMs, logger }: SweepOptions): Promise<void> {
  while (!stopped.aborted) {
    for (const { what, removeExpired } of expiring) {
      try {
        while (!stopped.aborted && (await removeExpired()) > 0);
      } catch (error) {
        logger.warn({ err: error, what }, 'expired rows could not be removed; the next sweep tries again');
      }
    }
    await pause(intervalMs * (0.5 + Math.random()), stopped);
  }
}
