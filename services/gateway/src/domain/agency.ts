export type Mode = 'live' | 'test';
export type BrokerStatus = 'invited' | 'active' | 'inactive';
export type KeyType = 'agency' | 'broker';

export type Agency = {
  readonly id: string;
  readonly name: string;
  readonly liveEnabled: boolean;
  readonly testEnabled: boolean;
  readonly createdAt: Date;
};

export type Broker = {
  readonly id: string;
  readonly agencyId: string;
  /** As registered. */
  readonly email: string;
  readonly name: string;
  readonly status: BrokerStatus;
  readonly createdAt: Date;
};

/** An API key without its secret. */
export type ApiKey = {
  readonly id: string;
  readonly agencyId: string;
  readonly mode: Mode;
  readonly type: KeyType;
  readonly brokerEmail: string;
  readonly scopes: readonly string[];
  readonly name: string;
  /** Last UTC day on which it works, YYYY-MM-DD. */
  readonly expiresOn: string | null;
  readonly revokedAt: Date | null;
  readonly createdAt: Date;
};
