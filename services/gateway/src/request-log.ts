import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '@pfq/kit/clock';
import { OutcomeUnknownError, ServiceError } from '@pfq/kit/errors';
import type { Logger } from '@pfq/kit/log';
import { count } from '@pfq/kit/telemetry/metrics';
import { STOP_MS } from '@pfq/kit/stop-times';
import { isTurnedAway } from './domain/kept-request.ts';
import type { KeptRequest } from './domain/kept-request.ts';
import { pause } from './pause.ts';
import type { RequestStore } from './storage/request-store.ts';

/** What the operator can look up of requests, written behind their answers. */
export type RequestLog = {
  /** Takes a request to be kept. Nobody waits for it, and it never fails. */
  keep(request: KeptRequest): void;
  /** Writes what is left, for a few seconds at most; afterwards nothing is kept. */
  stop(): Promise<void>;
};

type RequestLogOptions = {
  readonly store: Pick<RequestStore, 'keep'>;
  /** How long the first request of a batch waits for others, and a batch that failed for its next attempt. */
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
};

const BATCH_SIZE = 500;
/** A few megabytes; most of a minute at a hundred requests a second. */
const MOST_WAITING = 5_000;
/** As many as one key may make: with what is turned away nobody can fill the table. */
const TURNED_AWAY_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/** A log that keeps nothing, where requests are kept for no days. */
export const NO_REQUEST_LOG: RequestLog = { keep() {}, async stop() {} };

/** Keeps requests in batches, one after the other. While the database is away or slow they wait, up to a bound. */
export function startRequestLog({ store, intervalMs, clock, logger }: RequestLogOptions): RequestLog {
  const waiting: KeptRequest[] = [];
  const isWithinRate = perMinute(TURNED_AWAY_PER_MINUTE, clock);
  const stopping = new AbortController();
  let isClosed = false;
  let writing: Promise<void> | null = null;
  /** As the last statement told. */
  let isAway = false;
  /** Of those that should be kept, since they last were. */
  let dropped = 0;
  const warnings = new Set<string>();

  function drop(number: number, reason: DropReason): void {
    if (number > 0) count('pfq.request_log.dropped', { 'pfq.request_log.reason': reason }, number);
  }

  function dropOverflow(): void {
    const reason = isAway ? 'away' : 'full';
    drop(1, reason);
    dropped += 1;
    warnOnce({ reason }, 'requests find no place to wait and are dropped');
  }

  function warnOnce(fields: object, message: string): void {
    if (!warnings.has(message)) logger.warn(fields, message);
    warnings.add(message);
  }

  /** Said once what waits fits into a batch, so that a long overload is one story. */
  function tellRecovery(): void {
    if (dropped > 0 || warnings.size > 0) logger.info({ dropped }, 'requests are kept again');
    warnings.clear();
    dropped = 0;
  }

  async function writeAll(): Promise<void> {
    await pause(intervalMs, stopping.signal);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_SIZE);
      const outcome = await write(batch);
      isAway = outcome === 'away';
      if (isAway && stopping.signal.aborted) break;
      if (isAway) await pause(intervalMs, stopping.signal);
      else waiting.splice(0, batch.length);
      if (outcome === 'kept' && waiting.length <= BATCH_SIZE) tellRecovery();
    }
    writing = null;
  }

  /** No part of the trace of whatever request is the first of a batch. */
  const writeApart = AsyncLocalStorage.bind(writeAll);

  async function write(batch: readonly KeptRequest[]): Promise<'kept' | 'refused' | 'away'> {
    try {
      await store.keep(batch);
    } catch (error) {
      if (isPassing(error)) {
        warnOnce({ err: error }, 'requests wait to be kept');
        return 'away';
      }
      drop(batch.length, 'refused');
      dropped += batch.length;
      logger.error({ err: error, requests: batch.length }, 'requests could not be kept');
      return 'refused';
    }
    return 'kept';
  }

  return {
    keep(request) {
      if (isTurnedAway(request) && !isWithinRate()) drop(1, 'turned_away');
      else if (isClosed) drop(1, 'stopped');
      else if (waiting.length === MOST_WAITING) dropOverflow();
      else {
        waiting.push(request);
        writing ??= writeApart();
      }
    },
    async stop() {
      stopping.abort();
      await Promise.race([writing, wait(STOP_MS.lastWrites, undefined, { ref: false })]);
      isClosed = true;
      const left = waiting.splice(0).length;
      drop(left, 'stopped');
      if (left > 0) logger.warn({ requests: left }, 'requests were not kept before the stop');
    },
  };
}

type DropReason = 'away' | 'full' | 'turned_away' | 'refused' | 'stopped';

/** Whether the same batch may be kept later: nothing is wrong with it. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof OutcomeUnknownError || (error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE')
  );
}

/** Whether there is a place left in this minute, which it takes. */
function perMinute(places: number, clock: Clock): () => boolean {
  let minute = 0;
  let taken = 0;
  return () => {
    const now = Math.floor(clock() / MINUTE_MS);
    if (now !== minute) taken = 0;
    minute = now;
    taken += 1;
    return taken <= places;
  };
}
