export type DeliveryLimits = {
  /** From the beginning until the whole message has been handed over, however slowly the server talks. */
  readonly handOverMs: number;
  /** From then until the answer. */
  readonly answerMs: number;
};

/** One mail on its way. */
export type Delivery = {
  /** Aborted with an Error when a limit is over, or with `closing`. */
  readonly signal: AbortSignal;
  /** The last byte of the message was handed to a connection. */
  readonly handOver: () => void;
  /** Whether it ever was, so that the server may have taken it. */
  readonly wasSent: () => boolean;
  readonly end: () => void;
};

export function startDelivery(closing: AbortSignal, { handOverMs, answerMs }: DeliveryLimits): Delivery {
  const late = new AbortController();
  const startTimer = (ms: number) => setTimeout(() => late.abort(new Error(`not done within ${ms} ms`)), ms);
  let timer = startTimer(handOverMs);
  let wasSent = false;
  return {
    signal: AbortSignal.any([closing, late.signal]),
    handOver() {
      if (wasSent) return;
      wasSent = true;
      clearTimeout(timer);
      if (!late.signal.aborted) timer = startTimer(answerMs);
    },
    wasSent: () => wasSent,
    end: () => clearTimeout(timer),
  };
}
