import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
/** What fails after this was well before. */
const LASTING_MS = 30_000;

type Running = {
  /** Resolves once it is done, soon after `stopped` does; rejects where it cannot go on. */
  readonly run: (stopped: Promise<void>) => Promise<void>;
  readonly what: string;
  readonly logger: Logger;
};

/** Runs something again after each failure until it is done or stopped, after waits that grow while it fails soon. */
export function keepRunning({ run, what, logger }: Running): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();

  async function repeat(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const startedMs = performance.now();
      try {
        await run(stopped);
        return;
      } catch (error) {
        if (performance.now() - startedMs > LASTING_MS) failures = 0;
        const waitMs = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
        failures += 1;
        logger[failures === 1 ? 'warn' : 'info']({ err: error, wait_ms: waitMs }, `${what} failed and is tried again`);
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
