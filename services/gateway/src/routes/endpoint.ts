import type { Client } from '@connectrpc/connect';
import type { Caller } from '@pfq/kit/caller';
import type { PricingService } from '@pfq/proto/pricing/v1/pricing_pb';
import type { QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { Access } from '../domain/access.ts';
import type { Scope } from '../domain/scopes.ts';
import type { AccessStore } from '../storage/store.ts';
import type { Answer } from './answer.ts';

/** What stands in the place of each `{name}` of a path, decoded; never empty. */
export type PathValues = Readonly<Record<string, string>>;

/** What the endpoints work with. */
export type EndpointDeps = {
  readonly access: AccessStore;
  readonly pricing: Client<typeof PricingService>;
  readonly quoteStore: Client<typeof QuoteStoreService>;
  readonly hostedBaseUrl: string;
};

/** A request that has passed every check that is the same for all endpoints. */
export type AcceptedRequest = {
  readonly access: Access;
  readonly caller: Caller;
  /** Whole milliseconds until the request must be answered; never below 0. */
  readonly remainingMs: () => number;
  readonly path: PathValues;
  /** Empty for a request without a body. */
  readonly body: Buffer;
};

export type Endpoint = {
  readonly method: 'GET' | 'POST';
  /** Path with `{name}` where a part varies. */
  readonly path: string;
  readonly scope: Scope | null;
  readonly handle: (request: AcceptedRequest, deps: EndpointDeps) => Promise<Answer>;
};
