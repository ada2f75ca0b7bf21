import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EventTopic } from '@pfq/proto/topics';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import { failureOf } from '../../../tests/support/failures.ts';
import { kafkaBrokers, WITHOUT_KAFKA } from '../../../tests/support/kafka.ts';
import { listeningLogger } from './events.test-support.ts';
import type { KafkaAddress } from './events-url.ts';
import { describeError } from './log-error.ts';
import { migrateTopics } from './run-migration-topics.ts';

const LONG_MS = 60_000;
const NOWHERE: KafkaAddress = { kind: 'kafka', brokers: ['127.0.0.1:1'], tls: false, sasl: null };

test('a broker that is away is waited for as long as it is said, and then named with the reason', async () => {
  const { hasWaited, failed } = await outcomeOf(NOWHERE, { waitMs: 600 });
  assert.equal(failed, 'no connection to kafka within 0.6 s: Connection error: connect ECONNREFUSED 127.0.0.1:1');
  assert.ok(hasWaited);
});

describe('topics of a broker that answers', { skip: WITHOUT_KAFKA }, () => {
  test('what it refuses is not waited for, and the line names each topic and why', async () => {
    const topic = named('not a name');
    const { hasWaited, failed } = await outcomeOf(kafkaBrokers(), { topic });
    const invalid = 'The request attempted to perform an operation on an invalid topic';
    assert.equal(
      failed,
      `the topics are not made in kafka: not a name: ${invalid}; not a name.dead-letter: ${invalid}`,
    );
    assert.ok(!hasWaited);
  });
});

function named(name: string): EventTopic {
  return { ...INTEREST_EXPRESSED, name, deadLetter: { ...INTEREST_EXPRESSED.deadLetter, name: `${name}.dead-letter` } };
}

/** The message that the last line would have, and whether one before says that something is waited for. */
async function outcomeOf(address: KafkaAddress, { topic = named('a-name'), waitMs = LONG_MS } = {}) {
  const { logger, lines } = listeningLogger();
  const failure = await failureOf(migrateTopics(address, { topics: [topic], waitMs, logger }));
  const hasWaited = lines.some((line) => line.includes('waiting for a dependency'));
  return { hasWaited, failed: describeError(failure).message };
}
