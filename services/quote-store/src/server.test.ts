import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { callerHeaders } from '@pfq/kit/caller';
import { ServiceError } from '@pfq/kit/errors';
import type { EventsUrl } from '@pfq/kit/events-url';
import { newId } from '@pfq/kit/ids';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { operatorHeaders } from '@pfq/kit/rpc/operator-credential';
import { fromWireError } from '@pfq/kit/rpc/status';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { HostedQuoteService } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import {
  NotificationStatus,
  QuoteStatus,
  QuoteStoreAdminService,
  QuoteStoreService,
} from '@pfq/proto/quotestore/v1/quote_store_pb';
import { startNotification } from './publishing/notification.test-support.ts';
import { toPartiesMessage } from './messages/parties-message.ts';
import { start } from './server.ts';
import { makeDatabase, setTime } from '../../../tests/support/database.ts';
import { until } from '../../../tests/support/until.ts';
import {
  LIVE_TENANT,
  makeLiveDatabase,
  membersOffering,
  newLinkHash,
  newQuote,
  SECONDS,
  TENANT,
} from './store.test-support.ts';

const OPERATOR_TOKEN = 'operator-token-of-the-store-tests';
const AS_OPERATOR = { headers: operatorHeaders({ token: OPERATOR_TOKEN, actor: 'dana' }) };
const AS_TENANT = { headers: callerHeaders({ requestId: 'req_1', tenant: TENANT }) };

/** Nobody takes events there. */
const NOWHERE: EventsUrl = { kind: 'grpc', url: 'grpc://127.0.0.1:1' };

/** A store over a database of its own, stopped after the test. */
async function startStore(t: TestContext, eventsUrl = NOWHERE) {
  const made = await makeLiveDatabase(t);
  return { made, ...(await serve(t, made.url, eventsUrl)) };
}

async function serve(t: TestContext, databaseUrl: string, eventsUrl = NOWHERE) {
  const service = await start({
    databaseUrl,
    databasePoolSize: 10,
    migrateOnStart: true,
    eventsUrl,
    listenHost: '127.0.0.1',
    rpcTlsDir: null,
    connectionAgeMs: 300_000,
    rpcPort: 0,
    operatorToken: OPERATOR_TOKEN,
    logLevel: 'error',
    logFormat: 'json',
  });
  const transport = createRpcTransport(`grpc://127.0.0.1:${service.port}`, null);
  t.after(async () => {
    transport.close();
    await service.stop();
  });
  return {
    quotes: createClient(QuoteStoreService, transport),
    hosted: createClient(HostedQuoteService, transport),
    admin: createClient(QuoteStoreAdminService, transport),
  };
}

function createRequest(changes: Parameters<typeof newQuote>[0] = {}) {
  const { id, createdAt, expiresAt, apiVersion, requestMembers, pricedMembers, parties, ...quote } = newQuote(changes);
  return {
    ...quote,
    quoteId: id,
    createdAt: timestampFromDate(createdAt),
    expiresAt: timestampFromDate(expiresAt),
    snapshot: { apiVersion, requestMembers, pricedMembers },
    ...(parties && { parties: toPartiesMessage(parties) }),
  };
}

function changeOf(quoteId: string) {
  return { quoteId, changeId: newId('chg_', Date.now()) };
}

async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  const error = await call.then(() => assert.fail('it should have failed'), fromWireError);
  return error instanceof ServiceError ? error : assert.fail(error);
}

test('replicas that start at once bring one database up to date, and both serve', async (t) => {
  const { url } = await makeDatabase(t);
  const [one, other] = await Promise.all([serve(t, url), serve(t, url)]);
  const request = createRequest();
  await one.quotes.createQuote(request, AS_TENANT);
  await other.quotes.createQuote(request, AS_TENANT);
  const { quote } = await other.quotes.getQuote({ quoteId: request.quoteId }, AS_TENANT);
  assert.equal(quote?.quoteId, request.quoteId);
});

test('a quote comes back with its mode and its status at the moment of reading', async (t) => {
  const { made, quotes } = await startStore(t);
  const database = made.open();
  const request = createRequest();
  await quotes.createQuote(request, AS_TENANT);
  for (const [now, status] of [
    ['2126-12-20T10:00:00.122Z', QuoteStatus.ACTIVE],
    ['2126-12-20T10:00:00.123Z', QuoteStatus.EXPIRED],
  ] as const) {
    await setTime(database, now);
    const { quote } = await quotes.getQuote({ quoteId: request.quoteId, brokerId: 'brk_1' }, AS_TENANT);
    assert.deepEqual([quote?.mode, quote?.status, quote?.interest], [Mode.TEST, status, undefined], now);
  }
});

