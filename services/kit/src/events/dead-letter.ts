import { createHash } from 'node:crypto';

/** A record's content as the driver takes and gives it. */
export type RecordParts = {
  readonly key: Buffer | string | null;
  readonly value: Buffer | null;
  readonly headers?: Record<string, Buffer | string | (Buffer | string)[] | undefined>;
};

/** A record of any shape and where it goes. */
export type Sent = RecordParts & { readonly topic: string };

/** The broker takes no record of this size. It never will: sending it again is of no use. */
export class RecordTooLarge extends Error {
  constructor(options?: ErrorOptions) {
    super('the record is larger than its topic allows', options);
    this.name = 'RecordTooLarge';
  }
}

/** Whence a record comes, and why it is set aside. */
export type Origin = {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly reason: string;
};

const MAX_REASON = 500;
/** A key that is longer is none of ours. */
const MAX_KEPT_KEY_BYTES = 1_024;

/** The record byte for byte, and in more headers why it is no event and whence it comes. */
export function toDeadLetter({ key, value, headers }: RecordParts, origin: Origin): RecordParts {
  return { key, value, headers: { ...headers, ...describe(origin) } };
}

/** What can be told of a record in little room whatever its size: in place of its value, what to know it by. */
export function toShortLetter({ key, value }: RecordParts, origin: Origin): RecordParts {
  const bytes = value ?? Buffer.alloc(0);
  const about = {
    'pfq-value-bytes': String(bytes.length),
    'pfq-value-sha256': createHash('sha256').update(bytes).digest('hex'),
  };
  const isKept = key !== null && Buffer.byteLength(key) <= MAX_KEPT_KEY_BYTES;
  return { key: isKept ? key : null, value: null, headers: { ...describe(origin), ...about } };
}

function describe({ topic, partition, offset, reason }: Origin): Record<string, string> {
  return {
    'pfq-reason': reason.slice(0, MAX_REASON),
    'pfq-topic': topic,
    'pfq-partition': String(partition),
    'pfq-offset': offset,
    'pfq-set-aside-at': new Date().toISOString(),
  };
}

/** Kafka's names of errors: larger than the topic allows, or than one of its files. */
const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);

/** kafkajs wraps what the broker said in errors of its own. */
export function rethrowMeaning(error: unknown): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('type' in cause && TOO_LARGE.has(String(cause.type))) throw new RecordTooLarge({ cause: error });
  }
  throw error;
}
