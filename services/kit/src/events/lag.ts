import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import { observe } from '../telemetry/metrics.ts';

/** What of the driver's administrator is used. */
type Admin = {
  connect(): Promise<void>;
  fetchTopicOffsets(topic: string): Promise<readonly { partition: number; high: string; low: string }[]>;
  fetchOffsets(wanted: {
    groupId: string;
    topics: string[];
  }): Promise<readonly { partitions: readonly { partition: number; offset: string }[] }[]>;
};

type Reader = { readonly topic: string; readonly groupId: string };
type PartitionLag = { readonly partition: number; readonly events: number };

type Watching = Reader & {
  readonly look: () => Promise<readonly PartitionLag[]>;
  /** From the end of a look to the next. */
  readonly everyMs: number;
  readonly logger: Pick<Logger, 'debug'>;
};

/** How many events of each partition the group has not finished with. One that never finished any has all of them ahead. */
export async function readLag(admin: Admin, { topic, groupId }: Reader): Promise<readonly PartitionLag[]> {
  await admin.connect();
  // In this order: the driver learns which brokers there are when it first asks about a topic, and asks a group's broker next.
  const ends = await admin.fetchTopicOffsets(topic);
  const committed = await admin.fetchOffsets({ groupId, topics: [topic] });
  const places = new Map(committed.flatMap(({ partitions }) => partitions).map((one) => [one.partition, one.offset]));
  return ends.map(({ partition, high, low }) => {
    const place = Number(places.get(partition) ?? -1);
    return { partition, events: Math.max(0, Number(high) - Math.max(place, Number(low))) };
  });
}

/**
 * Looks now and again and again at how far a group is behind, and tells it until it is stopped, whatever becomes of the
 * consumer meanwhile. While nobody can know, because Kafka is away, nothing is told.
 */
export function watchLag({ topic, groupId, look, everyMs, logger }: Watching): { stop(): void } {
  const stopping = new AbortController();
  const { signal } = stopping;
  let lags: readonly PartitionLag[] = [];
  const about = { 'messaging.destination.name': topic, 'messaging.consumer.group.name': groupId };
  const forget = observe('pfq.events.consumer.lag', () =>
    lags.map(({ partition, events }) => ({
      value: events,
      attributes: { ...about, 'messaging.destination.partition.id': String(partition) },
    })),
  );

  async function keepLooking(): Promise<void> {
    while (!signal.aborted) {
      try {
        lags = await look();
      } catch (error) {
        lags = [];
        logger.debug({ err: error, topic }, 'nobody knows how far the consumer is behind');
      }
      await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  void keepLooking();
  return {
    stop() {
      forget();
      stopping.abort();
    },
  };
}
