import type { Access, ActingBroker } from '../domain/access.ts';
import type { Agency, ApiKey, Broker, BrokerStatus, KeyType, Mode } from '../domain/agency.ts';

/** What a request needs to know of its key. */
export type AccessStore = {
  /** The key's access by the hash of the key, in one statement; null where the key is unknown. */
  findAccess(keyHash: Buffer): Promise<Access | null>;
  /** An active broker of the agency by email address in any case. */
  findActiveBroker(agencyId: string, email: string): Promise<ActingBroker | null>;
};

/** Who makes a change; written to the audit log together with it. */
export type Actor = string;

export type NewKey = {
  readonly id: string;
  readonly agencyId: string;
  readonly mode: Mode;
  readonly hash: Buffer;
  readonly type: KeyType;
  readonly brokerEmail: string;
  readonly scopes: readonly string[];
  readonly name: string;
  readonly expiresOn: string | null;
};

/** What the operator keeps. Every change and its audit row are one transaction. NOT_FOUND where the target is missing. */
export type AgencyStore = {
  createAgency(agency: { id: string; name: string }, actor: Actor): Promise<Agency>;
  listAgencies(): Promise<Agency[]>;
  switchAgency(
    agencyId: string,
    switches: { live?: boolean | undefined; test?: boolean | undefined },
    actor: Actor,
  ): Promise<Agency>;
  registerBroker(
    broker: { id: string; agencyId: string; email: string; name: string; status: BrokerStatus },
    actor: Actor,
  ): Promise<Broker>;
  setBrokerStatus(broker: { agencyId: string; email: string; status: BrokerStatus }, actor: Actor): Promise<Broker>;
  listBrokers(agencyId: string): Promise<Broker[]>;
  createKey(key: NewKey, actor: Actor): Promise<ApiKey>;
  listKeys(agencyId: string): Promise<ApiKey[]>;
  revokeKey(keyId: string, actor: Actor): Promise<ApiKey>;
};
