import type { JsonObject } from '../requests/json.ts';
import type { Place } from './json-tree.ts';

/** A field of requests that got another name where it stands. */
export type RenamedField = {
  /** The object that holds it, by names that stay: `policies[].carrier`; empty for the body itself, or the query. */
  readonly place: Place;
  readonly older: string;
  readonly newer: string;
};

/** The kinds of public objects, as their `object` names them; a coverage type names none. */
export type Kind = 'quote' | 'application' | 'whoami' | 'coverage_type';

/**
 * What a dated version changed, and how a caller of the version before still gets what it knows. Each function leaves
 * alone what it does not recognise: a request may hold anything.
 */
export type VersionChange = {
  /** The version that brought the change, YYYY-MM-DD. */
  readonly version: string;
  /** One sentence for the changelog. */
  readonly summary: string;
  /** Every `param` tells the caller's own name, and the new name is unknown to callers of the version before. */
  readonly renamedFields: readonly RenamedField[];
  /** The path of any other request field that callers of the version before know by another: `renamedFields` are told already. */
  readonly downgradeParam: (param: string) => string;
  /** A request's body from the version before, its fields renamed already. */
  readonly upgradeRequest: (body: JsonObject, endpoint: string) => JsonObject;
  /** Members of a quote that was stored in the version before; not all of them come at once. */
  readonly upgradeQuote: (members: JsonObject) => JsonObject;
  /** An object of an answer as the version before knows it. */
  readonly downgrade: Readonly<Record<Kind, (object: JsonObject) => JsonObject>>;
};
