import { setTimeout as wait } from 'node:timers/promises';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { OutcomeUnknownError, ServiceError } from '@pfq/kit/errors';
import { fromWireError } from '@pfq/kit/rpc/status';
import type { CreateQuoteRequestSchema, QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';

type StoreOptions = { readonly headers: HeadersInit; readonly remainingMs: () => number };

const ATTEMPT_TIMEOUT_MS = 3_000;
const REPEAT_DELAY_MS = 100;
const LONGEST_DELAY_MS = 1_000;

/**
 * Stores a quote for certain. SERVICE_UNAVAILABLE is thrown only where nothing can have been stored. Once an outcome is
 * unknown the same quote is sent again, which changes nothing if it is there, until the request's time is over.
 */
export async function storeQuote(
  store: Client<typeof QuoteStoreService>,
  quote: MessageInitShape<typeof CreateQuoteRequestSchema>,
  options: StoreOptions,
): Promise<void> {
  let unknown: OutcomeUnknownError | undefined;
  for (let delayMs = REPEAT_DELAY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
    const failure = await attempt(store, quote, options);
    if (!failure) return;
    if (failure instanceof OutcomeUnknownError) unknown = failure;
    else if (!unknown || failure.code !== 'SERVICE_UNAVAILABLE') throw failure;
    if (options.remainingMs() <= delayMs)
      throw new OutcomeUnknownError(new Error(`quote ${quote.quoteId} may or may not be stored`, { cause: unknown }));
    await wait(delayMs * (0.5 + Math.random() / 2));
  }
}

async function attempt(
  store: Client<typeof QuoteStoreService>,
  quote: MessageInitShape<typeof CreateQuoteRequestSchema>,
  { headers, remainingMs }: StoreOptions,
): Promise<ServiceError | OutcomeUnknownError | null> {
  try {
    await store.createQuote(quote, { headers, timeoutMs: Math.min(ATTEMPT_TIMEOUT_MS, remainingMs()) });
    return null;
  } catch (error) {
    return fromWireError(error);
  }
}
