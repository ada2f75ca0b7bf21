import type { ErrorDetail } from '@pfq/kit/errors';
import type { JsonObject } from '@pfq/kit/json';

/** The kinds of public objects, as their `object` names them; a coverage type names none. */
export type Kind = 'quote' | 'application' | 'whoami' | 'coverage_type';

/**
 * What a dated version changed, and how a caller of the version before still gets what it knows. Each function leaves
 * alone what it does not recognise: a request may hold anything. Endpoints are told by method and path.
 */
export type VersionChange = {
  /** The version that brought the change, YYYY-MM-DD. */
  readonly version: string;
  /** False in the release that prepares for the version: it reads quotes that are stored in it, and speaks it to nobody. */
  readonly isIssued: boolean;
  /** A request's body from the version before. A new name it cannot know must be refused still, so names change places. */
  readonly upgradeRequest: (body: JsonObject, endpoint: string) => JsonObject;
  /** A request's query from the version before, as sent. */
  readonly upgradeQuery: (query: string, endpoint: string) => string;
  /** A stored quote from the version before: its members from the request, or its priced ones. */
  readonly upgradeQuote: (members: JsonObject) => JsonObject;
  /** An object of an answer as the version before knows it; of a stored quote one part of its members too. */
  readonly downgrade: Readonly<Record<Kind, (object: JsonObject) => JsonObject>>;
  /** A problem of a request in the words of the version before: its param, and the message that names it. */
  readonly downgradeProblem: (problem: ErrorDetail) => ErrorDetail;
};
