import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consume, openPublisher } from '@pfq/kit/events';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import { quoteOf } from '../support/api.ts';
import { mailsAbout } from '../support/caught-mail.ts';
import { exampleBody } from '../support/examples.ts';
import { confirm, reviewChoice } from '../support/insured.ts';
import { QUIET, startKafkaBroker, WITHOUT_KAFKA_JARS } from '../support/kafka.ts';
import type { OwnBroker } from '../support/kafka.ts';
import { linesWith } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { useStack } from '../support/use-stack.ts';

const PEOPLE = 50;
const SECONDS = 10_000;
/** The longest that publisher or consumer wait before they try again, and then some. */
const BACK_AGAIN_MS = 60_000;

describe('a stack whose events go through Kafka', { skip: WITHOUT_KAFKA_JARS }, () => {
  let kafka: OwnBroker;
  before(async () => {
    kafka = await startKafkaBroker();
  });
  const { stack, api } = useStack(() => ({
    PFQ_EVENTS_URL: `kafka://${kafka.address.brokers.join()}`,
    // Only there the consumer says that it has joined its group.
    LOG_LEVEL: 'debug',
  }));
  before(() => until(() => linesWith(stack(), 'notification', 'joined the group').length > 0, BACK_AGAIN_MS));
  after(() => kafka.remove());

  /** Has people respond to a new live quote at once; tells how long the confirmation took. */
  const tap = async ({ people = 1 } = {}) => {
    const quote = quoteOf(await api('live').post(exampleBody('roofing-contractor')));
    const review = () => reviewChoice(quote.hosted_url ?? '', quote.recommended_option_id ?? '');
    const reviews = await Promise.all(Array.from({ length: people }, review));
    const tappedMs = performance.now();
    const answers = await Promise.all(reviews.map((each) => confirm(each)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
    return { id: quote.id, tappedMs, tapMs: performance.now() - tappedMs };
  };
  const statusOf = async (id: string) =>
    JSON.parse((await api('live').get(id)).text).interest.broker_notification.status;
  const untilSent = (id: string, timeoutMs: number) => until(async () => (await statusOf(id)) === 'sent', timeoutMs);

  /** How many records about a quote the topic has. A last one behind them, which nobody understands, says that it was all. */
  const countRecords = async (id: string) => {
    const last = Buffer.from(`that was all about ${id}`);
    const identity = { clientId: 'test', logger: QUIET };
    const publisher = openPublisher(kafka.address, identity);
    await publisher.publish({ topic: INTEREST_EXPRESSED.name, key: id, value: last });
    await publisher.close();
    const records: Buffer[] = [];
    const consumer = await consume(kafka.address, {
      ...identity,
      groupId: `records-of-${id}`,
      topic: INTEREST_EXPRESSED,
      handle: async (value) => void records.push(Buffer.from(value)),
    });
    await until(() => records.some((record) => record.equals(last)), BACK_AGAIN_MS);
    await consumer.stop();
    return records.filter((record) => record.includes(id) && !record.equals(last)).length;
  };

  it('brings the email of the very first response within two seconds of the confirmation, once', async () => {
    const { id, tappedMs } = await tap();
    await until(async () => (await mailsAbout(stack(), id)).length > 0, SECONDS);
    const elapsedMs = performance.now() - tappedMs;
    assert.ok(elapsedMs < 2_000, `it took ${elapsedMs} ms`);
    await untilSent(id, SECONDS);
    assert.equal((await mailsAbout(stack(), id)).length, 1);
  });

  it('puts one record into the topic, and brings one email, where fifty people confirm at once', async () => {
    const { id } = await tap({ people: PEOPLE });
    await untilSent(id, SECONDS);
    assert.equal(await countRecords(id), 1);
    assert.equal((await mailsAbout(stack(), id)).length, 1);
  });

  it('takes responses at once while Kafka is away, and brings each of their emails once when it is back', async () => {
    await kafka.kill();
    const taps = [await tap(), await tap(), await tap()];
    for (const { id, tapMs } of taps) {
      assert.ok(tapMs < 1_000, `the confirmation took ${tapMs} ms`);
      assert.equal(await statusOf(id), 'pending');
    }
    await kafka.restart();
    for (const { id } of taps) await untilSent(id, BACK_AGAIN_MS);
    const mails = await Promise.all(taps.map(({ id }) => mailsAbout(stack(), id)));
    assert.deepEqual(
      mails.map(({ length }) => length),
      [1, 1, 1],
    );
  });
});
