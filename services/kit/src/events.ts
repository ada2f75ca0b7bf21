import { setTimeout as delay } from 'node:timers/promises';
import type { EventTopic } from '@pfq/proto/topics';
import { CompressionTypes, Kafka, logLevel, Partitioners } from 'kafkajs';
import type { Consumer, EachBatchPayload, SASLOptions } from 'kafkajs';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import { endsWithin } from './ends-within.ts';
import type { KafkaAddress } from './events-url.ts';
import { openConnections } from './events/connections.ts';
import { rethrowMeaning } from './events/dead-letter.ts';
import { keepRunning } from './events/keep-running.ts';
import { readLag, watchLag } from './events/lag.ts';
import { toLogLines } from './events/log-lines.ts';
import { mendRequestQueue } from './events/mend-request-queue.ts';
import { makeReader } from './events/read-batch.ts';
import type { Batch } from './events/read-batch.ts';
import { makeSender } from './events/sender.ts';
import type { Producer, Sender } from './events/sender.ts';
import { makeMissing, waitForTopic } from './events/topics.ts';
import { tracked, within } from './events/waits.ts';
import type { Dependency } from './health.ts';
import type { Logger } from './log.ts';
import type { TraceCarrier } from './telemetry/spans.ts';
import { STOP_MS } from './stop-times.ts';

export { UnreadableEvent } from './events/read-batch.ts';

mendRequestQueue(RequestQueue.prototype);

const CONNECT_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 5_000;
const MAKE_TOPICS_TIMEOUT_MS = 15_000;
/** How long a farewell may take: leaving the group, closing connections. */
const PARTING_MS = STOP_MS.lastWrites;

/** A killed consumer's partitions go to others after this; a living one tells of itself more often. */
const SESSION_TIMEOUT_MS = 10_000;
const HEARTBEAT_MS = 2_000;
/** How long others wait for a consumer that is busy with a record while partitions are shared out anew. */
const REBALANCE_TIMEOUT_MS = 30_000;
/** How long a broker that has nothing to tell holds its answer back; a stop may wait for it. */
const POLL_MS = 1_000;

/** For what kafkajs tries again by itself; what it gives up then is tried again by us, with new connections. */
const RETRY = { retries: 4, initialRetryTime: 200, maxRetryTime: 2_000 };
const LOOK_TIMEOUT_MS = 3_000;
const LOOK_EVERY_MS = 10_000;
const USUAL_LAG_LOOK_MS = 15_000;

type Identity = { readonly clientId: string; readonly logger: Logger };

/** Sends events over a connection that it keeps. */
export type Publisher = {
  /** Resolves once every replica in sync has it. Rejects within ten seconds where that is not certain: publish again. */
  publish(event: {
    readonly topic: string;
    /** Events of one key keep their order. */
    readonly key: string;
    readonly value: Uint8Array;
  }): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
};

type Consuming = Identity & {
  readonly groupId: string;
  readonly topic: EventTopic;
  /** Throws UnreadableEvent where it never will understand it. Must bear the same event again. */
  readonly handle: (value: Uint8Array) => Promise<void>;
  /** What an event says itself that it is part of, for one whose headers do not tell. Must not throw. */
  readonly traceOf?: (value: Uint8Array) => TraceCarrier;
  /** How often it is looked at how far the group is behind; every 15 seconds where it is absent. */
  readonly lagEveryMs?: number;
};

/** Makes those topics that are missing, with their dead letters, in the broker's usual number of copies. */
export function makeTopics(address: KafkaAddress, topics: readonly EventTopic[], logger: Logger): Promise<void> {
  return makeTopicsUnlessStopped(address, { topics, logger, stopped: new Promise(() => {}) });
}

/** Makes those topics that are missing beside everything else, and tries until it has. Never throws. */
export function startMakingTopics(
  address: KafkaAddress,
  topics: readonly EventTopic[],
  logger: Logger,
): { stop(): Promise<void> } {
  const run = (stopped: Promise<void>) => makeTopicsUnlessStopped(address, { topics, logger, stopped });
  return keepRunning({ run, what: 'the making of topics', logger });
}

