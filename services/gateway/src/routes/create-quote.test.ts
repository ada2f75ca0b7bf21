import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { create, fromBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { OutcomeUnknownError, ServiceError, unavailable } from '@pfq/kit/errors';
import { isId } from '@pfq/kit/ids';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { DealSchema } from '@pfq/proto/pricing/v1/deal_pb';
import { PricingService } from '@pfq/proto/pricing/v1/pricing_pb';
import type { PriceDealRequest } from '@pfq/proto/pricing/v1/pricing_pb';
import { PartiesSchema } from '@pfq/proto/quotestore/v1/interest_expressed_pb';
import { QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { until } from '../../../../tests/support/until.ts';
import { PRICED_UNDER, pricedDeal } from '../priced-deal.test-support.ts';
import { changed, fullRequest } from '../requests/sample-request.test-support.ts';
import type { Sendable } from '../requests/sample-request.test-support.ts';
import {
  accessStore,
  accessWith,
  BEN,
  HOSTED_URL,
  LIVE_KEY,
  NOW,
  outcomeOf,
  startGateway,
  TEST_KEY,
} from '../running-gateway.test-support.ts';
import type { RunningGateway } from '../running-gateway.test-support.ts';

const SECONDS = 5_000;
const REQUEST = changed(fullRequest(), 'broker_email');

function post(gateway: RunningGateway, request: Sendable = REQUEST, headers: Record<string, string> = {}) {
  return gateway.ask('POST', '/v1/quotes', { key: TEST_KEY, headers, body: JSON.stringify(request) });
}

test('a deal is priced once, stored, and answered with its hosted link, of which only a hash is stored', async (t) => {
  const priced: PriceDealRequest[] = [];
  const gateway = await startGateway(t, {
    priceDeal(request, { requestHeader }) {
      assert.equal(requestHeader.get('pfq-agency-id'), 'agy_1');
      assert.equal(requestHeader.get('pfq-mode'), 'test');
      priced.push(request);
      return { priced: pricedDeal(), pricedUnder: PRICED_UNDER };
    },
  });
  const answer = await post(gateway);
  assert.equal(answer.status, 201);
  const quote: unknown = JSON.parse(answer.body);
  assert.partialDeepStrictEqual(quote, {
    object: 'quote',
    livemode: false,
    status: 'active',
    broker: { email: 'Ana@Agency.example' },
    created_at: '2026-11-20T23:59:59.123Z',
    expires_at: '2026-12-20T23:59:59.123Z',
    selected_option_id: null,
    interest: null,
  });
  const [stored, ...others] = gateway.stored;
  assert.ok(stored?.createdAt && stored.expiresAt && stored.deal && others.length === 0 && priced.length === 1);
  assert.equal(stored.brokerId, 'brk_ana');
  assert.deepEqual(timestampDate(stored.createdAt), NOW);
  const deal = fromBinary(DealSchema, stored.deal);
  assert.equal(deal.today, '2026-11-20', 'the UTC date of the database');
  assert.deepEqual(deal, priced[0]?.deal, 'what is stored is what was priced');
  const { id = '', token = '' } =
    /"id":"(?<id>\w+)".*"hosted_url":"https:\/\/pay\.example\/q\/(?<token>[\w-]+)"/.exec(answer.body)?.groups ?? {};
  assert.ok(isId('qte_', id) && id === stored.quoteId);
  assert.ok(Buffer.from(token, 'base64url').length >= 32, 'at least 256 random bits');
  assert.deepEqual(Buffer.from(stored.hostedLinkHash), createHash('sha256').update(token).digest());
});

test('a read gives the bytes of the creation, but for the hosted link', async (t) => {
  const gateway = await startGateway(t);
  const created = await post(gateway);
  const read = await gateway.ask('GET', `/v1/quotes/${gateway.stored[0]?.quoteId}`, { key: TEST_KEY });
  assert.equal(read.status, 200);
  assert.equal(read.body, created.body.replace(new RegExp(`"${HOSTED_URL}/q/[^"]+"`), 'null'));
});

test('a live key makes a live quote, which every other service is told', async (t) => {
  const modes: (string | null)[] = [];
  const gateway = await startGateway(t, {
    priceDeal(_, { requestHeader }) {
      modes.push(requestHeader.get('pfq-mode'));
      return { priced: pricedDeal(), pricedUnder: PRICED_UNDER };
    },
    createQuote(_, { requestHeader }) {
      modes.push(requestHeader.get('pfq-mode'));
      return {};
    },
  });
  const { body } = await gateway.ask('POST', '/v1/quotes', { key: LIVE_KEY, body: JSON.stringify(REQUEST) });
  assert.partialDeepStrictEqual(JSON.parse(body), { object: 'quote', livemode: true });
  assert.deepEqual(modes, ['live', 'live']);
});

test('every policy of a quote has an id of its own', async (t) => {
  const gateway = await startGateway(t);
  const [policy = null] = Array.isArray(REQUEST['policies']) ? REQUEST['policies'] : [];
  const { body } = await post(gateway, { ...REQUEST, policies: Array.from({ length: 25 }, () => policy) });
  const ids = body.match(/pol_[0-9A-Za-z]{8}"/g) ?? [];
  assert.equal(new Set(ids).size, 25);
});

test('a quote belongs to the broker that an agency key names', async (t) => {
  const gateway = await startGateway(t);
  const { body } = await post(gateway, { ...REQUEST, broker_email: 'BEN@agency.example' });
  assert.match(body, /"broker":\{"email":"ben@agency\.example"\}/);
  assert.equal(gateway.stored[0]?.brokerId, BEN.id);
});

const OWNERS = [
  ['the default broker', {}, { brokerName: 'Ana Ruiz', brokerEmail: 'Ana@Agency.example' }],
  ['the broker named', { broker_email: 'BEN@agency.example' }, { brokerName: BEN.name, brokerEmail: BEN.email }],
] as const;
for (const [who, named, owner] of OWNERS) {
  test(`the store is told the names of insured, agency and ${who}, for the page and the email`, async (t) => {
    const gateway = await startGateway(t);
    await post(gateway, { ...REQUEST, ...named });
    const parties = { insuredName: 'Lone Star Roofing LLC', agencyName: 'Lone Star Insurance', ...owner };
    const [stored] = gateway.stored;
    assert.deepEqual(stored?.parties, create(PartiesSchema, parties));
  });
}

test('a broker key may not name another broker, and a stranger is refused like an inactive one', async (t) => {
  const broker = accessStore({ [TEST_KEY]: accessWith({ type: 'broker' }) });
  const named = { ...REQUEST, broker_email: 'ben@agency.example' };
  assert.equal(
    outcomeOf(await post(await startGateway(t, { access: broker.store }), named)),
    '403 ACTING_BROKER_NOT_ALLOWED',
  );
  const stranger = { ...REQUEST, broker_email: 'who@else.example' };
  assert.equal(outcomeOf(await post(await startGateway(t), stranger)), '403 BROKER_NOT_ACTIVE');
});

test('prices that cannot be had are a 503, and nothing is stored', async (t) => {
  const gateway = await startGateway(t, {
    priceDeal() {
      throw unavailable(new Error('no rate sheet'));
    },
  });
  const answer = await post(gateway);
  assert.equal(outcomeOf(answer), '503 SERVICE_UNAVAILABLE');
  assert.equal(answer.headers['retry-after'], '30');
  assert.deepEqual(gateway.stored, []);
});

test('services that are not there are a 503', async (t) => {
  const nowhere = createRpcTransport('grpc://127.0.0.1:1', null);
  t.after(() => nowhere.close());
  const parts = [
    { pricing: createClient(PricingService, nowhere) },
    { quoteStore: createClient(QuoteStoreService, nowhere) },
  ];
  for (const part of parts) {
    const gateway = await startGateway(t, { ...part, requestTimeoutMs: 500 });
    const answer = await post(gateway);
    assert.equal(outcomeOf(answer), '503 SERVICE_UNAVAILABLE');
    assert.equal(answer.headers['retry-after'], '30');
  }
});

test('a quote that certainly was not stored is a 503', async (t) => {
  const gateway = await startGateway(t, {
    createQuote() {
      throw unavailable(new Error('the database is read-only'));
    },
  });
  assert.equal(outcomeOf(await post(gateway)), '503 SERVICE_UNAVAILABLE');
});

test('an unknown outcome is sent again under the same id, and the answer is that quote', async (t) => {
  let attempts = 0;
  const gateway = await startGateway(t, {
    createQuote() {
      attempts += 1;
      if (attempts < 3) throw new OutcomeUnknownError(new Error('the connection broke'));
      return {};
    },
  });
  const answer = await post(gateway);
  assert.equal(answer.status, 201);
  assert.equal(
    new Set(gateway.stored.map(({ quoteId, hostedLinkHash }) => `${quoteId} ${hostedLinkHash.join()}`)).size,
    1,
  );
  assert.equal(gateway.stored.length, 3);
  assert.ok(answer.body.includes(`"id":"${gateway.stored[0]?.quoteId}"`));
});

test('an outcome that stays unknown until the time is over is a 500, never a 503', async (t) => {
  const gateway = await startGateway(t, {
    requestTimeoutMs: 300,
    createQuote() {
      throw new OutcomeUnknownError(new Error('the connection broke'));
    },
  });
  const answer = await post(gateway);
  assert.equal(outcomeOf(answer), '500 INTERNAL');
  assert.equal(answer.headers['retry-after'], undefined);
  assert.ok(gateway.stored.length > 1);
});

test('a fault inside another service is a 500 that tells nothing of it', async (t) => {
  const gateway = await startGateway(t, {
    priceDeal() {
      throw new ServiceError('INTERNAL', { message: 'Unexpected error.' });
    },
  });
  assert.equal(outcomeOf(await post(gateway)), '500 INTERNAL');
});

test('a caller that hangs up while its deal is priced gets its quote stored all the same', async (t) => {
  const asked = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const gateway = await startGateway(t, {
    async priceDeal() {
      asked.resolve();
      await gone.promise;
      return { priced: pricedDeal(), pricedUnder: PRICED_UNDER };
    },
  });
  const socket = connect(gateway.port, '127.0.0.1');
  const body = JSON.stringify(REQUEST);
  socket.write(
    `POST /v1/quotes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_KEY}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await asked.promise;
  socket.resetAndDestroy();
  await once(socket, 'close');
  gone.resolve();
  await until(() => gateway.log.length > 0, SECONDS);
  assert.equal(gateway.stored.length, 1);
  assert.match(gateway.log.join(), /status: 201/);
});
