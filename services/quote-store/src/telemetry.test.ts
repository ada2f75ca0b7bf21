import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { TestContext } from 'node:test';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { callerHeaders } from '@pfq/kit/caller';
import { newId } from '@pfq/kit/ids';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { operatorHeaders } from '@pfq/kit/rpc/operator-credential';
import { recordTelemetry } from '@pfq/kit/telemetry/recording.test-support';
import { inSpan, SpanKind } from '@pfq/kit/telemetry/spans';
import { HostedQuoteService } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import { NotificationStatus, QuoteStoreAdminService, QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { until } from '../../../tests/support/until.ts';
import { toPartiesMessage } from './messages/parties-message.ts';
import { startNotification } from './publishing/notification.test-support.ts';
import { start } from './server.ts';
import { LIVE_TENANT, makeLiveDatabase, newLinkHash, newQuote, PARTIES, SECONDS } from './store.test-support.ts';

const telemetry = recordTelemetry();
beforeEach(() => telemetry.forgetSpans());

const OPERATOR_TOKEN = 'operator-token-of-the-store-tests';
const AS_OPERATOR = { headers: operatorHeaders({ token: OPERATOR_TOKEN, actor: 'dana' }) };
const AS_LIVE = { headers: callerHeaders({ requestId: newId('req_', Date.now()), tenant: LIVE_TENANT }) };

async function startStore(t: TestContext) {
  const [{ url }, notification] = await Promise.all([makeLiveDatabase(t), startNotification(t)]);
  const service = await start({
    databaseUrl: url,
    databasePoolSize: 10,
    migrateOnStart: true,
    eventsUrl: { kind: 'grpc', url: notification.url },
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
  const quotes = createClient(QuoteStoreService, transport);
  return {
    quotes,
    notification,
    hosted: createClient(HostedQuoteService, transport),
    admin: createClient(QuoteStoreAdminService, transport),
    create: async () => {
      const { id: quoteId, createdAt, expiresAt, parties: _, ...quote } = newQuote();
      const { apiVersion, requestMembers, pricedMembers, ...rest } = quote;
      const snapshot = { apiVersion, requestMembers, pricedMembers };
      const times = { createdAt: timestampFromDate(createdAt), expiresAt: timestampFromDate(expiresAt) };
      const parties = toPartiesMessage(PARTIES);
      await quotes.createQuote({ ...rest, ...times, quoteId, snapshot, parties }, AS_LIVE);
      return { quoteId, hostedLinkHash: quote.hostedLinkHash };
    },
  };
}

const asTap = <T>(work: () => Promise<T>) => inSpan('tap', { kind: SpanKind.SERVER }, work);
const newChange = (quoteId: string) => ({ quoteId, changeId: newId('chg_', Date.now()) });

test('from the tap to the service that mails it is one trace, which the event names, and every span says of which quote', async (t) => {
  const { create, hosted, notification } = await startStore(t);
  const { quoteId, hostedLinkHash } = await create();
  telemetry.forgetSpans();
  const response = { ...newChange(quoteId), hostedLinkHash, optionId: 'opt_15_9', note: 'secret words' };
  await asTap(() => hosted.expressInterest(response, AS_LIVE));
  const spanOf = (name: string, kind?: SpanKind) =>
    telemetry.spans().find((span) => span.name.endsWith(name) && (kind === undefined || span.kind === kind));
  await until(() => spanOf('process publish-interest') !== undefined, SECONDS);
  await asTap(() => hosted.expressInterest(response, AS_LIVE));
  const [tap, job] = [spanOf('tap'), spanOf('process publish-interest')];
  const [stored, accepted] = ['ExpressInterest', 'AcceptEvent'].map((name) => spanOf(name, SpanKind.SERVER));
  const [, trace, parent] = notification.taken[0]?.event?.traceparent?.split('-') ?? [];
  assert.deepEqual([trace, parent], [tap?.traceId, stored?.id]);
  assert.deepEqual([job?.traceId, job?.parentId], [tap?.traceId, stored?.id]);
  assert.equal(accepted?.traceId, tap?.traceId);
  assert.equal(spanOf('AcceptEvent', SpanKind.CLIENT)?.parentId, job?.id);
  for (const span of [stored, job]) assert.equal(span?.attributes['pfq.quote.id'], quoteId);
  assert.equal(notification.taken.length, 1);
  const counted = await telemetry.readings('pfq.interests');
  assert.deepEqual(counted, [{ value: 1, attributes: { 'pfq.mode': 'live' } }]);
  assert.doesNotMatch(JSON.stringify(telemetry.spans()), /secret/);
});

test('every statement of the store is called by what it does', async (t) => {
  const { create, quotes, hosted, admin } = await startStore(t);
  const { quoteId, hostedLinkHash } = await create();
  const optionId = 'opt_15_9';
  const replaced = { ...newChange(quoteId), hostedLinkHash: newLinkHash() };
  const voided = newQuote().id;
  await quotes.getQuote({ quoteId }, AS_LIVE);
  await admin.lookUpQuote({ quoteId }, AS_OPERATOR);
  await hosted.readHostedQuote({ hostedLinkHash }, AS_LIVE);
  for (let time = 1; time <= 2; time += 1) await quotes.replaceHostedLink(replaced, AS_LIVE);
  const response = { ...newChange(quoteId), hostedLinkHash: replaced.hostedLinkHash, optionId };
  for (let time = 1; time <= 2; time += 1) await hosted.expressInterest(response, AS_LIVE);
  await quotes.voidQuote({ quoteId: voided }, AS_LIVE);
  await quotes.voidQuoteChange(newChange(quoteId), AS_LIVE);
  await assert.rejects(hosted.expressInterest({ ...response, ...newChange(quoteId) }, AS_LIVE));
  const outcome = { quoteId, eventId: newId('evt_', 0), revision: 1, at: timestampFromDate(new Date()) };
  await assert.rejects(quotes.recordBrokerNotification({ ...outcome, status: NotificationStatus.SENT }, AS_LIVE));
  const names = telemetry
    .spans()
    .filter(({ attributes }) => 'db.query.summary' in attributes)
    .map(({ name }) => name);
  assert.deepEqual([...new Set(names)].toSorted(), [
    'BEGIN',
    'COMMIT',
    'INSERT hosted_links',
    'INSERT interests',
    'INSERT quote_changes',
    'INSERT quotes',
    'ROLLBACK',
    'SELECT graphile_worker.add_job',
    'SELECT hosted_links',
    'SELECT interests',
    'SELECT quotes',
    'UPDATE interests',
  ]);
});
