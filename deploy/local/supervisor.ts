import { setTimeout as delay } from 'node:timers/promises';

/** A part of the stack that is up. */
export type Running = {
  /** Resolves when it has ended, for whatever reason, with a word on how. */
  readonly ended: Promise<string>;
  /** Ends it in bounded time. */
  readonly stop: () => Promise<void>;
  readonly kill: () => void;
};

export type Part = {
  readonly name: string;
  /** Resolves when the part is healthy; rejects where it cannot be, or once `signal` is aborted, leaving nothing behind. */
  readonly start: (signal: AbortSignal) => Promise<Running>;
};

export type Supervisor = {
  /** Starts parts together and keeps each running from then on. Rejects with the first that does not start. */
  readonly start: (parts: readonly Part[]) => Promise<void>;
  /** Ends every part, the last of the list first. */
  readonly stop: () => Promise<void>;
  readonly kill: () => void;
};

type Backoff = { readonly firstMs: number; readonly longestMs: number };
type Kept = { running: Running; kept: Promise<void> };

/** A part that has run this long is taken to be well: its next end counts as its first. */
const STEADY_MS = 60_000;

/** Keeps parts running: one that ends is started again, after a pause that doubles each time. */
export function createSupervisor(options: {
  readonly say: (line: string) => void;
  readonly backoff: Backoff;
}): Supervisor {
  const stopping = new AbortController();
  const { signal } = stopping;
  const all: Kept[] = [];
  let starting: Promise<unknown> = Promise.resolve();

  async function startTogether(parts: readonly Part[]): Promise<void> {
    const starts = await Promise.allSettled(parts.map((part) => part.start(signal)));
    for (const [index, part] of parts.entries()) {
      const start = starts[index];
      if (start?.status !== 'fulfilled') continue;
      const kept: Kept = { running: start.value, kept: Promise.resolve() };
      kept.kept = keepRunning(part, kept, { ...options, signal });
      all.push(kept);
    }
    const failure = starts.find((start) => start.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  return {
    async start(parts) {
      signal.throwIfAborted();
      const started = startTogether(parts);
      starting = started.catch(() => {});
      return started;
    },
    async stop() {
      stopping.abort();
      await starting;
      for (const { running, kept } of all.toReversed()) {
        await running.stop();
        await kept;
      }
    },
    kill() {
      stopping.abort();
      for (const { running } of all) running.kill();
    },
  };
}

type Keeping = {
  readonly say: (line: string) => void;
  readonly backoff: Backoff;
  readonly signal: AbortSignal;
};

async function keepRunning(part: Part, kept: Kept, { say, backoff, signal }: Keeping): Promise<void> {
  let failures = 0;
  for (;;) {
    const startedMs = performance.now();
    let how = await kept.running.ended;
    if (performance.now() - startedMs > STEADY_MS) failures = 0;
    for (let isUp = false; !isUp;) {
      if (signal.aborted) return;
      const pauseMs = Math.min(backoff.firstMs * 2 ** failures, backoff.longestMs);
      failures += 1;
      say(`${part.name} ended (${how}): starting it again in ${pauseMs / 1000} s`);
      await delay(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        kept.running = await part.start(signal);
        isUp = true;
      } catch (error) {
        how = error instanceof Error ? error.message : String(error);
      }
    }
    if (signal.aborted) return kept.running.stop();
    say(`${part.name} is running again`);
  }
}