test('a quote comes back with the API version it was made for, which is the first where none was told', async (t) => {
  const { quotes } = await startStore(t);
  for (const [told, kept] of [
    ['2027-01-01', '2027-01-01'],
    ['', '2026-09-23'],
  ] as const) {
    const request = createRequest({ apiVersion: told });
    await quotes.createQuote(request, AS_TENANT);
    const { quote } = await quotes.getQuote({ quoteId: request.quoteId }, AS_TENANT);
    assert.equal(quote?.snapshot?.apiVersion, kept);
  }
});

test('a test interest is answered as the quote is read from then on, and notifies nobody', async (t) => {
  const { made, quotes, admin } = await startStore(t);
  await setTime(made.open(), '2026-12-01T12:00:00.123Z');
  const { quoteId, ...rest } = createRequest();
  await quotes.createQuote({ quoteId, ...rest }, AS_TENANT);
  const request = { ...changeOf(quoteId), brokerId: 'brk_1', optionId: 'opt_15_9', note: 'Call me.' };
  const { quote: answered } = await quotes.expressTestInterest(request, AS_TENANT);
  assert.equal(answered?.status, QuoteStatus.INTERESTED);
  const at = timestampFromDate(new Date('2026-12-01T12:00:00.123Z'));
  const { $typeName: _, brokerNotification, ...interest } = answered.interest ?? assert.fail('there is no interest');
  assert.deepEqual(interest, { optionId: 'opt_15_9', note: 'Call me.', submittedAt: at });
  const { $typeName: __, ...notification } = brokerNotification ?? assert.fail('there is no notification');
  assert.deepEqual(notification, { status: NotificationStatus.SKIPPED, reason: 'test_mode', at });
  assert.deepEqual((await quotes.getQuote({ quoteId }, AS_TENANT)).quote, answered);
  assert.deepEqual((await admin.lookUpQuote({ quoteId }, AS_OPERATOR)).quote, answered);
});

test('a note that is absent or empty is absent', async (t) => {
  const { quotes } = await startStore(t);
  for (const note of [{}, { note: '' }]) {
    const request = createRequest();
    await quotes.createQuote(request, AS_TENANT);
    const response = { ...changeOf(request.quoteId), optionId: 'opt_15_9', ...note };
    const { quote } = await quotes.expressTestInterest(response, AS_TENANT);
    assert.equal(quote?.interest?.note, undefined);
  }
});

test('an option that the quote does not offer is refused with its place and what can be chosen', async (t) => {
  const { quotes } = await startStore(t);
  const [offering, empty] = [createRequest(), createRequest({ pricedMembers: membersOffering() })];
  for (const [request, hint] of [
    [offering, /one of the options of this quote: opt_15_9, opt_25_10/],
    [empty, /this quote has none/],
  ] as const) {
    await quotes.createQuote(request, AS_TENANT);
    const response = { ...changeOf(request.quoteId), optionId: 'opt_1_1' };
    const { code, message, details } = await failureOf(quotes.expressTestInterest(response, AS_TENANT));
    assert.deepEqual([code, details], ['VALIDATION_FAILED', [{ code: 'INVALID_VALUE', param: 'option_id', message }]]);
    assert.match(message, hint);
  }
});

test('a new link is answered with the quote as it stands, and a quote past its time gets none', async (t) => {
  const { made, quotes } = await startStore(t);
  const request = createRequest();
  await quotes.createQuote(request, AS_TENANT);
  const replacing = { ...changeOf(request.quoteId), hostedLinkHash: newLinkHash() };
  const { quote } = await quotes.replaceHostedLink(replacing, AS_TENANT);
  assert.deepEqual(quote, (await quotes.getQuote({ quoteId: request.quoteId }, AS_TENANT)).quote);
  await setTime(made.open(), timestampDate(request.expiresAt).toISOString());
  const late = quotes.replaceHostedLink({ ...changeOf(request.quoteId), hostedLinkHash: newLinkHash() }, AS_TENANT);
  assert.equal((await failureOf(late)).code, 'QUOTE_EXPIRED');
});

test('what was voided is answered as lost', async (t) => {
  const { quotes } = await startStore(t);
  const [voided, request] = [createRequest(), createRequest()];
  await quotes.voidQuote({ quoteId: voided.quoteId }, AS_TENANT);
  await quotes.createQuote(request, AS_TENANT);
  const change = changeOf(request.quoteId);
  await quotes.voidQuoteChange(change, AS_TENANT);
  const calls = [
    quotes.createQuote(voided, AS_TENANT),
    quotes.replaceHostedLink({ ...change, hostedLinkHash: newLinkHash() }, AS_TENANT),
    quotes.expressTestInterest({ ...change, optionId: 'opt_15_9' }, AS_TENANT),
  ];
  for (const { code } of await Promise.all(calls.map(failureOf))) assert.equal(code, 'IDEMPOTENCY_RECORD_LOST');
});

