import type { EventTopic } from '@pfq/proto/topics';
import type { Logger } from '../log.ts';
import { count as tell } from '../telemetry/metrics.ts';
import { errorTypeOf } from '../telemetry/spans.ts';
import type { OpenSpan, TraceCarrier } from '../telemetry/spans.ts';
import { RecordTooLarge, toDeadLetter, toShortLetter } from './dead-letter.ts';
import type { Origin, RecordParts, Sent } from './dead-letter.ts';
import { traceOfHeaders, traceProcessing } from './telemetry.ts';

/** Thrown for an event that can never be handled. Its message goes into the dead letter: say why, and nothing of anyone. */
export class UnreadableEvent extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'UnreadableEvent';
  }
}

type StoredRecord = RecordParts & { readonly offset: string };

/** Consecutive records of one partition, and what the client can do about them. */
export type Batch = {
  readonly partition: number;
  readonly records: readonly StoredRecord[];
  /** Whether the partition is still ours and nobody wants us to stop. */
  readonly isOurs: () => boolean;
  readonly commit: (offset: string) => Promise<void>;
  readonly heartbeat: () => Promise<void>;
  /** Brings the records that were not committed again after a while. */
  readonly postpone: (waitMs: number) => void;
};

type Reading = {
  readonly topic: EventTopic;
  readonly groupId: string;
  readonly handle: (value: Uint8Array) => Promise<void>;
  /** What an event says itself that it is part of, for one whose headers do not tell. Must not throw. */
  readonly traceOf?: ((value: Uint8Array) => TraceCarrier) | undefined;
  /** Rejects with RecordTooLarge where that is the reason. */
  readonly setAside: (record: Sent) => Promise<void>;
  readonly logger: Logger;
};

const HEARTBEAT_EVERY_MS = 1_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * Gives a function that handles batches of a topic, each record once the one before it is committed. A record that cannot
 * be read becomes a dead letter. One whose handling fails otherwise comes again, for ever, after a wait that grows.
 */
export function makeReader(reading: Reading): (batch: Batch) => Promise<void> {
  const failures = new Map<number, { readonly offset: string; readonly count: number }>();

  /** Milliseconds after which the record is to come again; null where it is done with. */
  function attempt(record: StoredRecord, partition: number): Promise<number | null> {
    const { topic, groupId, traceOf, logger } = reading;
    const parent = traceOfHeaders(record.headers) ?? (record.value && traceOf?.(record.value)) ?? {};
    return traceProcessing({ topic: topic.name, groupId, partition, parent }, async (span) => {
      try {
        await handleOrSetAside(reading, record, { partition, span });
        failures.delete(partition);
        return null;
      } catch (error) {
        span.fail(errorTypeOf(error));
        const last = failures.get(partition);
        const count = last?.offset === record.offset ? last.count + 1 : 1;
        failures.set(partition, { offset: record.offset, count });
        const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (count - 1), LONGEST_WAIT_MS);
        const place = { topic: topic.name, partition, offset: record.offset };
        logger.warn({ err: error, ...place, attempt: count, wait_ms: waitMs }, 'event not handled, comes again');
        return waitMs;
      }
    });
  }

  return async ({ partition, records, isOurs, commit, heartbeat, postpone }) => {
    for (const record of records) {
      if (!isOurs()) return;
      const waitMs = await whileBeating(heartbeat, () => attempt(record, partition));
      if (waitMs !== null) {
        postpone(waitMs);
        return;
      }
      await commit(record.offset);
      await heartbeat();
    }
  };
}

type Attempt = { readonly partition: number; readonly span: Pick<OpenSpan, 'fail'> };

async function handleOrSetAside(reading: Reading, record: StoredRecord, { partition, span }: Attempt): Promise<void> {
  try {
    if (record.value === null) throw new UnreadableEvent('the record has no value');
    await reading.handle(record.value);
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    span.fail(errorTypeOf(error));
    const { topic, logger } = reading;
    const place = { topic: topic.name, partition, offset: record.offset };
    const isWhole = await setAsideRecord(reading, record, { ...place, reason: error.message });
    tell('pfq.events.dead_letters', { 'messaging.destination.name': topic.name });
    const told = { err: error, ...place, dead_letter: topic.deadLetter.name };
    logger.error(
      told,
      `event cannot be read and was set aside${isWhole ? '' : ' without its value, which is too large'}`,
    );
  }
}

/** Tells whether the letter holds the whole record. */
async function setAsideRecord({ topic, setAside }: Reading, record: StoredRecord, origin: Origin): Promise<boolean> {
  try {
    await setAside({ topic: topic.deadLetter.name, ...toDeadLetter(record, origin) });
    return true;
  } catch (error) {
    if (!(error instanceof RecordTooLarge)) throw error;
    await setAside({ topic: topic.deadLetter.name, ...toShortLetter(record, origin) });
    return false;
  }
}

/** Keeps the place in the group while work takes long. What a heartbeat fails with, the one after the work tells again. */
async function whileBeating<T>(heartbeat: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void heartbeat().catch(() => undefined), HEARTBEAT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
