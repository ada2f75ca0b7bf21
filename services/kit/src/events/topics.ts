import { setTimeout as delay } from 'node:timers/promises';
import type { EventTopic } from '@pfq/proto/topics';
import type { Logger } from '../log.ts';

/** What of the driver's administrator is used. */
type Admin = {
  connect(): Promise<void>;
  listTopics(): Promise<readonly string[]>;
  createTopics(wanted: { waitForLeaders: boolean; topics: NewTopic[] }): Promise<unknown>;
  disconnect(): Promise<void>;
};

type NewTopic = { topic: string; numPartitions: number; configEntries: { name: string; value: string }[] };

const MADE_CHECK_MS = 50;
const MISSING_CHECK_MS = 500;

/** Makes those topics that the broker does not have, and their dead letters; returns once it knows them all. */
export async function makeMissing(admin: Admin, topics: readonly EventTopic[], logger: Logger): Promise<void> {
  const listMissing = async () => {
    const present = new Set(await admin.listTopics());
    return topics.flatMap((topic) => [topic, topic.deadLetter]).filter(({ name }) => !present.has(name));
  };
  await admin.connect();
  const missing = await listMissing();
  await admin.createTopics({
    // It waits for what the broker has not heard of yet by failing.
    waitForLeaders: false,
    topics: missing.map(({ name, partitions, ...limits }) => ({
      topic: name,
      numPartitions: partitions,
      configEntries: [
        { name: 'retention.ms', value: String(limits.retentionMs) },
        { name: 'max.message.bytes', value: String(limits.maxMessageBytes) },
        // All that kafkajs reads: the broker then turns what others send in snappy, lz4 or zstd into it.
        { name: 'compression.type', value: 'gzip' },
      ],
    })),
  });
  while ((await listMissing()).length > 0) await delay(MADE_CHECK_MS);
  for (const { name } of missing) logger.info({ topic: name }, 'topic made');
  await admin.disconnect();
}

/** Returns soon after the topic is there. The driver's own look for a topic fails after some tries, and rests in between. */
export async function waitForTopic(admin: Admin, topic: string, logger: Logger): Promise<void> {
  await admin.connect();
  let wasMissing = false;
  while (!(await admin.listTopics()).includes(topic)) {
    if (!wasMissing) logger.warn({ topic }, 'the topic does not exist; waiting for it');
    wasMissing = true;
    await delay(MISSING_CHECK_MS, undefined, { ref: false });
  }
  if (wasMissing) logger.info({ topic }, 'the topic exists now');
  await admin.disconnect();
}
