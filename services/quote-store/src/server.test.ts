import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { callerHeaders } from '@pfq/kit/caller';
import { ServiceError } from '@pfq/kit/errors';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { operatorHeaders } from '@pfq/kit/rpc/operator-credential';
import { fromWireError } from '@pfq/kit/rpc/status';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { QuoteStatus, QuoteStoreAdminService, QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { start } from './server.ts';
import { makeDatabase, setTime } from '../../../tests/support/database.ts';
import { newQuote, TENANT } from './store.test-support.ts';

const OPERATOR_TOKEN = 'operator-token-of-the-store-tests';
const AS_OPERATOR = { headers: operatorHeaders({ token: OPERATOR_TOKEN, actor: 'dana' }) };
const AS_TENANT = { headers: callerHeaders({ requestId: 'req_1', tenant: TENANT }) };
async function startStore(t: TestContext, databaseUrl: string) {
  const service = await start({
    databaseUrl,
    migrateOnStart: true,
    listenHost: '127.0.0.1',
    rpcPort: 0,
    operatorToken: OPERATOR_TOKEN,
    logLevel: 'error',
    logFormat: 'json',
  });
  const transport = createRpcTransport(`grpc://127.0.0.1:${service.port}`);
  t.after(async () => {
    transport.close();
    await service.stop();
  });
  return { quotes: createClient(QuoteStoreService, transport), admin: createClient(QuoteStoreAdminService, transport) };
}

function createRequest(changes: { expiresAt?: Date } = {}) {
  const quote = newQuote(changes);
  const { id, brokerId, createdAt, expiresAt, requestMembers, pricedMembers, deal, pricedUnder, hostedLinkHash } =
    quote;
  return {
    quoteId: id,
    brokerId,
    createdAt: timestampFromDate(createdAt),
    expiresAt: timestampFromDate(expiresAt),
    snapshot: { requestMembers, pricedMembers },
    deal,
    pricedUnder,
    hostedLinkHash,
  };
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(() => assert.fail('it should have failed'), fromWireError);
  return error instanceof ServiceError ? error.code : error.name;
}

test('replicas that start at once bring one database up to date, and both serve', async (t) => {
  const { url } = await makeDatabase(t);
  const [one, other] = await Promise.all([startStore(t, url), startStore(t, url)]);
  const request = createRequest();
  await one.quotes.createQuote(request, AS_TENANT);
  await other.quotes.createQuote(request, AS_TENANT);
  const { quote } = await other.quotes.getQuote({ quoteId: request.quoteId }, AS_TENANT);
  assert.equal(quote?.quoteId, request.quoteId);
});

test('a quote comes back with its mode and its status at the moment of reading', async (t) => {
  const made = await makeDatabase(t);
  const { quotes } = await startStore(t, made.url);
  const database = made.open();
  const request = createRequest();
  await quotes.createQuote(request, AS_TENANT);
  for (const [now, status] of [
    ['2026-12-20T10:00:00.122Z', QuoteStatus.ACTIVE],
    ['2026-12-20T10:00:00.123Z', QuoteStatus.EXPIRED],
  ] as const) {
    await setTime(database, now);
    const { quote } = await quotes.getQuote({ quoteId: request.quoteId, brokerId: 'brk_1' }, AS_TENANT);
    assert.deepEqual([quote?.mode, quote?.status], [Mode.TEST, status], now);
  }
});

test('the operator gets what is needed to price a quote again, by its id alone', async (t) => {
  const { quotes, admin } = await startStore(t, (await makeDatabase(t)).url);
  const request = createRequest();
  await quotes.createQuote(request, AS_TENANT);
  const found = await admin.lookUpQuote({ quoteId: request.quoteId }, AS_OPERATOR);
  assert.deepEqual([found.agencyId, found.brokerId], ['agy_1', 'brk_1']);
  assert.deepEqual(Buffer.from(found.deal), Buffer.from(request.deal));
  assert.deepEqual(Buffer.from(found.pricedUnder), Buffer.from(request.pricedUnder));
  assert.equal(await codeOf(admin.lookUpQuote({ quoteId: request.quoteId }, AS_TENANT)), 'INVALID_API_KEY');
});

test('an id that is unknown, malformed or unspeakable to PostgreSQL is found nowhere', async (t) => {
  const { quotes, admin } = await startStore(t, (await makeDatabase(t)).url);
  const { quoteId } = createRequest();
  for (const id of [quoteId, '', `${quoteId}\0`, 'qte_', "' OR 1=1 --", 'x'.repeat(100_000)]) {
    assert.equal(await codeOf(quotes.getQuote({ quoteId: id }, AS_TENANT)), 'NOT_FOUND');
    assert.equal(await codeOf(admin.lookUpQuote({ quoteId: id }, AS_OPERATOR)), 'NOT_FOUND');
  }
});
