import type { Client } from '@connectrpc/connect';
import type { Caller } from '@pfq/kit/caller';
import type { ApplicationService } from '@pfq/proto/application/v1/application_pb';
import type { PricingService } from '@pfq/proto/pricing/v1/pricing_pb';
import type { QuoteStoreService } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { Access, ActingBroker } from '../domain/access.ts';
import type { ApiVersion } from '../domain/api-version.ts';
import type { Scope } from '../domain/scopes.ts';
import type { AccessStore } from '../storage/store.ts';
import type { ApiVersions } from '../versions/api-versions.ts';
import type { Answer } from './answer.ts';

/** What stands in the place of each `{name}` of a path, decoded; never empty. */
export type PathValues = Readonly<Record<string, string>>;

/** What the endpoints work with. */
export type EndpointDeps = {
  readonly access: AccessStore;
  readonly pricing: Client<typeof PricingService>;
  readonly quoteStore: Client<typeof QuoteStoreService>;
  readonly applications: Client<typeof ApplicationService>;
  readonly hostedBaseUrl: string;
  readonly versions: ApiVersions;
};

/** A request that has passed every check that is the same for all endpoints. */
export type AcceptedRequest = {
  readonly access: Access;
  readonly caller: Caller;
  /** The API version that serves the request. */
  readonly version: ApiVersion;
  /** Whole milliseconds until the request must be answered; never below 0. */
  readonly remainingMs: () => number;
  readonly path: PathValues;
  /** What follows the `?`, as sent; empty where there is none. */
  readonly query: string;
  /** Empty for a request without a body. */
  readonly body: Buffer;
};

/** A write that has passed every check up to the claim of its Idempotency-Key. */
export type Write = {
  /** The broker it acts as. */
  readonly broker: ActingBroker;
  /** Id of what will come to be: performing a write again under the same id changes nothing. */
  readonly writeId: string;
  readonly perform: () => Promise<Answer>;
  /** Makes sure that the write of another attempt, known by its id, has taken effect already or never will. */
  readonly giveUp: (writeId: string) => Promise<void>;
};

type EndpointHead = {
  /** Path with `{name}` where a part varies. */
  readonly path: string;
  readonly scope: Scope | null;
};

export type Endpoint = EndpointHead &
  (
    | {
        readonly method: 'GET';
        readonly read: (request: AcceptedRequest, deps: EndpointDeps) => Promise<Answer>;
      }
    | {
        readonly method: 'POST';
        /** Live keys are refused. */
        readonly isTestHelper?: true;
        /** The daily limits count it. */
        readonly isNewQuote?: true;
        readonly prepare: (request: AcceptedRequest, deps: EndpointDeps) => Promise<Write>;
      }
  );