type Making = { readonly topics: readonly EventTopic[]; readonly logger: Logger; readonly stopped: Promise<void> };

async function makeTopicsUnlessStopped(address: KafkaAddress, { topics, logger, stopped }: Making): Promise<void> {
  const { kafka, abandon } = openClient(address, { clientId: 'pfq-topics', logger });
  try {
    await Promise.race([within(MAKE_TOPICS_TIMEOUT_MS, makeMissing(kafka.admin(), topics, logger)), stopped]);
  } finally {
    abandon();
  }
}

/** Connects with the first event, and anew after a failure. */
export function openPublisher(address: KafkaAddress, identity: Identity): Publisher {
  const { publish, close } = openSender(address, identity);
  return {
    close,
    publish: ({ value: { buffer, byteOffset, byteLength }, ...event }) =>
      publish({ ...event, value: Buffer.from(buffer, byteOffset, byteLength) }),
  };
}

/**
 * Handles the events of a topic, as one of the group, each at least once: those of one partition in order, an unreadable
 * one as a dead letter, and one that fails again until it does not. Keeps trying while Kafka is away.
 * `stop` waits for the records under way, ten seconds at most, and leaves the group.
 */
export async function consume(address: KafkaAddress, options: Consuming): Promise<{ stop(): Promise<void> }> {
  const { topic, groupId, handle, traceOf, lagEveryMs: everyMs = USUAL_LAG_LOOK_MS, logger } = options;
  const deadLetters = openSender(address, options);
  const read = makeReader({ topic, groupId, handle, traceOf, setAside: deadLetters.publish, logger });
  const running = keepRunning({
    run: (stopped) => consumeUntilStopped(address, { ...options, stopped, read }),
    what: `the consumer of ${topic.name}`,
    logger,
  });
  const { look, abandon } = looksAtLag(address, options);
  const lag = watchLag({ topic: topic.name, groupId, look, everyMs, logger });
  return {
    async stop() {
      lag.stop();
      abandon();
      // An event that takes longer comes again, to another.
      await endsWithin(
        STOP_MS.underWay,
        running.stop().then(() => deadLetters.close()),
      );
    },
  };
}

/** Each with a client of its own, because that of the consumer may be the one that is stuck. `abandon` ends one under way. */
function looksAtLag(address: KafkaAddress, { topic, groupId, ...identity }: Consuming) {
  let abandon = () => {};
  const look = async () => {
    const client = openClient(address, { ...identity, isQuiet: true });
    abandon = client.abandon;
    try {
      return await within(LOOK_TIMEOUT_MS, readLag(client.kafka.admin(), { topic: topic.name, groupId }));
    } finally {
      client.abandon();
    }
  };
  return { look, abandon: () => abandon() };
}

/** Kafka as services see it: well where a broker of those that are named takes a connection, and a login if there is one. */
export function kafkaDependency(address: KafkaAddress, identity: Identity): Dependency {
  return {
    name: 'kafka',
    isVital: false,
    everyMs: LOOK_EVERY_MS,
    async check() {
      const { kafka, abandon } = openClient(address, { ...identity, isQuiet: true });
      try {
        await within(LOOK_TIMEOUT_MS, kafka.admin().connect());
      } finally {
        abandon();
      }
    },
  };
}

type Life = Consuming & {
  readonly read: (batch: Batch) => Promise<void>;
  readonly stopped: Promise<void>;
};

