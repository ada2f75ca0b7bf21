import type { Access, ActingBroker } from '../domain/access.ts';
import type { Agency, ApiKey, Broker, BrokerStatus, KeyType, Mode } from '../domain/agency.ts';

/** What a request needs to know of its key. */
export type AccessStore = {
  /**
   * What a well-formed key is and may, counting the request in every limit that applies, in one statement; null where the
   * key is unknown. `isNewQuote`: the request is a `POST /v1/quotes`, which the daily limits count.
   */
  admit(key: string, request: { readonly isNewQuote: boolean }): Promise<Access | null>;
  /** An active broker of the agency by email address in any case. */
  findActiveBroker(agencyId: string, email: string): Promise<ActingBroker | null>;
};

/** Who makes a change; written to the audit log together with it. */
export type Actor = string;

/** Of the stores below: every change and its audit row are one transaction, and what changes nothing leaves no row. */
export type AgencyStore = {
  create(agency: { id: string; name: string }, actor: Actor): Promise<Agency>;
  /** By creation. */
  list(): Promise<Agency[]>;
  /** Sets the switches that are given. NOT_FOUND for an unknown agency. */
  switch(switches: AgencySwitches, actor: Actor): Promise<Agency>;
};

export type AgencySwitches = {
  readonly agencyId: string;
  readonly live: boolean | undefined;
  readonly test: boolean | undefined;
};

export type BrokerStore = {
  /** NOT_FOUND for an unknown agency, VALIDATION_FAILED where the address is taken in any case. */
  register(broker: Omit<Broker, 'createdAt'>, actor: Actor): Promise<Broker>;
  /** NOT_FOUND where the agency has no broker of that address. */
  setStatus(change: BrokerChange, actor: Actor): Promise<Broker>;
  /** By creation. NOT_FOUND for an unknown agency. */
  list(agencyId: string): Promise<Broker[]>;
};

export type BrokerChange = { readonly agencyId: string; readonly email: string; readonly status: BrokerStatus };

export type KeyStore = {
  /** NOT_FOUND for an unknown agency or broker, VALIDATION_FAILED for a broker who is not active. */
  create(key: NewKey, actor: Actor): Promise<ApiKey>;
  /** By creation. NOT_FOUND for an unknown agency. */
  list(agencyId: string): Promise<ApiKey[]>;
  /** Ends a key; the first revocation stands. NOT_FOUND for an unknown key. */
  revoke(keyId: string, actor: Actor): Promise<ApiKey>;
};

export type NewKey = {
  readonly id: string;
  readonly agencyId: string;
  readonly mode: Mode;
  /** The whole key; only a keyed hash of it is kept. */
  readonly secret: string;
  readonly type: KeyType;
  readonly brokerEmail: string;
  readonly scopes: readonly string[];
  readonly name: string;
  readonly expiresOn: string | null;
};

export type CounterStore = {
  /** Sets a key's counts to zero and tells what they were. NOT_FOUND for an unknown key. */
  reset(keyId: string, actor: Actor): Promise<KeyCounts>;
};

export type KeyCounts = { readonly requestsThisMinute: number; readonly quotesToday: number };
