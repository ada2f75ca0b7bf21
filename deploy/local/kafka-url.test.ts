import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseKafka } from './kafka-url.ts';

test('events need no Kafka unless PFQ_EVENTS_URL names one', () => {
  assert.equal(chooseKafka({}), null);
  assert.equal(chooseKafka({ PFQ_EVENTS_URL: '' }), null);
  for (const url of ['kafka://localhost:9092,localhost:9093', 'kafkas://user:password@broker.example:9093']) {
    assert.equal(chooseKafka({ PFQ_EVENTS_URL: url }), url);
  }
});

test('what is no address of a Kafka is refused in one line that does not repeat it', () => {
  for (const url of ['localhost:9092', 'redis://:secret@localhost:6379', 'grpc://localhost:9090']) {
    const message = /^PFQ_EVENTS_URL must be kafka:\/\/host:port or kafkas:\/\/host:port; [a-z K]+\.$/;
    assert.throws(() => chooseKafka({ PFQ_EVENTS_URL: url }), { name: 'Problem', message });
  }
});
