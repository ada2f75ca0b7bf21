import { ServiceError } from '@pfq/kit/errors';
import type { Mode } from './agency.ts';

/** Requests that one API key may make in a minute, all endpoints together. */
export const REQUESTS_PER_MINUTE = 60;

/** `POST /v1/quotes` in a UTC day: of one key, and of all keys of an agency in the same mode. */
export const QUOTES_PER_DAY: Readonly<Record<Mode, { readonly key: number; readonly agency: number }>> = {
  live: { key: 500, agency: 2_000 },
  test: { key: 200, agency: 500 },
};

/** A window of time, and the requests in it. */
export type Count = { readonly startedAt: Date; readonly used: number };

/** What the store counted, the request itself included. Days are absent where no daily limit applies. */
export type Usage = { readonly minute: Count; readonly days?: { readonly key: Count; readonly agency: Count } };

/** One limit at the time of a request that is counted in it. */
export type RateWindow = Count & {
  readonly name: 'requests_per_minute' | 'key_quotes_per_day' | 'agency_quotes_per_day';
  readonly limit: number;
  readonly resetsAt: Date;
  /** Completes "Over the limit of …". */
  readonly meaning: string;
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The limits that apply to a request. */
export function windowsOf({ minute, days }: Usage, mode: Mode): readonly RateWindow[] {
  const perMinute = {
    ...minute,
    name: 'requests_per_minute' as const,
    limit: REQUESTS_PER_MINUTE,
    resetsAt: new Date(minute.startedAt.getTime() + MINUTE_MS),
    meaning: `${REQUESTS_PER_MINUTE} requests a minute for one API key`,
  };
  if (!days) return [perMinute];
  const { key, agency } = QUOTES_PER_DAY[mode];
  return [
    perMinute,
    perDay(days.key, { name: 'key_quotes_per_day', limit: key, whose: `one ${mode} key` }),
    perDay(days.agency, { name: 'agency_quotes_per_day', limit: agency, whose: `all ${mode} keys of an agency` }),
  ];
}

/** The limit closest to running out, as `RateLimit-*` tell it; of equals, the one that resets last. Null where none applies. */
export function tightest(windows: readonly RateWindow[], now: Date) {
  const [first] = windows.toSorted(
    (a, b) => remainingIn(a) - remainingIn(b) || b.resetsAt.getTime() - a.resetsAt.getTime(),
  );
  if (!first) return null;
  return { limit: first.limit, remaining: remainingIn(first), resetSeconds: secondsLeft(first, now) };
}

/** The limits that a request is over. */
export function exceededOf(windows: readonly RateWindow[]): readonly RateWindow[] {
  return windows.filter(({ used, limit }) => used > limit);
}

/** Refuses a request that is over any of its limits; it may come back when the last of those resets. */
export function requireWithinLimits(windows: readonly RateWindow[], now: Date): void {
  const exceeded = exceededOf(windows);
  if (exceeded.length === 0) return;
  const retryAfterSeconds = Math.max(...exceeded.map((window) => secondsLeft(window, now)));
  const limits = exceeded.map(({ meaning }) => meaning).join(' and ');
  const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`;
  const message = `Over the limit of ${limits}. Nothing was done: send the same request again in ${wait}.`;
  throw new ServiceError('RATE_LIMITED', { message, retryAfterSeconds });
}

type DailyLimit = Pick<RateWindow, 'name' | 'limit'> & { readonly whose: string };

function perDay(count: Count, { name, limit, whose }: DailyLimit): RateWindow {
  const resetsAt = new Date(count.startedAt.getTime() + DAY_MS);
  return { ...count, name, limit, resetsAt, meaning: `${limit} POST /v1/quotes a day for ${whose}` };
}

function remainingIn({ limit, used }: Pick<RateWindow, 'limit' | 'used'>): number {
  return Math.max(0, limit - used);
}

/** Whole seconds, at least 1, and never more than the window is long: a request may have waited while the window began. */
function secondsLeft({ startedAt, resetsAt }: RateWindow, now: Date): number {
  const from = Math.max(now.getTime(), startedAt.getTime());
  return Math.max(1, Math.ceil((resetsAt.getTime() - from) / 1_000));
}
