import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toBinary } from '@bufbuild/protobuf';
import { makeTopics, openPublisher } from '@pfq/kit/events';
import { EventSchema } from '@pfq/proto/common/v1/event_pb';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { NotificationStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import { kafkaBrokers, WITHOUT_KAFKA } from '../../../tests/support/kafka.ts';
import { logger, newEvent, newInterest } from './notification.test-support.ts';
import { openScene } from './running-notification.test-support.ts';

const { SENT } = NotificationStatus;

test(
  'events of Kafka become one email each, whatever comes with them: copies, by RPC too, and what nobody can read',
  { skip: WITHOUT_KAFKA },
  async (t) => {
    const kafka = kafkaBrokers();
    await makeTopics(kafka, [INTEREST_EXPRESSED], logger);
    const publisher = openPublisher(kafka, { clientId: 'test', logger });
    t.after(() => publisher.close());
    // One key, so that all of them are in one partition, one behind the other.
    const interest = newInterest();
    const publish = (value: Uint8Array) =>
      publisher.publish({ topic: INTEREST_EXPRESSED.name, key: interest.quoteId, value });
    const publishEvent = (event: Event) => publish(toBinary(EventSchema, event));

    const { start, quoteStore, mailsOf } = await openScene(t);
    const { accept } = await start({ eventsUrl: kafka });
    const [first, last] = [newEvent(interest), newEvent(interest)];
    await publishEvent(first);
    await publish(Buffer.from('not an event'));
    await publishEvent(newEvent(interest, { schemaVersion: 2 }));
    await publishEvent(first);
    await publishEvent(last);
    await accept(first);
    await quoteStore.untilTold(first, SENT);
    await quoteStore.untilTold(last, SENT);
    assert.deepEqual([mailsOf(first).length, mailsOf(last).length], [1, 1]);
  },
);
