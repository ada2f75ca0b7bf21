import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import type { EventTopic } from '@pfq/proto/topics';
import kafkajs, { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import type { KafkaMessage, Message } from 'kafkajs';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { QUIET } from '../../../tests/support/kafka.ts';
import { until } from '../../../tests/support/until.ts';
import { consume, openPublisher } from './events.ts';
import type { Publisher } from './events.ts';
import type { KafkaAddress } from './events-url.ts';

/** More than a killed consumer's place in its group lasts. */
export const PATIENCE_MS = 30_000;

const { CompressionCodecs, ConfigSource } = kafkajs;

type Handle = (text: string) => Promise<void> | void;
type Consuming = { readonly topic: EventTopic; readonly groupId?: string; readonly logger?: Logger };

/** The texts that a consumer was given, in order; the consumer stops after the test. */
export type Listener = { readonly heard: readonly string[]; readonly stop: () => Promise<void> };

/** Events that are texts, at one broker, for one test. */
export function textEvents(t: TestContext, address: KafkaAddress) {
  const identity = { clientId: 'test', logger: QUIET };
  return {
    publisher(): Publisher {
      const publisher = openPublisher(address, identity);
      t.after(() => publisher.close());
      return publisher;
    },
    async listen(
      { topic, groupId = newName(), logger = QUIET }: Consuming,
      handle: Handle = () => {},
    ): Promise<Listener> {
      const heard: string[] = [];
      const consumer = await consume(address, {
        clientId: 'test',
        groupId,
        topic,
        logger,
        async handle(value) {
          const text = Buffer.from(value).toString();
          heard.push(text);
          await handle(text);
        },
      });
      t.after(() => consumer.stop());
      return { heard, stop: () => consumer.stop() };
    },
    /** What a topic holds, headers included, once it is as many as that. */
    async records(topic: string, count: number): Promise<readonly KafkaMessage[]> {
      const records: KafkaMessage[] = [];
      const consumer = driver(address).consumer({ groupId: newName(), maxWaitTimeInMs: 200 });
      t.after(() => consumer.disconnect());
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      await consumer.run({ eachMessage: async ({ message }) => void records.push(message) });
      await until(() => records.length >= count, PATIENCE_MS);
      return records;
    },
    /** Stores a record as no publisher of ours would. */
    async store(topic: string, message: Message, compression = CompressionTypes.None): Promise<void> {
      const producer = driver(address).producer();
      await producer.connect();
      try {
        await producer.send({ topic, messages: [message], compression });
      } finally {
        await producer.disconnect();
      }
    },
    /** Stores a record in a compression that we cannot read. */
    async storeInZstd(topic: string, message: Message): Promise<void> {
      const unknown = CompressionCodecs[CompressionTypes.ZSTD];
      const compress = async ({ buffer }: { readonly buffer: Buffer }) => zstdCompressSync(buffer);
      CompressionCodecs[CompressionTypes.ZSTD] = () => ({ compress });
      await this.store(topic, message, CompressionTypes.ZSTD);
      CompressionCodecs[CompressionTypes.ZSTD] = unknown;
    },
  };
}

/** How Kafka describes a topic: its partitions, and the settings that were made for it alone. */
export async function describeTopic(address: KafkaAddress, topic: string) {
  const admin = driver(address).admin();
  await admin.connect();
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [{ type: 2, name: topic }] });
  await admin.disconnect();
  const own = (resources[0]?.configEntries ?? []).filter(
    ({ configSource }) => configSource === ConfigSource.TOPIC_CONFIG,
  );
  const settings = Object.fromEntries(own.map(({ configName, configValue }) => [configName, configValue]));
  return { partitions: topics[0]?.partitions.length, settings };
}

/** A logger whose lines are kept. */
export function listeningLogger(): { readonly logger: Logger; readonly lines: readonly string[] } {
  const lines: string[] = [];
  return { logger: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }), lines };
}

export function newName(): string {
  return `test.${randomBytes(8).toString('hex')}`;
}

function driver({ brokers }: KafkaAddress): Kafka {
  return new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING });
}
