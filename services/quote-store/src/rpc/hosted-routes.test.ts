import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { timestampNow } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { callerHeaders } from '@pfq/kit/caller';
import type { Tenant } from '@pfq/kit/caller';
import { ServiceError } from '@pfq/kit/errors';
import { newId } from '@pfq/kit/ids';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { serveRpc } from '@pfq/kit/rpc/server';
import { fromWireError } from '@pfq/kit/rpc/status';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { HostedQuoteService, LinkState } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import { NotificationStatus, QuoteStatus, QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { postgresQuoteStore } from '../storage/postgres.ts';
import {
  LIVE_TENANT,
  loggerInto,
  makeLiveDatabase,
  membersOffering,
  newChange,
  newLinkHash,
  newQuote,
  PARTIES,
  TENANT,
} from '../store.test-support.ts';
import { quoteStoreRoutes } from './routes.ts';

const CALLER = { requestId: newId('req_', Date.now()) };
/** As the page calls: it knows no agency. */
const AS_PAGE = { headers: callerHeaders(CALLER) };
const AS_TENANT = { headers: callerHeaders({ ...CALLER, tenant: LIVE_TENANT }) };

const TENANTS = [
  [Mode.LIVE, LIVE_TENANT],
  [Mode.TEST, TENANT],
] as const;

type Scene = Parameters<typeof newQuote>[0] & { readonly tenant?: Tenant };

async function openPage(t: TestContext, { tenant = LIVE_TENANT, ...changes }: Scene = {}) {
  const store = postgresQuoteStore((await makeLiveDatabase(t)).open());
  const quote = newQuote(changes);
  await store.create(tenant, quote);
  const lines: object[] = [];
  const logger = loggerInto(lines);
  const operatorToken = 'operator-token-of-the-store-tests';
  const routes = quoteStoreRoutes(store, logger);
  const server = await serveRpc({
    routes,
    host: '127.0.0.1',
    port: 0,
    operatorToken,
    logger,
    tls: null,
    connectionAgeMs: null,
  });
  const transport = createRpcTransport(`grpc://127.0.0.1:${server.port}`, null);
  t.after(async () => {
    transport.close();
    await server.stop();
  });
  return {
    store,
    quote,
    lines,
    page: createClient(HostedQuoteService, transport),
    quotes: createClient(QuoteStoreService, transport),
    response: { hostedLinkHash: quote.hostedLinkHash, changeId: newChange(quote.id).id, optionId: 'opt_15_9' },
  };
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(() => assert.fail('it should have failed'), fromWireError);
  return error instanceof ServiceError ? error.code : assert.fail(error);
}

test('a link shows the quote as everyone reads it, and who takes part', async (t) => {
  const { quote, page, quotes } = await openPage(t);
  const { linkState, quote: shown } = await page.readHostedQuote({ hostedLinkHash: quote.hostedLinkHash }, AS_PAGE);
  assert.equal(linkState, LinkState.CURRENT);
  assert.deepEqual(shown?.quote, (await quotes.getQuote({ quoteId: quote.id }, AS_TENANT)).quote);
  const { $typeName: _, ...parties } = shown?.parties ?? assert.fail('nobody takes part');
  assert.deepEqual(parties, PARTIES);
});

test('of a quote that was stored without names a link shows the broker by the address alone', async (t) => {
  const requestMembers = Buffer.from('"client_reference_id":null,"broker":{"email":"shown@agency.example"}');
  const { quote, page } = await openPage(t, { parties: null, requestMembers });
  const { quote: shown } = await page.readHostedQuote({ hostedLinkHash: quote.hostedLinkHash }, AS_PAGE);
  const { $typeName: _, ...parties } = shown?.parties ?? assert.fail('nobody takes part');
  assert.deepEqual(parties, { brokerEmail: 'shown@agency.example' });
});

test('a live response is answered as the quote is read from then on, with its notification on the way', async (t) => {
  const { quote, page, quotes, response } = await openPage(t);
  const { linkState, quote: answered } = await page.expressInterest({ ...response, note: 'Call me.' }, AS_PAGE);
  assert.deepEqual([linkState, answered?.quote?.status], [LinkState.CURRENT, QuoteStatus.INTERESTED]);
  const { brokerNotification, optionId, note } = answered?.quote?.interest ?? assert.fail('there is no interest');
  assert.deepEqual([optionId, note], ['opt_15_9', 'Call me.']);
  assert.deepEqual(
    [brokerNotification?.status, brokerNotification?.recipient, brokerNotification?.reason],
    [NotificationStatus.PENDING, PARTIES.brokerEmail, undefined],
  );
  assert.deepEqual(answered?.quote, (await quotes.getQuote({ quoteId: quote.id }, AS_TENANT)).quote);
  assert.deepEqual((await page.expressInterest({ ...response, note: 'Call me.' }, AS_PAGE)).quote, answered);
});

for (const [mode, tenant] of TENANTS) {
  test(`a link to a ${tenant.mode} quote says so, for as long as it counts and after`, async (t) => {
    const { store, quote, page, response } = await openPage(t, { tenant });
    const read = async () => (await page.readHostedQuote({ hostedLinkHash: quote.hostedLinkHash }, AS_PAGE)).mode;
    assert.equal(await read(), mode);
    assert.equal((await page.expressInterest(response, AS_PAGE)).mode, mode);
    await store.replaceHostedLink(newChange(quote.id, { tenant, brokerId: undefined }), newLinkHash());
    assert.equal(await read(), mode);
    const other = { ...response, changeId: newChange(quote.id).id };
    assert.equal((await page.expressInterest(other, AS_PAGE)).mode, mode);
  });
}

test('a link that was replaced shows nothing and takes nothing', async (t) => {
  const { store, quote, page, response } = await openPage(t);
  const visibility = { tenant: LIVE_TENANT, brokerId: undefined };
  await store.replaceHostedLink(newChange(quote.id, visibility), newLinkHash());
  const { $typeName: _, ...shown } = await page.readHostedQuote({ hostedLinkHash: quote.hostedLinkHash }, AS_PAGE);
  assert.deepEqual(shown, { linkState: LinkState.REPLACED, mode: Mode.LIVE });
  const { $typeName: __, ...answered } = await page.expressInterest(response, AS_PAGE);
  assert.deepEqual(answered, { linkState: LinkState.REPLACED, mode: Mode.LIVE });
});

test('a link that is unknown or no hash at all is found nowhere', async (t) => {
  const { page, response } = await openPage(t);
  for (const hostedLinkHash of [newLinkHash(), newLinkHash().subarray(1), new Uint8Array(), new Uint8Array(100_000)]) {
    assert.equal(await codeOf(page.readHostedQuote({ hostedLinkHash }, AS_PAGE)), 'NOT_FOUND');
    assert.equal(await codeOf(page.expressInterest({ ...response, hostedLinkHash }, AS_PAGE)), 'NOT_FOUND');
  }
});

test('what the quote refuses is told by its code', async (t) => {
  const { page, response } = await openPage(t);
  const unknown = page.expressInterest({ ...response, optionId: 'opt_99_9' }, AS_PAGE);
  assert.equal(await codeOf(unknown), 'VALIDATION_FAILED');
  await page.expressInterest(response, AS_PAGE);
  const second = page.expressInterest({ ...response, changeId: newChange('').id }, AS_PAGE);
  assert.equal(await codeOf(second), 'QUOTE_ALREADY_INTERESTED');
});

test('an ineligible quote is shown, and takes no response', async (t) => {
  const { page, response } = await openPage(t, { pricedMembers: membersOffering() });
  const { linkState } = await page.readHostedQuote(response, AS_PAGE);
  assert.equal(linkState, LinkState.CURRENT);
  assert.equal(await codeOf(page.expressInterest(response, AS_PAGE)), 'VALIDATION_FAILED');
});

test('what becomes of a response is logged once, under the request that made it, without a word of what it says', async (t) => {
  const { store, quote, page, quotes, lines, response } = await openPage(t);
  await page.expressInterest({ ...response, note: 'Call me.' }, AS_PAGE);
  const again = { headers: callerHeaders({ requestId: newId('req_', Date.now()) }) };
  await page.expressInterest({ ...response, note: 'Call me.' }, again);
  const found = await store.find(quote.id, { tenant: LIVE_TENANT, brokerId: undefined });
  const eventId = found?.interest?.eventId ?? assert.fail('no event tells of it');
  const outcome = { quoteId: quote.id, eventId, revision: 1, at: timestampNow() };
  await quotes.recordBrokerNotification({ ...outcome, status: NotificationStatus.SENT }, AS_TENANT);
  const ids = { request_id: CALLER.requestId, event_id: eventId, quote_id: quote.id };
  const told = lines.filter((line) => !('rpc' in line));
  assert.deepEqual(told, [
    { ...ids, msg: 'interest stored' },
    { ...ids, revision: 1, status: 'sent', reason: null, msg: 'notification recorded' },
  ]);
});
