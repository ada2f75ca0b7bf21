/** How often one address may ask for links that do not exist. */
export type GuessRules = { readonly misses: number; readonly windowMs: number; readonly mostAddresses: number };

/** Generous to a mistyped link, and to an office behind one address; with 256 random bits in a token no number of guesses helps. */
export const GUESS_RULES: GuessRules = { misses: 20, windowMs: 600_000, mostAddresses: 10_000 };

/** The misses of each address, in milliseconds of one clock. */
export type GuessLimit = {
  /** Seconds until the address is answered again, at least 1; null where it is answered now. */
  readonly waitSeconds: (address: string, nowMs: number) => number | null;
  readonly countMiss: (address: string, nowMs: number) => void;
};

type Window = { readonly startedMs: number; misses: number };

/**
 * Counts misses in windows that begin with an address's first one. Kept in memory, so each process counts for itself, and
 * misses that are under way at once may go over the limit. Of too many addresses those whose windows are oldest are forgotten.
 */
export function limitGuesses({ misses, windowMs, mostAddresses }: GuessRules): GuessLimit {
  /** In the order in which they began. */
  const windows = new Map<string, Window>();
  const windowOf = (address: string, nowMs: number) => {
    const window = windows.get(address);
    return window && nowMs < window.startedMs + windowMs ? window : null;
  };
  return {
    waitSeconds(address, nowMs) {
      const window = windowOf(address, nowMs);
      if (!window || window.misses < misses) return null;
      return Math.max(1, Math.ceil((window.startedMs + windowMs - nowMs) / 1_000));
    },
    countMiss(address, nowMs) {
      const window = windowOf(address, nowMs);
      if (window) {
        window.misses += 1;
        return;
      }
      windows.delete(address);
      windows.set(address, { startedMs: nowMs, misses: 1 });
      for (const oldest of windows.keys()) {
        if (windows.size <= mostAddresses) return;
        windows.delete(oldest);
      }
    },
  };
}
