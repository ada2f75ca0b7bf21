import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampNow } from '@bufbuild/protobuf/wkt';
import type { Client } from '@connectrpc/connect';
import { Code, createClient, createRouterTransport } from '@connectrpc/connect';
import { callerHeaders } from '@pfq/kit/caller';
import type { Tenant } from '@pfq/kit/caller';
import { NotificationStatus, QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { RecordBrokerNotificationRequestSchema } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { postgresQuoteStore } from '../storage/postgres.ts';
import {
  LIVE_TENANT,
  logger,
  makeMigratedDatabase,
  newChange,
  newLinkHash,
  newQuote,
  newTelling,
  readEverything,
  TENANT,
} from '../store.test-support.ts';
import { quoteStoreRoutes } from './routes.ts';

const QUOTE = newQuote();
const LIVE_QUOTE = newQuote();

function as(tenant: Tenant) {
  return { headers: callerHeaders({ requestId: 'req_1', tenant }) };
}

type Call = (client: Client<typeof QuoteStoreService>) => Promise<unknown>;

const linking = (changeId: string): Call => {
  const link = { quoteId: QUOTE.id, changeId, hostedLinkHash: newLinkHash() };
  return (client) => client.replaceHostedLink(link, as(TENANT));
};
const responding = (changeId: string): Call => {
  const response = { quoteId: QUOTE.id, changeId, optionId: 'opt_15_9' };
  return (client) => client.expressTestInterest(response, as(TENANT));
};
const voiding = (changeId: string): Call => {
  return (client) => client.voidQuoteChange({ quoteId: QUOTE.id, changeId }, as(TENANT));
};
const WITHOUT_ADDRESS = {
  quoteId: newQuote().id,
  snapshot: { requestMembers: QUOTE.requestMembers },
  deal: QUOTE.deal,
  pricedUnder: QUOTE.pricedUnder,
  createdAt: timestampNow(),
  expiresAt: timestampNow(),
  parties: { insuredName: 'Lone Star Roofing LLC' },
};
const OF_LIVE = { quoteId: LIVE_QUOTE.id, changeId: newChange(LIVE_QUOTE.id).id, optionId: 'opt_15_9' };

const recording = (changes: MessageInitShape<typeof RecordBrokerNotificationRequestSchema>): Call => {
  const { eventId } = newTelling();
  const told = { quoteId: LIVE_QUOTE.id, eventId, revision: 1, status: NotificationStatus.SENT, at: timestampNow() };
  return (client) => client.recordBrokerNotification({ ...told, ...changes }, as(LIVE_TENANT));
};

const FAULTS: readonly (readonly [what: string, call: Call])[] = [
  ['a test interest in a live quote', (client) => client.expressTestInterest(OF_LIVE, as(LIVE_TENANT))],
  ['a change on behalf of nobody', (client) => client.expressTestInterest(OF_LIVE)],
  ['a quote of which only the id is known', (client) => client.createQuote({ quoteId: QUOTE.id }, as(TENANT))],
  ['a quote whose broker has no address', (client) => client.createQuote(WITHOUT_ADDRESS, as(TENANT))],
  ['an outcome before the first', recording({ revision: 0 })],
  ['an outcome without its time', recording({ at: undefined })],
  ['an outcome of no status', recording({ status: NotificationStatus.UNSPECIFIED })],
  ['an outcome that only test responses have', recording({ status: NotificationStatus.SKIPPED, reason: 'test_mode' })],
  ['a failure without a reason', recording({ status: NotificationStatus.FAILED })],
  ['a success with a reason', recording({ reason: 'mailbox_unavailable' })],
  ...['', 'chg_', QUOTE.id, `chg_${'\0'.repeat(22)}`].flatMap((changeId): [string, Call][] => [
    [`a link by the change ${JSON.stringify(changeId)}`, linking(changeId)],
    [`a response by the change ${JSON.stringify(changeId)}`, responding(changeId)],
    [`the voiding of the change ${JSON.stringify(changeId)}`, voiding(changeId)],
  ]),
];

test('what only a fault of the calling service can ask for is no refusal that a caller sees, and changes nothing', async (t) => {
  const database = (await makeMigratedDatabase(t)).open();
  const store = postgresQuoteStore(database);
  await store.create(TENANT, QUOTE);
  await store.create(LIVE_TENANT, LIVE_QUOTE);
  const before = await readEverything(database);
  const client = createClient(QuoteStoreService, createRouterTransport(quoteStoreRoutes(store, logger)));
  for (const [what, call] of FAULTS) await assert.rejects(call(client), { code: Code.Internal, details: [] }, what);
  assert.deepEqual(await readEverything(database), before);
});
