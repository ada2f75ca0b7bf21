/** The part of kafkajs 2.2.4 that `services/kit/src/events.ts` mends: the requests of one connection. */
declare module 'kafkajs/src/network/requestQueue/index.js' {
  type Request = { readonly sentAt: number; readonly requestTimeout: number; timeoutRequest(): void };

  export default class RequestQueue {
    constructor(options: object);
    readonly pending: readonly unknown[];
    readonly inflight: ReadonlyMap<number, Request>;
    /** Milliseconds since 1970, until when the broker wants no more requests; -1 where it never asked. */
    readonly throttledUntil: number;
    throttleCheckTimeoutId: NodeJS.Timeout | null;
    requestTimeoutIntervalId: NodeJS.Timeout;
    isConnected(): boolean;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
    scheduleRequestTimeoutCheck(): void;
    /** Ends both timers. */
    destroy(): void;
  }
}
