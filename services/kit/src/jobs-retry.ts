/** More would make a number that is none. */
const MOST_DOUBLINGS = 50;

export type RetryBounds = {
  /** Before the second attempt. */
  readonly firstMs: number;
  readonly longestMs: number;
};

/** How long to wait after a number of failures: twice as long each time, up to the longest, and half of it at random. */
export function retryDelayMs(
  failures: number,
  { firstMs, longestMs, random }: RetryBounds & { random: number },
): number {
  const doublings = Math.min(failures - 1, MOST_DOUBLINGS);
  return Math.min(firstMs * 2 ** doublings, longestMs) * (0.5 + random / 2);
}
