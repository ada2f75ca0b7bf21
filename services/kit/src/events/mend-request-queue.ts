type Request = { readonly sentAt: number; readonly requestTimeout: number; timeoutRequest(): void };

/** What kafkajs 2.2.4 makes of the requests of one connection. */
type RequestQueue = {
  readonly pending: readonly unknown[];
  readonly inflight: ReadonlyMap<number, Request>;
  readonly throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  requestTimeoutIntervalId: NodeJS.Timeout;
  isConnected(): boolean;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
  destroy(): void;
};

/** As often as kafkajs looks whether a request that waits can be sent. */
const CHECK_WAITING_MS = 10;
/** How late it may be noticed that an answer is late. */
const CHECK_LATE_MS = 500;

/** Two timers of kafkajs 2.2.4 that keep a process busy which has nothing to do. */
export function mendRequestQueue(prototype: RequestQueue): void {
  // It looks for requests that wait after every answer, whether there are any or not, and at a time that lies in the
  // past: Node warns of that, and one timer follows the other for ever.
  prototype.scheduleCheckPendingRequests = function schedule(this: RequestQueue): void {
    if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return;
    const waitMs = Math.max(this.throttledUntil - Date.now(), CHECK_WAITING_MS);
    this.throttleCheckTimeoutId = setTimeout(() => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    }, waitMs);
  };
  // It looks ten times a second, on every connection, for requests that took seconds too long.
  prototype.scheduleRequestTimeoutCheck = function schedule(this: RequestQueue): void {
    this.destroy();
    this.requestTimeoutIntervalId = setInterval(() => {
      const isLate = ({ sentAt, requestTimeout }: Request) => Date.now() - sentAt > requestTimeout;
      for (const request of this.inflight.values()) if (isLate(request)) request.timeoutRequest();
      if (!this.isConnected()) this.destroy();
    }, CHECK_LATE_MS);
  };
}
