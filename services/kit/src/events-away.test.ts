import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { EventTopic } from '@pfq/proto/topics';
import { failureOf } from '../../../tests/support/failures.ts';
import { makeTopic, QUIET, startKafkaBroker, WITHOUT_KAFKA_JARS } from '../../../tests/support/kafka.ts';
import type { OwnBroker } from '../../../tests/support/kafka.ts';
import { until } from '../../../tests/support/until.ts';
import { listeningLogger, newName, PATIENCE_MS, textEvents } from './events.test-support.ts';
import { makeTopics, openPublisher, startMakingTopics } from './events.ts';
import type { Publisher } from './events.ts';
import type { KafkaAddress } from './events-url.ts';
import { migrateTopics } from './run-migration-topics.ts';

/** Ten seconds, and what a busy machine adds. */
const BOUNDED_MS = 12_000;

describe('events while Kafka comes and goes', { skip: WITHOUT_KAFKA_JARS }, () => {
  let broker: OwnBroker;
  let topic: EventTopic;
  before(async () => {
    broker = await startKafkaBroker();
    topic = await makeTopic(broker.address, { partitions: 3 });
  });
  after(() => broker.remove());
  const event = (text: string) => ({ topic: topic.name, key: text, value: Buffer.from(text) });

  test('a broker that dies costs no event: what needs it fails in bounded time, and all goes on by itself when it is back', async (t) => {
    const events = textEvents(t, broker.address);
    const publisher = events.publisher();
    const groupId = newName();
    const early = await events.listen({ topic, groupId });
    await publisher.publish(event('before'));
    await until(() => early.heard.includes('before'), PATIENCE_MS);
    await broker.kill();
    const attempts = [publisher.publish(event('while away')), makeTopics(broker.address, [topic], QUIET)];
    const wanted = { ...topic, name: newName(), deadLetter: { ...topic.deadLetter, name: newName() } };
    const [leaving, staying] = [1, 2].map(() => startMakingTopics(broker.address, [wanted], QUIET));
    t.after(() => staying?.stop());
    await Promise.all(attempts.map(isRefusedInTime));
    const stoppedMs = performance.now();
    await leaving?.stop();
    assert.ok(performance.now() - stoppedMs < 500);
    const late = await events.listen({ topic, groupId: newName() });
    await broker.restart();
    await until(() => publishes(publisher, event('after')), PATIENCE_MS);
    for (const { heard } of [early, late]) await until(() => heard.includes('after'), PATIENCE_MS);
    assert.ok(late.heard.includes('before'));
    await until(() => publishes(publisher, { ...event('topic made'), topic: wanted.name }), PATIENCE_MS);
  });

  test('a broker that falls silent holds nobody up: publishing and stopping end in bounded time', async (t) => {
    const events = textEvents(t, broker.address);
    const publisher = events.publisher();
    const groupId = newName();
    const stopping = await events.listen({ topic, groupId });
    const staying = await events.listen({ topic, groupId: newName() });
    await publisher.publish(event('before silence'));
    for (const { heard } of [stopping, staying]) await until(() => heard.includes('before silence'), PATIENCE_MS);
    broker.pause();
    const startedMs = performance.now();
    await Promise.all([isRefusedInTime(publisher.publish(event('in silence'))), stopping.stop()]);
    assert.ok(performance.now() - startedMs < BOUNDED_MS);
    broker.resume();
    await until(() => publishes(publisher, event('after silence')), PATIENCE_MS);
    await until(() => staying.heard.includes('after silence'), PATIENCE_MS);
  });

  test('events go over TLS with a login, and nothing of it is logged', async () => {
    const usual = getCACertificates('default');
    setDefaultCACertificates([...usual, readFileSync(broker.certificate, 'utf8')]);
    try {
      for (const mechanism of ['plain', 'scram-sha-256', 'scram-sha-512'] as const) {
        const { logger, lines } = listeningLogger();
        const identity = { clientId: 'test', logger };
        await publishOnce(withLogin(broker, { mechanism }), identity);
        const wrong = { mechanism, password: 'not the password' };
        await assert.rejects(publishOnce(withLogin(broker, wrong), identity), /not published/);
        // A migration does not wait for what is refused.
        const making = migrateTopics(withLogin(broker, wrong), { topics: [topic], waitMs: 60_000, logger });
        await assert.rejects(making, /^Error: no connection to kafka: SASL .*Authentication failed/);
        assert.ok(lines.length > 0);
        assert.doesNotMatch(lines.join('\n'), /p@ss|not the password|cEBzcz/);
      }
    } finally {
      setDefaultCACertificates(usual);
    }
    await assert.rejects(publishOnce(withLogin(broker, {}), { clientId: 'test', logger: QUIET }), /not published/);
  });

  async function publishOnce(address: KafkaAddress, identity: Parameters<typeof openPublisher>[1]): Promise<void> {
    const publisher = openPublisher(address, identity);
    try {
      await publisher.publish(event('by login'));
    } finally {
      await publisher.close();
    }
  }
});

function publishes(publisher: Publisher, event: Parameters<Publisher['publish']>[0]): Promise<boolean> {
  return publisher.publish(event).then(
    () => true,
    () => false,
  );
}

async function isRefusedInTime(work: Promise<void>): Promise<void> {
  const startedMs = performance.now();
  assert.ok((await failureOf(work)) instanceof Error);
  assert.ok(performance.now() - startedMs < BOUNDED_MS, `took ${performance.now() - startedMs} ms`);
}

function withLogin({ secured }: OwnBroker, changed: Partial<NonNullable<KafkaAddress['sasl']>>): KafkaAddress {
  return { ...secured, sasl: secured.sasl && { ...secured.sasl, ...changed } };
}
