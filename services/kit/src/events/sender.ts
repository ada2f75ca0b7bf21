import { currentTrace } from '../telemetry/spans.ts';
import { RecordTooLarge } from './dead-letter.ts';
import type { Sent } from './dead-letter.ts';
import { traceSending } from './telemetry.ts';
import { tracked, within } from './waits.ts';

/** A producer of the driver with connections of its own. */
export type Producer = {
  /** Rejects with RecordTooLarge where that is the reason; the producer is as good as before. */
  send(record: Sent): Promise<void>;
  disconnect(): Promise<void>;
  /** Drops its connections; what is under way fails. */
  abandon(): void;
};

export type Sender = {
  readonly publish: (record: Sent) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** From the call to the answer, tries and connecting included. */
const PUBLISH_TIMEOUT_MS = 10_000;

/** Sends over one producer until that fails: a connection can be dead without a word, so the next record gets a new one. */
export function makeSender(connect: () => Producer): Sender {
  const underWay = new Set<Promise<unknown>>();
  let current: Producer | null = null;
  let isClosed = false;

  async function send(record: Sent): Promise<void> {
    if (isClosed) throw new Error('the publisher is closed');
    const used = (current ??= connect());
    try {
      await traceSending(record.topic, () => within(PUBLISH_TIMEOUT_MS, used.send(withTrace(record))));
    } catch (error) {
      if (error instanceof RecordTooLarge) throw error;
      if (current === used) current = null;
      used.abandon();
      throw new Error(`the event was not published to ${record.topic}`, { cause: error });
    }
  }

  return {
    publish: (record) => tracked(underWay, send(record)),
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
      await current?.disconnect();
    },
  };
}

/** A record that names what it is part of, such as one that is set aside, goes on doing so. */
function withTrace(record: Sent): Sent {
  return { ...record, headers: { ...currentTrace(), ...record.headers } };
}
