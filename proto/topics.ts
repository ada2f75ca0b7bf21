/** A Kafka topic as services use it and as a platform should make it. */
export type Topic = {
  readonly name: string;
  /** What its records hold, and by what they are keyed and so kept in order. */
  readonly holds: string;
  readonly partitions: number;
  readonly retentionMs: number;
  /** Of a batch of records as the broker keeps it, compressed. */
  readonly maxMessageBytes: number;
};

/** A topic with the one that takes what its consumer cannot read. */
export type EventTopic = Topic & { readonly deadLetter: Topic };

const DAY_MS = 86_400_000;
/** Kafka's own default. */
const EVENT_MAX_BYTES = 1_048_588;
/** Room for the largest event and what is told of it, also where it is compressed less well the second time. */
const DEAD_LETTER_MAX_BYTES = 4 * EVENT_MAX_BYTES;
const INTEREST_EXPRESSED_NAME = 'pfq.quote.interest-expressed.v1';

/** An insured responded to a live quote. */
export const INTEREST_EXPRESSED: EventTopic = {
  name: INTEREST_EXPRESSED_NAME,
  holds: '`pfq.common.v1.Event` with a `pfq.quotestore.v1.InterestExpressed`, keyed by quote id',
  partitions: 6,
  retentionMs: 7 * DAY_MS,
  maxMessageBytes: EVENT_MAX_BYTES,
  deadLetter: {
    name: `${INTEREST_EXPRESSED_NAME}.dead-letter`,
    holds: 'records that could not be read, byte for byte, with the reason and their place in headers',
    partitions: 1,
    retentionMs: 30 * DAY_MS,
    maxMessageBytes: DEAD_LETTER_MAX_BYTES,
  },
};

/** Every topic of the system. */
export const EVENT_TOPICS: readonly EventTopic[] = [INTEREST_EXPRESSED];