const AS_LIVE = { headers: callerHeaders({ requestId: newId('req_', Date.now()), tenant: LIVE_TENANT }) };

test('a live response is told of at once, and what became of the mail is read with the quote', async (t) => {
  const notification = await startNotification(t);
  const target: EventsUrl = { kind: 'grpc', url: notification.url };
  const { quotes, hosted } = await startStore(t, target);
  const { quoteId, hostedLinkHash, ...rest } = createRequest();
  await quotes.createQuote({ quoteId, hostedLinkHash, ...rest }, AS_LIVE);
  await hosted.expressInterest({ ...changeOf(quoteId), hostedLinkHash, optionId: 'opt_15_9' }, AS_LIVE);
  await until(() => notification.taken.length > 0, SECONDS);
  const { eventId = '' } = notification.taken[0]?.event ?? {};
  const read = async () => (await quotes.getQuote({ quoteId }, AS_LIVE)).quote?.interest?.brokerNotification;
  assert.equal((await read())?.status, NotificationStatus.PENDING);

  const at = timestampFromDate(new Date('2026-12-01T12:00:00.123Z'));
  const outcome = { quoteId, eventId, revision: 1, status: NotificationStatus.FAILED, reason: 'refused', at };
  await quotes.recordBrokerNotification(outcome, AS_LIVE);
  const { $typeName: _, ...recorded } = (await read()) ?? assert.fail('there is no notification');
  const { status, reason } = outcome;
  assert.deepEqual(recorded, { status, reason, at, recipient: 'avery.stone@agency.example' });
  const strange = [{ quoteId: 'qte_' }, { eventId: 'evt_' }, { eventId: newId('evt_', 0) }];
  for (const other of strange) {
    const recording = quotes.recordBrokerNotification({ ...outcome, ...other }, AS_LIVE);
    assert.equal((await failureOf(recording)).code, 'NOT_FOUND');
  }
});

for (const eventsUrl of [NOWHERE, { kind: 'kafka', brokers: ['127.0.0.1:1'], tls: false, sasl: null }] as const) {
  test(`a store starts, takes responses and stops while there is nobody to tell over ${eventsUrl.kind}`, async (t) => {
    const { quotes, hosted } = await startStore(t, eventsUrl);
    const { quoteId, hostedLinkHash, ...rest } = createRequest();
    await quotes.createQuote({ quoteId, hostedLinkHash, ...rest }, AS_LIVE);
    const response = { ...changeOf(quoteId), hostedLinkHash, optionId: 'opt_15_9' };
    const { quote } = await hosted.expressInterest(response, AS_LIVE);
    assert.equal(quote?.quote?.status, QuoteStatus.INTERESTED);
  });
}

test('the operator gets what is needed to price a quote again, by its id alone', async (t) => {
  const { quotes, admin } = await startStore(t);
  const request = createRequest();
  await quotes.createQuote(request, AS_TENANT);
  const found = await admin.lookUpQuote({ quoteId: request.quoteId }, AS_OPERATOR);
  assert.deepEqual([found.agencyId, found.brokerId], ['agy_1', 'brk_1']);
  assert.deepEqual(Buffer.from(found.deal), Buffer.from(request.deal));
  assert.deepEqual(Buffer.from(found.pricedUnder), Buffer.from(request.pricedUnder));
  const asTenant = admin.lookUpQuote({ quoteId: request.quoteId }, AS_TENANT);
  assert.equal((await failureOf(asTenant)).code, 'INVALID_API_KEY');
});

test('an id that is unknown, malformed or unspeakable to PostgreSQL is found nowhere', async (t) => {
  const { quotes, admin } = await startStore(t);
  const { quoteId: unknown } = createRequest();
  for (const quoteId of [unknown, '', `${unknown}\0`, 'qte_', "' OR 1=1 --", 'x'.repeat(100_000)]) {
    const change = { ...changeOf(unknown), quoteId };
    const calls = [
      quotes.getQuote({ quoteId }, AS_TENANT),
      quotes.replaceHostedLink({ ...change, hostedLinkHash: newLinkHash() }, AS_TENANT),
      quotes.expressTestInterest({ ...change, optionId: 'opt_15_9' }, AS_TENANT),
      admin.lookUpQuote({ quoteId }, AS_OPERATOR),
    ];
    for (const { code } of await Promise.all(calls.map(failureOf))) assert.equal(code, 'NOT_FOUND');
  }
});