/** One member of the group, from joining to leaving. Rejects with what made it give up, after which it is of no more use. */
async function consumeUntilStopped(address: KafkaAddress, life: Life): Promise<void> {
  const { kafka, abandon } = openClient(address, life);
  const consumer = kafka.consumer({
    groupId: life.groupId,
    sessionTimeout: SESSION_TIMEOUT_MS,
    heartbeatInterval: HEARTBEAT_MS,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    maxWaitTimeInMs: POLL_MS,
    allowAutoTopicCreation: false,
    // It would restart by itself after some failures, even while it is stopped; a new one is surer.
    retry: { restartOnFailure: () => Promise.resolve(false) },
  });
  const underWay = new Set<Promise<unknown>>();
  const { promise: crashed, reject: crash } = Promise.withResolvers<never>();
  consumer.on(consumer.events.CRASH, ({ payload }) => crash(payload.error));
  try {
    await Promise.race([start({ kafka, consumer }, life, underWay).then(() => crashed), crashed, life.stopped]);
  } finally {
    const parted = consumer
      .disconnect()
      .catch((error: unknown) => life.logger.info({ err: error }, 'no clean farewell'));
    await Promise.allSettled(underWay);
    await Promise.race([parted, delay(PARTING_MS, undefined, { ref: false })]);
    abandon();
  }
}

type Client = { readonly kafka: Kafka; readonly consumer: Consumer };

async function start(
  { kafka, consumer }: Client,
  { topic, read, logger }: Life,
  underWay: Set<Promise<unknown>>,
): Promise<void> {
  await waitForTopic(kafka.admin(), topic.name, logger);
  await consumer.connect();
  await consumer.subscribe({ topics: [topic.name], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: topic.partitions,
    eachBatch: (payload) => tracked(underWay, read(toBatch(payload))),
  });
}

function toBatch({ batch, ...client }: EachBatchPayload): Batch {
  const { topic, partition } = batch;
  return {
    partition,
    records: batch.messages,
    isOurs: () => client.isRunning() && !client.isStale(),
    heartbeat: () => client.heartbeat(),
    async commit(offset) {
      const next = String(BigInt(offset) + 1n);
      await client.commitOffsetsIfNecessary({ topics: [{ topic, partitions: [{ partition, offset: next }] }] });
      client.resolveOffset(offset);
    },
    postpone(waitMs) {
      const resume = client.pause();
      setTimeout(resume, waitMs).unref();
    },
  };
}

function openSender(address: KafkaAddress, identity: Identity): Sender {
  return makeSender(() => openProducer(address, identity));
}

/**
 * Not the idempotent producer of kafkajs: that one numbers the next record like one whose answer was lost, and the broker
 * then drops the next as a copy. A record that is there twice does no harm: consumers know an event by its id.
 */
function openProducer(address: KafkaAddress, identity: Identity): Producer {
  const { kafka, abandon } = openClient(address, identity);
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  const connected = producer.connect();
  return {
    abandon,
    async send({ topic, key, value, headers }) {
      await connected;
      const messages = [{ key, value, ...(headers && { headers }) }];
      const limits = { acks: -1, timeout: REQUEST_TIMEOUT_MS, compression: CompressionTypes.GZIP };
      await producer.send({ topic, messages, ...limits }).catch(rethrowMeaning);
    },
    async disconnect() {
      await Promise.race([producer.disconnect(), delay(PARTING_MS, undefined, { ref: false })]);
      abandon();
    },
  };
}

type ClientOptions = Identity & { readonly isQuiet?: boolean };

/** A quiet one tries once and says nothing but by what it fails with: it is there to look. */
function openClient({ brokers, tls, sasl }: KafkaAddress, { clientId, logger, isQuiet = false }: ClientOptions) {
  const { open, abandon } = openConnections();
  const login: SASLOptions | null = sasl;
  const kafka = new Kafka({
    clientId,
    brokers: [...brokers],
    ...(tls && { ssl: {} }),
    ...(login && { sasl: login }),
    socketFactory: open,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    authenticationTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retry: isQuiet ? { retries: 0 } : RETRY,
    logLevel: isQuiet ? logLevel.NOTHING : logLevel.INFO,
    logCreator: () => toLogLines(logger),
  });
  return { kafka, abandon };
}
