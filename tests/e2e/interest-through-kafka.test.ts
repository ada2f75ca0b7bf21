import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consume, openPublisher } from '@pfq/kit/events';
import { prometheusName } from '@pfq/kit/telemetry/metrics';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import { quoteOf } from '../support/api.ts';
import { mailsAbout } from '../support/caught-mail.ts';
import { exampleBody } from '../support/examples.ts';
import { confirm, reviewChoice } from '../support/insured.ts';
import { QUIET, startKafkaBroker, WITHOUT_KAFKA_JARS } from '../support/kafka.ts';
import type { OwnBroker } from '../support/kafka.ts';
import { metricsPage } from '../support/metrics-page.ts';
import { startOtlpReceiver } from '../support/otlp.ts';
import type { OtlpReceiver } from '../support/otlp.ts';
import { awaitTrace } from '../support/otlp-trace.ts';
import { strangeMetrics, strangeSpans } from '../support/registered.ts';
import { linesWith } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { useStack } from '../support/use-stack.ts';
import { tapEdges } from './tap-trace.ts';

const PEOPLE = 50;
const SECONDS = 10_000;
/** The longest that publisher or consumer wait before they try again, and then some. */
const BACK_AGAIN_MS = 60_000;

describe('a stack whose events go through Kafka', { skip: WITHOUT_KAFKA_JARS }, () => {
  let kafka: OwnBroker;
  let receiver: OtlpReceiver;
  before(async () => {
    [kafka, receiver] = await Promise.all([startKafkaBroker(), startOtlpReceiver()]);
  });
  const { stack, api } = useStack(() => ({
    PFQ_EVENTS_URL: `kafka://${kafka.address.brokers.join()}`,
    // Only there the consumer says that it has joined its group.
    LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_TRACES_SAMPLER_ARG: '1',
  }));
  before(() => until(() => linesWith(stack(), 'notification', 'joined the group').length > 0, BACK_AGAIN_MS));
  after(() => Promise.all([kafka.remove(), receiver.stop()]));

  /** Has people respond to a new live quote at once; tells how long the confirmation took. */
  const tap = async ({ people = 1 } = {}) => {
    const quote = quoteOf(await api('live').post(exampleBody('roofing-contractor')));
    const review = () => reviewChoice(quote.hosted_url ?? '', quote.recommended_option_id ?? '');
    const reviews = await Promise.all(Array.from({ length: people }, review));
    const tappedMs = performance.now();
    const answers = await Promise.all(reviews.map((each) => confirm(each)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
    const requestId = answers[0]?.headers.get('request-id') ?? '';
    return { id: quote.id, requestId, tappedMs, tapMs: performance.now() - tappedMs };
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

  it('makes one trace of the tap and the email: through the topic, whose record leads from one service to the other', async () => {
    const { requestId } = await tap();
    const edges = tapEdges(`process ${INTEREST_EXPRESSED.name}`);
    const trace = await awaitTrace(receiver, { requestId, has: (one) => one.edges.length >= edges.length });
    assert.deepEqual(trace.edges, edges);
    assert.deepEqual([trace.orphans, trace.failed], [[], []]);
    assert.ok(trace.leaves.includes('notification: SMTP send'), trace.leaves.join());
    const sent = trace.spans.find(({ kind }) => kind === 'PRODUCER');
    const taken = trace.spans.find(({ kind, service }) => kind === 'CONSUMER' && service === 'notification');
    assert.equal(sent?.name, `send ${INTEREST_EXPRESSED.name}`);
    assert.equal(taken?.parentSpanId, sent?.spanId);
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

  it('tells of it in registered attributes and metrics, of the lag and of what is sent and processed', async () => {
    const lag = prometheusName('pfq.events.consumer.lag');
    await until(async () => (await metricsPage(stack(), 'notification')).includes(`\n${lag}{`), BACK_AGAIN_MS);
    await stack().stop();
    assert.deepEqual(strangeSpans(receiver.spans()), []);
    assert.deepEqual(strangeMetrics(receiver.metrics()), []);
    const seen = new Set(receiver.metrics().map(({ name }) => name));
    assert.ok(seen.has('messaging.client.operation.duration') && seen.has('messaging.process.duration'));
  });
});
