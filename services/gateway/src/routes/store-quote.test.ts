import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import { OutcomeUnknownError, ServiceError, unavailable } from '@pfq/kit/errors';
import { toWireError } from '@pfq/kit/rpc/status';
import { QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { storeQuote } from './store-quote.ts';

const QUOTE = { quoteId: 'qte_1' };
const UNKNOWN = new OutcomeUnknownError(new Error('the connection broke'));

/** A store that fails in these ways, one after the other, and then succeeds. */
function failingStore(...failures: readonly (Error | undefined)[]) {
  const ids: string[] = [];
  const transport = createRouterTransport(({ service }) => {
    service(QuoteStoreService, {
      createQuote({ quoteId }) {
        const failure = failures[ids.push(quoteId) - 1];
        if (failure) throw toWireError(failure);
        return {};
      },
    });
  });
  return { ids, store: createClient(QuoteStoreService, transport) };
}

/** Time that is over after `calls` looks at the clock. */
function timeFor(calls: number) {
  let left = calls;
  return { headers: new Headers(), remainingMs: () => (left-- > 0 ? 1_000 : 0) };
}

test('a quote is sent once where the store takes it', async () => {
  const { ids, store } = failingStore();
  await storeQuote(store, QUOTE, timeFor(10));
  assert.deepEqual(ids, ['qte_1']);
});

test('a quote that was certainly not stored is not sent again', async () => {
  const { ids, store } = failingStore(unavailable('away'));
  await assert.rejects(storeQuote(store, QUOTE, timeFor(10)), { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 30 });
  assert.equal(ids.length, 1);
});

test('a quote whose fate is unknown is sent again under the same id until the store answers', async () => {
  const { ids, store } = failingStore(UNKNOWN, unavailable('restarting'), UNKNOWN);
  await storeQuote(store, QUOTE, timeFor(20));
  assert.deepEqual(ids, ['qte_1', 'qte_1', 'qte_1', 'qte_1']);
});

test('while one attempt may have stored it, a quote is never reported as not stored', async () => {
  const { store } = failingStore(UNKNOWN, unavailable('away'), unavailable('away'), unavailable('away'));
  await assert.rejects(storeQuote(store, QUOTE, timeFor(6)), OutcomeUnknownError);
});

test('a fault of the store ends the attempts', async () => {
  const { ids, store } = failingStore(UNKNOWN, new ServiceError('INTERNAL', { message: 'a bug' }));
  await assert.rejects(storeQuote(store, QUOTE, timeFor(10)), { code: 'INTERNAL' });
  assert.equal(ids.length, 2);
});
