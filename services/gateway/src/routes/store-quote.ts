import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { untilCertain } from '@pfq/kit/rpc/until-certain';
import type { CreateQuoteRequestSchema, QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';

type StoreOptions = { readonly headers: HeadersInit; readonly remainingMs: () => number };

/** Stores a quote for certain; sending the same quote again changes nothing if it is there. Throws as `untilCertain` does. */
export async function storeQuote(
  store: Client<typeof QuoteStoreService>,
  quote: MessageInitShape<typeof CreateQuoteRequestSchema>,
  { headers, remainingMs }: StoreOptions,
): Promise<void> {
  await untilCertain({
    attempt: (call) => store.createQuote(quote, { headers, ...call }),
    remainingMs,
    doubt: `quote ${quote.quoteId} may or may not be stored`,
  });
}
