import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { quoteOf } from '../support/api.ts';
import { mailsAbout } from '../support/caught-mail.ts';
import { exampleBody } from '../support/examples.ts';
import { confirm, reviewChoice } from '../support/insured.ts';
import { startKafkaBroker, WITHOUT_KAFKA_JARS } from '../support/kafka.ts';
import type { OwnBroker } from '../support/kafka.ts';
import { until } from '../support/until.ts';
import { useStack } from '../support/use-stack.ts';

const SECONDS = 10_000;
/** The longest that publisher or consumer wait before they try again, and then some. */
const BACK_AGAIN_MS = 60_000;

describe('a stack whose events go through Kafka', { skip: WITHOUT_KAFKA_JARS }, () => {
  let kafka: OwnBroker;
  before(async () => {
    kafka = await startKafkaBroker();
  });
  const { stack, api } = useStack(() => ({ PFQ_EVENTS_URL: `kafka://${kafka.address.brokers.join()}` }));
  after(() => kafka.remove());

  /** Has someone respond to a new live quote; tells how long the confirmation took. */
  const tap = async () => {
    const quote = quoteOf(await api('live').post(exampleBody('roofing-contractor')));
    const review = await reviewChoice(quote.hosted_url ?? '', quote.recommended_option_id ?? '');
    const tappedMs = performance.now();
    assert.equal((await confirm(review)).status, 303);
    return { id: quote.id, tappedMs, tapMs: performance.now() - tappedMs };
  };
  const statusOf = async (id: string) =>
    JSON.parse((await api('live').get(id)).text).interest.broker_notification.status;
  const untilSent = (id: string, timeoutMs: number) => until(async () => (await statusOf(id)) === 'sent', timeoutMs);

  it('brings the email within two seconds of the confirmation, once', async () => {
    await untilSent((await tap()).id, BACK_AGAIN_MS);
    const { id, tappedMs } = await tap();
    await until(async () => (await mailsAbout(stack(), id)).length > 0, SECONDS);
    const elapsedMs = performance.now() - tappedMs;
    assert.ok(elapsedMs < 2_000, `it took ${elapsedMs} ms`);
    await untilSent(id, SECONDS);
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
