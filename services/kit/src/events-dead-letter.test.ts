import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { CompressionTypes } from 'kafkajs';
import { kafkaBrokers, makeTopic, QUIET, WITHOUT_KAFKA } from '../../../tests/support/kafka.ts';
import { until } from '../../../tests/support/until.ts';
import { listeningLogger, newName, PATIENCE_MS, textEvents } from './events.test-support.ts';
import { makeTopics, UnreadableEvent } from './events.ts';

const utf8 = (text: string) => Buffer.from(text);

describe('dead letters on Kafka', { skip: WITHOUT_KAFKA, concurrency: true }, () => {
  test('what cannot be read becomes a dead letter, byte for byte with why and whence, and the next one is handled', async (t) => {
    const topic = await makeTopic(kafkaBrokers(), { partitions: 1 });
    const events = textEvents(t, kafkaBrokers());
    const { logger, lines } = listeningLogger();
    const value = Buffer.from([0xff, 0x00, 0xfe]);
    await events.store(topic.name, { key: Buffer.from([0xc3]), value, headers: { origin: ['a', 'b'] } });
    await events.publisher().publish({ topic: topic.name, key: 'k', value: utf8('next') });
    const { heard } = await events.listen({ topic, logger }, (text) => {
      if (text !== 'next') throw new UnreadableEvent('no such schema');
    });
    await until(() => heard.includes('next'), PATIENCE_MS);
    const [letter, ...others] = await events.records(topic.deadLetter.name, 1);
    assert.deepEqual([others, letter?.key, letter?.value], [[], Buffer.from([0xc3]), value]);
    const { origin, 'pfq-set-aside-at': at, ...why } = letter?.headers ?? {};
    assert.deepEqual([origin].flat().map(String), ['a', 'b']);
    assert.ok(Math.abs(Date.now() - Date.parse(String(at))) < PATIENCE_MS);
    assert.deepEqual(Object.fromEntries(Object.entries(why).map(([name, said]) => [name, String(said)])), {
      'pfq-reason': 'no such schema',
      'pfq-topic': topic.name,
      'pfq-partition': '0',
      'pfq-offset': '0',
    });
    const errors = lines.filter((line) => line.includes('"level":50'));
    assert.equal(errors.length, 1);
    assert.match(errors[0] ?? '', /set aside/);
  });

  test('a record without a value becomes a dead letter', async (t) => {
    const topic = await makeTopic(kafkaBrokers(), { partitions: 1 });
    const events = textEvents(t, kafkaBrokers());
    await events.store(topic.name, { key: 'k', value: null });
    const { heard } = await events.listen({ topic });
    const [letter] = await events.records(topic.deadLetter.name, 1);
    assert.deepEqual(
      [letter?.value, String(letter?.headers?.['pfq-reason']), heard],
      [null, 'the record has no value', []],
    );
  });

  for (const [what, { value, compression }] of Object.entries({
    'as large as its topic allows': { value: randomBytes(1_048_150), compression: CompressionTypes.None },
    'three times as large, which was compressed': { value: Buffer.alloc(3e6, 'x'), compression: CompressionTypes.GZIP },
  })) {
    test(`a record ${what} becomes a dead letter byte for byte, and the next one is handled`, async (t) => {
      const topic = await makeTopic(kafkaBrokers(), { partitions: 1 });
      const events = textEvents(t, kafkaBrokers());
      await events.store(topic.name, { key: 'k', value }, compression);
      await events.publisher().publish({ topic: topic.name, key: 'k', value: utf8('next') });
      const { heard } = await events.listen({ topic }, (text) => {
        if (text !== 'next') throw new UnreadableEvent('garbage');
      });
      await until(() => heard.includes('next'), PATIENCE_MS);
      const [letter] = await events.records(topic.deadLetter.name, 1);
      assert.ok(letter?.value?.equals(value));
      assert.equal(String(letter?.headers?.['pfq-reason']), 'garbage');
    });
  }

  test('a record that is too large for a dead letter is set aside without its value, and the next one is handled', async (t) => {
    const name = newName();
    const limits = { holds: 'texts', partitions: 1, retentionMs: 3_600_000, maxMessageBytes: 1_000_000 };
    const topic = { ...limits, name, deadLetter: { ...limits, name: `${name}.dead-letter`, maxMessageBytes: 2_000 } };
    await makeTopics(kafkaBrokers(), [topic], QUIET);
    const events = textEvents(t, kafkaBrokers());
    const { logger, lines } = listeningLogger();
    const [large, largeKey] = [randomBytes(4_000), randomBytes(4_000)];
    await events.store(name, { key: 'k', value: large, headers: { origin: 'a' } });
    await events.store(name, { key: largeKey, value: 'small', headers: { origin: largeKey } });
    await events.publisher().publish({ topic: name, key: 'k', value: utf8('next') });
    const { heard } = await events.listen({ topic, logger }, (text) => {
      if (text !== 'next') throw new UnreadableEvent('garbage');
    });
    await until(() => heard.includes('next'), PATIENCE_MS);
    const letters = await events.records(topic.deadLetter.name, 2);
    const told = letters.map(({ key, value, headers = {} }) => {
      const texts = Object.entries(headers).filter(([header]) => header !== 'pfq-set-aside-at');
      return [key && String(key), value, Object.fromEntries(texts.map(([header, text]) => [header, String(text)]))];
    });
    const about = (offset: string, value: Buffer) => ({
      'pfq-reason': 'garbage',
      'pfq-topic': name,
      'pfq-partition': '0',
      'pfq-offset': offset,
      'pfq-value-bytes': String(value.length),
      'pfq-value-sha256': createHash('sha256').update(value).digest('hex'),
    });
    assert.deepEqual(told, [
      ['k', null, about('0', large)],
      [null, null, about('1', utf8('small'))],
    ]);
    assert.equal(lines.filter((line) => /"level":50.*without its value/.test(line)).length, 2);
    assert.equal(heard.length, 3);
  });

  test('where a dead letter cannot be written its record comes again, and nothing is lost', async (t) => {
    const { deadLetter, ...made } = await makeTopic(kafkaBrokers(), { partitions: 1 });
    const missing = { ...made, deadLetter: { ...deadLetter, name: newName() } };
    const events = textEvents(t, kafkaBrokers());
    const publisher = events.publisher();
    for (const text of ['bad', 'next']) await publisher.publish({ topic: made.name, key: 'k', value: utf8(text) });
    const { heard } = await events.listen({ topic: missing }, (text) => {
      if (text === 'bad') throw new UnreadableEvent('bad');
    });
    await until(() => heard.length >= 2, PATIENCE_MS);
    assert.deepEqual([...new Set(heard)], ['bad']);
    await makeTopics(kafkaBrokers(), [missing], QUIET);
    await until(() => heard.includes('next'), PATIENCE_MS);
    const letters = await events.records(missing.deadLetter.name, 1);
    assert.equal(letters[0]?.value?.toString(), 'bad');
  });
});
