import type { KeptRequest } from '../domain/kept-request.ts';

/** What the operator can see of requests, by their ids alone. Every statement may be repeated. */
export type RequestStore = {
  /** Keeps requests; one that is kept already stays as it is. */
  keep(requests: readonly KeptRequest[]): Promise<void>;
  /** A request of any agency, with the later ones that were given its recorded answer; null where it is not kept. */
  find(requestId: string): Promise<FoundRequest | null>;
  /** Removes some of those that have been kept long enough, and gives their number: 0 where no more are left. */
  removeExpired(): Promise<number>;
};

export type FoundRequest = {
  readonly request: KeptRequest;
  /** Oldest first, 100 at most. */
  readonly replays: readonly Pick<KeptRequest, 'requestId' | 'receivedAt'>[];
};
