import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { consume, makeTopics } from '@pfq/kit/events';
import type { EventsUrl } from '@pfq/kit/events-url';
import { startJobs } from '@pfq/kit/jobs';
import { EventSchema } from '@pfq/proto/common/v1/event_pb';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { InterestExpressedSchema } from '@pfq/proto/quotestore/v1/interest_expressed_pb';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import { kafkaBrokers, WITHOUT_KAFKA } from '../../../../tests/support/kafka.ts';
import { until } from '../../../../tests/support/until.ts';
import {
  LIVE_TENANT,
  logger,
  loggerInto,
  makeLiveDatabase,
  NEW_INTEREST,
  newChange,
  newQuote,
  newTelling,
  readJobKeys,
  SILENT,
} from '../store.test-support.ts';
import { postgresQuoteStore } from '../storage/postgres.ts';
import { PUBLISH_INTEREST, publishJob } from '../storage/publish-job.ts';
import type { QuoteStore } from '../storage/store.ts';
import { openDelivery } from './delivery.ts';
import { startNotification } from './notification.test-support.ts';
import { publishInterest } from './publish-interest.ts';

const LONG = 15_000;
const RETRY = { firstMs: 20, longestMs: 100 };

async function openStore(t: TestContext) {
  const made = await makeLiveDatabase(t);
  const database = made.open();
  const store = postgresQuoteStore(database);
  return {
    database,
    store,
    runPublisher: (target: EventsUrl) => startPublisher(t, target, { url: made.url, store }),
  };
}

/** Stores a response to a new quote, and gives what is to be told of it. */
async function respond(store: QuoteStore) {
  const quote = newQuote();
  const telling = newTelling();
  await store.create(LIVE_TENANT, quote);
  const change = newChange(quote.id, { tenant: LIVE_TENANT, brokerId: undefined });
  await store.expressInterest(change, { ...NEW_INTEREST, telling });
  return { quoteId: quote.id, telling };
}

type Scene = { readonly url: string; readonly store: QuoteStore };

/** The publisher as the service runs it, but less patient. */
async function startPublisher(t: TestContext, target: EventsUrl, { url, store }: Scene): Promise<void> {
  const delivery = openDelivery(target, { clientId: 'quote-store', logger: SILENT, tls: null });
  const tasks = { [PUBLISH_INTEREST]: publishInterest({ store, delivery, logger: SILENT }) };
  const jobs = await startJobs({ databaseUrl: url, tasks, concurrency: 4, retry: RETRY, logger: SILENT });
  t.after(async () => {
    await jobs.stop();
    await delivery.close();
  });
}

test('an interest is told of on behalf of its agency, under the request that it came from', async (t) => {
  const { database, store, runPublisher } = await openStore(t);
  const notification = await startNotification(t);
  await runPublisher({ kind: 'grpc', url: notification.url });
  const { quoteId, telling } = await respond(store);
  await until(async () => (await readJobKeys(database)).length === 0, LONG);
  const [taken, ...others] = notification.taken;
  assert.deepEqual(others, []);
  assert.deepEqual(taken?.caller, { requestId: telling.requestId, tenant: LIVE_TENANT });
  assert.deepEqual([taken.event?.eventId, taken.event?.requestId], [telling.eventId, telling.requestId]);
  const payload = fromBinary(InterestExpressedSchema, taken.event?.payload ?? new Uint8Array());
  assert.deepEqual([payload.quoteId, payload.agencyId, payload.note], [quoteId, 'agy_1', 'Please call after five.']);
});

