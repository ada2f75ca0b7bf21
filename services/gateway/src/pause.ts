import { setTimeout as wait } from 'node:timers/promises';

/** Waits, until it is stopped at the latest. */
export async function pause(durationMs: number, stopped: AbortSignal): Promise<void> {
  try {
    await wait(durationMs, undefined, { signal: stopped });
  } catch (error) {
    if (!stopped.aborted) throw error;
  }
}
