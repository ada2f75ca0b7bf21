import type { TestContext } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
import { memoryIdempotencyStore } from './memory-idempotency.test-support.ts';
import { changed, fullRequest } from './requests/sample-request.test-support.ts';
import { NOW, startGateway, TEST_KEY } from './running-gateway.test-support.ts';
import type { Answered, GatewayParts } from './running-gateway.test-support.ts';
import type { IdempotencyStore } from './storage/idempotency-store.ts';

type Sent = { readonly key?: string; readonly apiKey?: string; readonly body?: string };

export const BODY = JSON.stringify(changed(fullRequest(), 'broker_email'));

/** A quote store of ids alone: what was voided cannot be created, and what was created cannot be voided. */
export function quoteIds() {
  const created = new Set<string>();
  const voided = new Set<string>();
  return {
    created,
    voided,
    create(quoteId: string): void {
      if (voided.has(quoteId)) throw new ServiceError('IDEMPOTENCY_RECORD_LOST', { message: 'It was voided.' });
      created.add(quoteId);
    },
    void(quoteId: string): void {
      if (!created.has(quoteId)) voided.add(quoteId);
    },
  };
}

/**
 * A gateway whose quote store can void, with idempotency keys in memory; `around` may stand between it and them. The
 * clock of the keys says NOW until it is moved.
 */
export async function startKeyedGateway(
  t: TestContext,
  {
    around,
    ...parts
  }: GatewayParts & { readonly around?: (store: IdempotencyStore) => Partial<IdempotencyStore> } = {},
) {
  const quotes = quoteIds();
  const { store, setTime } = memoryIdempotencyStore(NOW);
  const gateway = await startGateway(t, {
    createQuote({ quoteId }) {
      quotes.create(quoteId);
      return {};
    },
    voidQuote({ quoteId }) {
      quotes.void(quoteId);
      return {};
    },
    idempotency: { ...store, ...around?.(store) },
    ...parts,
  });
  return {
    gateway,
    quotes,
    /** Moves the clock of the keys to so long after the first claim. */
    moveTo: (afterMs: number) => setTime(new Date(NOW.getTime() + afterMs).toISOString()),
    /** `POST /v1/quotes` under the Idempotency-Key k, or another. */
    post: ({ key = 'k', apiKey = TEST_KEY, body = BODY }: Sent = {}): Promise<Answered> =>
      gateway.ask('POST', '/v1/quotes', { key: apiKey, headers: { 'idempotency-key': key }, body }),
  };
}

/** A point that work reaches and passes only when it is let through. */
export function makeGate() {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    open: () => opened.resolve(),
    pass: async (): Promise<void> => {
      reached.resolve();
      await opened.promise;
    },
  };
}
