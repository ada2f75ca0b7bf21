import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@connectrpc/connect';
import { OutcomeUnknownError, ServiceError } from '@pfq/kit/errors';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { QuoteStatus, QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { GetQuoteRequest } from '@pfq/proto/quotestore/v1/quote_store_pb';
import {
  accessStore,
  accessWith,
  errorOf,
  outcomeOf,
  startGateway,
  TEST_KEY,
} from '../running-gateway.test-support.ts';

const ID = `qte_${'0'.repeat(22)}`;
const SNAPSHOT = {
  requestMembers: Buffer.from('"metadata":{"2":"é","1":""}'),
  pricedMembers: Buffer.from('"options":[]'),
};

test('an expired quote says so, and everything else of it is the stored text', async (t) => {
  const quote = { quoteId: ID, mode: Mode.TEST, status: QuoteStatus.EXPIRED, snapshot: SNAPSHOT };
  const gateway = await startGateway(t, { getQuote: () => ({ quote }) });
  const { status, body, headers } = await gateway.ask('GET', `/v1/quotes/${ID}`, { key: TEST_KEY });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(
    body,
    `{"id":"${ID}","object":"quote","livemode":false,"status":"expired","hosted_url":null,"selected_option_id":null,"interest":null,"metadata":{"2":"é","1":""},"options":[]}`,
  );
});

for (const [type, brokerId] of [
  ['agency', undefined],
  ['broker', 'brk_ana'],
] as const) {
  test(`with a key of type ${type} the store is asked for ${brokerId ?? "every broker's"} quotes of the tenant`, async (t) => {
    const asked: (GetQuoteRequest | string | null)[] = [];
    const { store } = accessStore({ [TEST_KEY]: accessWith({ type, mode: 'live' }) });
    const gateway = await startGateway(t, {
      access: store,
      getQuote(request, { requestHeader }) {
        asked.push(requestHeader.get('pfq-agency-id'), requestHeader.get('pfq-mode'), request);
        return { quote: { quoteId: ID, mode: Mode.LIVE, status: QuoteStatus.ACTIVE, snapshot: SNAPSHOT } };
      },
    });
    const { body } = await gateway.ask('GET', `/v1/quotes/${ID}`, { key: TEST_KEY });
    assert.match(body, /"livemode":true/);
    assert.partialDeepStrictEqual(asked, ['agy_1', 'live', { quoteId: ID }]);
    assert.equal(typeof asked[2] === 'object' ? asked[2]?.brokerId : null, brokerId);
  });
}

test('a quote that is not found and a path that is not known are the same answer but for the request id', async (t) => {
  const gateway = await startGateway(t);
  const bodies = new Set<string>();
  for (const path of [`/v1/quotes/${ID}`, '/v1/quotes/x', '/v1/quotes/%00', '/v1/quotes/%zz', '/v1/nothing']) {
    const answer = await gateway.ask('GET', path, { key: TEST_KEY });
    assert.equal(outcomeOf(answer), '404 NOT_FOUND', path);
    bodies.add(answer.body.replace(String(errorOf(answer)['request_id']), ''));
  }
  assert.equal(bodies.size, 1, [...bodies].join('\n'));
});

test('a store that is not there, or breaks off, is a 503; its fault is a 500', async (t) => {
  const nowhere = createRpcTransport('grpc://127.0.0.1:1', null);
  t.after(() => nowhere.close());
  const failing = (error: Error) => ({
    getQuote() {
      throw error;
    },
  });
  const cases = [
    [{ quoteStore: createClient(QuoteStoreService, nowhere) }, '503 SERVICE_UNAVAILABLE'],
    [failing(new OutcomeUnknownError(new Error('cancelled'))), '503 SERVICE_UNAVAILABLE'],
    [failing(new ServiceError('INTERNAL', { message: 'Unexpected error.' })), '500 INTERNAL'],
  ] as const;
  for (const [parts, outcome] of cases) {
    const gateway = await startGateway(t, { ...parts, requestTimeoutMs: 1_000 });
    assert.equal(outcomeOf(await gateway.ask('GET', `/v1/quotes/${ID}`, { key: TEST_KEY })), outcome);
  }
});
