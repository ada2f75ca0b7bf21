import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

type Running = {
  /** Runs until `stopped` resolves; rejects where it cannot go on. Calls `tellWorking` once all is well. */
  readonly run: (life: { readonly stopped: Promise<void>; readonly tellWorking: () => void }) => Promise<void>;
  readonly what: string;
  readonly logger: Logger;
};

/** Runs something again and again until it is stopped, after waits that grow while it never gets to work. */
export function keepRunning({ run, what, logger }: Running): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();

  async function repeat(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        await run({ stopped, tellWorking: () => (failures = 0) });
      } catch (error) {
        const waitMs = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
        failures += 1;
        logger.warn({ err: error, wait_ms: waitMs }, `${what} does not run and is started again`);
        await delay(waitMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }
  const ended = repeat();
  return {
    async stop() {
      stopping.abort();
      stop();
      await ended;
    },
  };
}
