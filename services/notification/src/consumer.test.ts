import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toBinary } from '@bufbuild/protobuf';
import { makeTopics, openPublisher } from '@pfq/kit/events';
import { recordTelemetry } from '@pfq/kit/telemetry/recording.test-support';
import { inSpan, SpanKind } from '@pfq/kit/telemetry/spans';
import { EventSchema } from '@pfq/proto/common/v1/event_pb';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { NotificationStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import { kafkaBrokers, WITHOUT_KAFKA } from '../../../tests/support/kafka.ts';
import { until } from '../../../tests/support/until.ts';
import { logger, newEvent, newInterest, SECONDS } from './notification.test-support.ts';
import { openScene } from './running-notification.test-support.ts';

const telemetry = recordTelemetry();
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

test('from the publishing of an event over Kafka to its mail is one trace', { skip: WITHOUT_KAFKA }, async (t) => {
  const kafka = kafkaBrokers();
  await makeTopics(kafka, [INTEREST_EXPRESSED], logger);
  const publisher = openPublisher(kafka, { clientId: 'test', logger });
  t.after(() => publisher.close());
  const { start, quoteStore } = await openScene(t);
  await start({ eventsUrl: kafka });
  const event = newEvent();
  const record = { topic: INTEREST_EXPRESSED.name, key: event.eventId, value: toBinary(EventSchema, event) };
  await inSpan('job', { kind: SpanKind.CONSUMER }, () => publisher.publish(record));
  await quoteStore.untilTold(event, SENT);
  const job = telemetry.spans().find(({ name }) => name === 'job');
  const inTrace = () => telemetry.spans().filter(({ traceId }) => traceId === job?.traceId);
  const wanted = [`send ${record.topic}`, `process ${record.topic}`, 'process send-email', 'SMTP send'];
  await until(() => wanted.every((name) => inTrace().some((span) => span.name === name)), SECONDS);
  const handled = inTrace().find(({ name }) => name === `process ${record.topic}`);
  assert.equal(inTrace().find(({ name }) => name === 'process send-email')?.parentId, handled?.id);
});
