import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EventTopic } from '@pfq/proto/topics';
import { kafkaBrokers, makeTopic, QUIET, WITHOUT_KAFKA } from '../../../tests/support/kafka.ts';
import { until } from '../../../tests/support/until.ts';
import { describeTopic, listeningLogger, newName, PATIENCE_MS, textEvents } from './events.test-support.ts';
import { makeTopics } from './events.ts';

const utf8 = (text: string) => Buffer.from(text);

describe('events on Kafka', { skip: WITHOUT_KAFKA, concurrency: true }, () => {
  test('topics that are missing are made with their partitions, limits and dead letter, even by several at once', async () => {
    const name = newName();
    const holds = 'texts';
    const limits = { partitions: 1, retentionMs: 9_000_000, maxMessageBytes: 20_000 };
    const deadLetter = { ...limits, holds, name: `${name}.dead-letter` };
    const topic: EventTopic = {
      name,
      holds,
      partitions: 4,
      retentionMs: 7_200_000,
      maxMessageBytes: 10_000,
      deadLetter,
    };
    await Promise.all([1, 2, 3].map(() => makeTopics(kafkaBrokers(), [topic], QUIET)));
    await makeTopics(kafkaBrokers(), [topic], QUIET);
    assert.deepEqual(await describeTopic(kafkaBrokers(), name), {
      partitions: 4,
      settings: { 'retention.ms': '7200000', 'max.message.bytes': '10000', 'compression.type': 'gzip' },
    });
    assert.deepEqual(await describeTopic(kafkaBrokers(), deadLetter.name), {
      partitions: 1,
      settings: { 'retention.ms': '9000000', 'max.message.bytes': '20000', 'compression.type': 'gzip' },
    });
  });

  test('what is published is stored byte for byte with its key', async (t) => {
    const topic = await makeTopic(kafkaBrokers(), { partitions: 3 });
    const events = textEvents(t, kafkaBrokers());
    const value = Uint8Array.from({ length: 256 }, (_, index) => index);
    await events.publisher().publish({ topic: topic.name, key: 'qte_ä', value });
    const [record] = await events.records(topic.name, 1);
    assert.deepEqual(record?.value, Buffer.from(value));
    assert.equal(record?.key?.toString(), 'qte_ä');
  });

  test('a consumer whose topic is not there yet warns once, and reads it within a second once it is', async (t) => {
    const made = await makeTopic(kafkaBrokers(), { partitions: 1 });
    const topic = { ...made, name: newName() };
    const events = textEvents(t, kafkaBrokers());
    const { logger, lines } = listeningLogger();
    const { heard } = await events.listen({ topic, logger });
    const told = (what: string) => lines.filter((line) => line.includes(what)).length;
    await until(() => told('does not exist') > 0, PATIENCE_MS);
    // The wait in which kafkajs' own look for a topic fails, again and again.
    await assert.rejects(events.publisher().publish({ topic: topic.name, key: 'k', value: utf8('early') }));
    await makeTopics(kafkaBrokers(), [topic], QUIET);
    const startedMs = performance.now();
    await events.publisher().publish({ topic: topic.name, key: 'k', value: utf8('first') });
    await until(() => heard.length > 0, PATIENCE_MS);
    assert.ok(performance.now() - startedMs < 1_000, `took ${performance.now() - startedMs} ms`);
    assert.equal(told('"level":40'), 1);
  });

  test('what others send in a compression that we cannot read is turned into ours by the broker', async (t) => {
    const topic = await makeTopic(kafkaBrokers(), { partitions: 1 });
    const events = textEvents(t, kafkaBrokers());
    await events.storeInZstd(topic.name, { value: 'in zstd' });
    const { heard } = await events.listen({ topic });
    await until(() => heard.includes('in zstd'), PATIENCE_MS);
  });

  test('events of one key are handled in the order in which they were published', async (t) => {
    const topic = await makeTopic(kafkaBrokers(), { partitions: 3 });
    const events = textEvents(t, kafkaBrokers());
    const publisher = events.publisher();
    const published = Array.from({ length: 60 }, (_, index) => ({ key: `key ${index % 4}`, text: `${index}` }));
    for (const { key, text } of published) await publisher.publish({ topic: topic.name, key, value: utf8(text) });
    const { heard } = await events.listen({ topic });
    await until(() => heard.length >= published.length, PATIENCE_MS);
    for (const wanted of ['key 0', 'key 1', 'key 2', 'key 3']) {
      const texts = published.filter(({ key }) => key === wanted).map(({ text }) => text);
      assert.deepEqual(
        heard.filter((text) => texts.includes(text)),
        texts,
      );
    }
  });

  test('an event whose handling fails comes again before the next of its partition, and holds up no other', async (t) => {
    const topic = await makeTopic(kafkaBrokers(), { partitions: 2 });
    const events = textEvents(t, kafkaBrokers());
    for (const [partition, value] of [
      [0, 'failing'],
      [0, 'behind'],
      [1, 'beside'],
    ] as const) {
      await events.store(topic.name, { partition, value });
    }
    let isMended = false;
    const { heard } = await events.listen({ topic }, (text) => {
      if (text === 'failing' && !isMended) throw new Error('the database is away');
    });
    const failures = () => heard.filter((text) => text === 'failing').length;
    await until(() => failures() >= 2 && heard.includes('beside'), PATIENCE_MS);
    await events.store(topic.name, { partition: 1, value: 'beside too' });
    await until(() => heard.includes('beside too'), PATIENCE_MS);
    assert.ok(!heard.includes('behind'));
    isMended = true;
    await until(() => heard.includes('behind'), PATIENCE_MS);
    const records = await events.records(topic.deadLetter.name, 0);
    assert.deepEqual(records, []);
  });

  test('handling that takes longer than a session keeps the place in the group: the event comes once', async (t) => {
    const topic = await makeTopic(kafkaBrokers(), { partitions: 1 });
    const events = textEvents(t, kafkaBrokers());
    const groupId = newName();
    const slow = Promise.withResolvers<void>();
    const timer = setTimeout(slow.resolve, 12_000);
    t.after(() => clearTimeout(timer));
    const busy = await events.listen({ topic, groupId }, (text) => (text === 'slow' ? slow.promise : undefined));
    const publisher = events.publisher();
    for (const text of ['slow', 'next']) await publisher.publish({ topic: topic.name, key: 'k', value: utf8(text) });
    await until(() => busy.heard.includes('next'), PATIENCE_MS);
    assert.deepEqual(busy.heard, ['slow', 'next']);
  });

  test('a consumer that stops finishes the event under way, which no other gets again, and leaves the rest to them', async (t) => {
    const topic = await makeTopic(kafkaBrokers(), { partitions: 1 });
    const events = textEvents(t, kafkaBrokers());
    const groupId = newName();
    const publisher = events.publisher();
    const slow = Promise.withResolvers<void>();
    for (const text of ['under way', 'rest']) {
      await publisher.publish({ topic: topic.name, key: 'k', value: utf8(text) });
    }
    const leaving = await events.listen({ topic, groupId }, () => slow.promise);
    await until(() => leaving.heard.length > 0, PATIENCE_MS);
    const stopped = leaving.stop();
    slow.resolve();
    await stopped;
    assert.deepEqual(leaving.heard, ['under way']);
    const startedMs = performance.now();
    const staying = await events.listen({ topic, groupId });
    await until(() => staying.heard.includes('rest'), PATIENCE_MS);
    assert.deepEqual(staying.heard, ['rest']);
    // Had it not left, its place would be held for a session of ten seconds.
    assert.ok(performance.now() - startedMs < 8_000);
  });

  test('while consumers come and go every event is handled', async (t) => {
    const topic = await makeTopic(kafkaBrokers(), { partitions: 6 });
    const events = textEvents(t, kafkaBrokers());
    const groupId = newName();
    const publisher = events.publisher();
    const texts = Array.from({ length: 120 }, (_, index) => `event ${index}`);
    const listeners = [await events.listen({ topic, groupId })];
    const heard = () => new Set(listeners.flatMap((listener) => listener.heard));
    for (const [index, text] of texts.entries()) {
      await publisher.publish({ topic: topic.name, key: text, value: utf8(text) });
      if (index === 30) listeners.push(await events.listen({ topic, groupId }));
      if (index === 60) await until(() => (listeners[1]?.heard.length ?? 0) > 0 || heard().size === 61, PATIENCE_MS);
      if (index === 80) await listeners[0]?.stop();
    }
    await until(() => heard().size === texts.length, PATIENCE_MS);
    assert.ok(listeners.every((listener) => listener.heard.length > 0));
  });
});
