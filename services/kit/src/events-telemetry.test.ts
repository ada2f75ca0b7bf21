import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { kafkaBrokers, makeTopic, QUIET, WITHOUT_KAFKA } from '../../../tests/support/kafka.ts';
import { until } from '../../../tests/support/until.ts';
import { newName, PATIENCE_MS, textEvents } from './events.test-support.ts';
import { consume, kafkaDependency } from './events.ts';
import type { KafkaAddress } from './events-url.ts';
import { recordTelemetry } from './telemetry/recording.test-support.ts';
import { currentTrace, inSpan, SpanKind } from './telemetry/spans.ts';

const telemetry = recordTelemetry();
const NOWHERE: KafkaAddress = { kind: 'kafka', brokers: ['127.0.0.1:1'], tls: false, sasl: null };

test('a Kafka that is away is seen within seconds, by a reason without credentials', async () => {
  const sasl = { mechanism: 'plain', username: 'pfq', password: 'hunter2' } as const;
  const { check, isVital } = kafkaDependency({ ...NOWHERE, sasl }, { clientId: 'test', logger: QUIET });
  const startedMs = performance.now();
  await assert.rejects(check(), (error: Error) => /ECONNREFUSED/.test(error.message) && !/hunter2/.test(error.message));
  assert.ok(performance.now() - startedMs < 3_500);
  assert.equal(isVital, false);
});

describe('telemetry of events on Kafka', { skip: WITHOUT_KAFKA, concurrency: true }, () => {
  test('a Kafka that is there is well', async () => {
    await kafkaDependency(kafkaBrokers(), { clientId: 'test', logger: QUIET }).check();
  });

  test('from the sending to the handling it is one trace, over the header of the record', async (t) => {
    const topic = await makeTopic(kafkaBrokers(), { partitions: 1 });
    const events = textEvents(t, kafkaBrokers());
    const publisher = events.publisher();
    const seen: (string | undefined)[] = [];
    await events.listen({ topic }, () => void seen.push(currentTrace().traceparent));
    const publish = () => publisher.publish({ topic: topic.name, key: 'k', value: Buffer.from('text') });
    await inSpan('job', { kind: SpanKind.CONSUMER }, publish);
    const spanOf = (name: string) => telemetry.spans().find((span) => span.name === `${name} ${topic.name}`);
    await until(() => spanOf('process') !== undefined, PATIENCE_MS);
    const [sent, handled] = [spanOf('send'), spanOf('process')];
    assert.deepEqual([handled?.traceId, handled?.parentId], [sent?.traceId, sent?.id]);
    assert.deepEqual(seen, [`00-${sent?.traceId}-${handled?.id}-01`]);
  });

  test('a group falls behind while its handling fails, and catches up once it does not', async (t) => {
    const topic = await makeTopic(kafkaBrokers(), { partitions: 2 });
    const events = textEvents(t, kafkaBrokers());
    const publisher = events.publisher();
    const groupId = newName();
    let isMended = false;
    const consumer = await consume(kafkaBrokers(), {
      clientId: 'test',
      groupId,
      topic,
      logger: QUIET,
      lagEveryMs: 100,
      handle: async () => {
        if (!isMended) throw new Error('the database is away');
      },
    });
    t.after(() => consumer.stop());
    const lag = async () => {
      const readings = await telemetry.readings('pfq.events.consumer.lag');
      const own = readings.filter(({ attributes }) => Object.values(attributes).includes(groupId));
      return own.reduce((sum, { value }) => sum + value, own.length === topic.partitions ? 0 : Number.NaN);
    };
    await until(async () => (await lag()) === 0, PATIENCE_MS);
    for (const text of ['one', 'two', 'three'])
      await publisher.publish({ topic: topic.name, key: 'k', value: Buffer.from(text) });
    await until(async () => (await lag()) === 3, PATIENCE_MS);
    isMended = true;
    await until(async () => (await lag()) === 0, PATIENCE_MS);
  });
});
