/** How often one address may ask for links that do not exist. */
export type GuessRules = { readonly misses: number; readonly windowMs: number; readonly mostAddresses: number };

/** Generous to a mistyped link, and to an office behind one address; with 256 random bits in a token no number of guesses helps. */
export const GUESS_RULES: GuessRules = { misses: 20, windowMs: 600_000, mostAddresses: 10_000 };

/** Whether a link may be looked up now. */
export type Admission =
  /** How it ended is to be told once, whatever becomes of it. */
  | { readonly kind: 'admitted'; readonly settle: (end: 'miss' | 'other') => void }
  /** Seconds until the address is answered again, at least 1. */
  | { readonly kind: 'refused'; readonly retryAfterSeconds: number };

export type GuessLimit = { readonly admit: (address: string) => Promise<Admission> };

type Window = { readonly startedMs: number; misses: number };

/** Look-ups of one address that have begun, and what to call once one of them has ended. */
type UnderWay = { count: number; waiting: (() => void)[] };

/**
 * Counts misses in windows that begin with an address's first one. No more look-ups of an address are under way than it may
 * still miss; the others wait for their turn, so that many at once miss no more often than one after the other. Kept in
 * memory, so each process counts for itself. Of too many addresses those whose windows are oldest are forgotten.
 */
export function limitGuesses({ misses, windowMs, mostAddresses }: GuessRules, clock: () => number): GuessLimit {
  /** In the order in which they began. */
  const windows = new Map<string, Window>();
  const underWay = new Map<string, UnderWay>();

  function windowOf(address: string): Window | null {
    const window = windows.get(address);
    return window && clock() < window.startedMs + windowMs ? window : null;
  }

  function countMiss(address: string): void {
    const window = windowOf(address);
    if (window) {
      window.misses += 1;
      return;
    }
    windows.delete(address);
    windows.set(address, { startedMs: clock(), misses: 1 });
    for (const oldest of windows.keys()) {
      if (windows.size <= mostAddresses) return;
      windows.delete(oldest);
    }
  }

  function begin(address: string): Admission {
    const ongoing = underWay.get(address) ?? { count: 0, waiting: [] };
    underWay.set(address, ongoing);
    ongoing.count += 1;
    return {
      kind: 'admitted',
      settle(end) {
        if (end === 'miss') countMiss(address);
        ongoing.count -= 1;
        if (ongoing.count === 0) underWay.delete(address);
        for (const goOn of ongoing.waiting.splice(0)) goOn();
      },
    };
  }

  return {
    async admit(address) {
      for (;;) {
        const window = windowOf(address);
        const left = misses - (window?.misses ?? 0);
        if (window && left <= 0) {
          const waitMs = window.startedMs + windowMs - clock();
          return { kind: 'refused', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
        }
        const ongoing = underWay.get(address);
        if (!ongoing || ongoing.count < left) return begin(address);
        await new Promise<void>((resolve) => ongoing.waiting.push(resolve));
      }
    },
  };
}