test('over Kafka an interest is told of in its topic', { skip: WITHOUT_KAFKA }, async (t) => {
  const { database, store, runPublisher } = await openStore(t);
  await makeTopics(kafkaBrokers(), [INTEREST_EXPRESSED], logger);
  await runPublisher(kafkaBrokers());
  const { quoteId, telling } = await respond(store);
  await until(async () => (await readJobKeys(database)).length === 0, LONG);
  const found: Event[] = [];
  const consumer = await consume(kafkaBrokers(), {
    clientId: 'quote-store-test',
    groupId: `quote-store-test-${telling.eventId}`,
    topic: INTEREST_EXPRESSED,
    // The topic is everybody's, and what others put there may be no event at all.
    handle: async (value) => {
      if (Buffer.from(value).includes(telling.eventId)) found.push(fromBinary(EventSchema, value));
    },
    logger,
  });
  await until(() => found.length > 0, LONG);
  await consumer.stop();
  const [event] = found;
  const payload = fromBinary(InterestExpressedSchema, event?.payload ?? new Uint8Array());
  assert.deepEqual([event?.eventId, event?.requestId, payload.quoteId], [telling.eventId, telling.requestId, quoteId]);
});

test('while nobody can be told responses are taken all the same, and once somebody can, all of them are told of', async (t) => {
  const { database, store, runPublisher } = await openStore(t);
  const away = await startNotification(t);
  await away.stop();
  await runPublisher({ kind: 'grpc', url: away.url });
  const responses = [await respond(store), await respond(store), await respond(store)];
  const WERE_TRIED = 'SELECT id FROM graphile_worker.jobs WHERE run_at > created_at';
  await until(async () => (await database.read(WERE_TRIED, [])).length === 3, LONG);
  const back = await startNotification(t, { port: away.port });
  await until(async () => (await readJobKeys(database)).length === 0, LONG);
  const told = new Set(back.taken.map(({ event }) => event?.eventId));
  assert.deepEqual(told, new Set(responses.map(({ telling }) => telling.eventId)));
});

test('an interest that is told of again is told of by the same bytes', async (t) => {
  const { store } = await openStore(t);
  const response = await respond(store);
  const told: Event[] = [];
  const delivery = { deliver: async (event: Event) => void told.push(event) };
  const task = publishInterest({ store, delivery, logger });
  const { payload } = publishJob({ tenant: LIVE_TENANT, ...response });
  for (const number of [1, 2]) await task(payload, { number });
  const [first, second] = told.map((event) => toBinary(EventSchema, event));
  assert.ok(first);
  assert.deepEqual(first, second);
});

test('a job names what it is about by ids alone, and its lines say which request that was', async (t) => {
  const { database, store } = await openStore(t);
  const { quoteId, telling } = await respond(store);
  const [job] = await database.read<{ payload: object }>('SELECT payload FROM graphile_worker._private_jobs', []);
  assert.doesNotMatch(JSON.stringify(job), /Please call|Lone Star|Avery|agency\.example/);

  const lines: object[] = [];
  let isAway = true;
  const deliver = async () => {
    if (isAway) throw new Error('nobody is there');
  };
  const task = publishInterest({ store, delivery: { deliver }, logger: loggerInto(lines) });
  const { payload } = publishJob({ tenant: LIVE_TENANT, quoteId, telling });
  await assert.rejects(task(payload, { number: 1 }), /nobody is there/);
  isAway = false;
  await task(payload, { number: 2 });
  const ids = { request_id: telling.requestId, event_id: telling.eventId, quote_id: quoteId };
  assert.deepEqual(lines, [
    { ...ids, attempt: 1, msg: 'event not published yet' },
    { ...ids, msg: 'event published' },
  ]);
});

test('of an interest that was removed, and of another than the job is about, nobody is told', async (t) => {
  const { store } = await openStore(t);
  const { quoteId } = await respond(store);
  const deliver = () => assert.fail('it was told of');
  const task = publishInterest({ store, delivery: { deliver }, logger: SILENT });
  for (const other of [{ quoteId }, { quoteId: newQuote().id }]) {
    const { payload } = publishJob({ tenant: LIVE_TENANT, telling: newTelling(), ...other });
    await task(payload, { number: 1 });
  }
});
