import { setTimeout as delay } from 'node:timers/promises';

/** What the work gives, or a rejection where that takes too long. The work is not stopped. */
export async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const settled = new AbortController();
  const tooLate = delay(limitMs, undefined, { signal: settled.signal }).then(() => {
    throw new Error(`no result within ${limitMs} ms`);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    settled.abort();
    tooLate.catch(() => undefined);
  }
}

/** The same work, which is among those under way until it settles. */
export async function tracked<T>(underWay: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  underWay.add(work);
  try {
    return await work;
  } finally {
    underWay.delete(work);
  }
}
