import { waitUntil } from '@pfq/local/processes';
import type { OtlpReceiver } from './otlp.ts';
import type { ReceivedSpan } from './otlp-messages.ts';

/** One trace, as far as it has come in. */
export type Trace = {
  readonly id: string;
  readonly spans: readonly ReceivedSpan[];
  /** `gateway → pricing: PricingService/PriceDeal`: where work passed from one service to another, each once, sorted. */
  readonly edges: readonly string[];
  /** `gateway: SELECT key_usage`: what services asked of others that make no spans, and of other services in vain, each once, sorted. */
  readonly leaves: readonly string[];
  /** `pricing: PricingService/PriceDeal`: spans that tell of an error, each once, sorted. */
  readonly failed: readonly string[];
  /** Spans whose parent is neither in the trace nor the caller's. */
  readonly orphans: readonly ReceivedSpan[];
  /** Spans that began when the one they are said to be a part of was over, in the same service; not those of jobs and events. */
  readonly strays: readonly ReceivedSpan[];
};

/** A trace that a caller begins: the header to send, and what must be found again. */
export type CallersTrace = { readonly traceId: string; readonly spanId: string; readonly traceparent: string };

/** Batches come every few seconds, and one trace's from several services. */
const TIME_TO_COME_MS = 30_000;
const CLOCK_ERROR_MS = 2;
const PACKAGE = /^pfq\.\w+\.v\d+\./;

export function beginTrace({ isSampled = true } = {}): CallersTrace {
  const hex = (bytes: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');
  const [traceId, spanId] = [hex(16), hex(8)];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}` };
}

/**
 * Gives the trace that a request id leads to, once it is whole and has what is wanted of it; after half a minute as it is, for
 * the test to say what lacks.
 */
export async function awaitTrace(
  receiver: OtlpReceiver,
  { requestId, has }: { readonly requestId: string; readonly has: (trace: Trace) => boolean },
): Promise<Trace> {
  const look = () => {
    const found = receiver.spans().find(({ attributes }) => attributes['pfq.request.id'] === requestId);
    return traceOf(receiver.spans(), found?.traceId ?? '');
  };
  await waitUntil(() => {
    const trace = look();
    return trace.spans.length > 0 && trace.orphans.length === 0 && has(trace);
  }, TIME_TO_COME_MS);
  return look();
}

function traceOf(received: readonly ReceivedSpan[], traceId: string): Trace {
  const spans = received.filter((span) => span.traceId === traceId);
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const parentOf = ({ parentSpanId }: ReceivedSpan) => (parentSpanId === null ? undefined : byId.get(parentSpanId));
  const edges = spans.flatMap((span) => {
    const parent = parentOf(span);
    return parent && parent.service !== span.service ? [`${parent.service} → ${span.service}: ${workOf(span)}`] : [];
  });
  const parents = new Set(spans.map(({ parentSpanId }) => parentSpanId));
  const leaves = spans.filter(({ kind, spanId }) => kind === 'CLIENT' && !parents.has(spanId)).map(told);
  const failed = spans.filter(({ isError }) => isError).map(told);
  // A request may continue the trace of a caller who tells us nothing of it.
  const isFromOutside = ({ kind, attributes }: ReceivedSpan) =>
    kind === 'SERVER' && 'http.request.method' in attributes;
  const orphans = spans.filter(
    (span) => span.parentSpanId !== null && parentOf(span) === undefined && !isFromOutside(span),
  );
  return {
    id: traceId,
    spans,
    edges: sortedOnce(edges),
    leaves: sortedOnce(leaves),
    failed: sortedOnce(failed),
    orphans,
    strays: spans.filter((span) => isStray(span, parentOf(span))),
  };
}

/** Every trace of which something came in. */
export function tracesOf(received: readonly ReceivedSpan[]): readonly Trace[] {
  return [...new Set(received.map(({ traceId }) => traceId))].map((id) => traceOf(received, id));
}

function isStray({ service, kind, startedMs }: ReceivedSpan, parent: ReceivedSpan | undefined): boolean {
  if (kind === 'CONSUMER' || parent?.service !== service) return false;
  return startedMs > parent.endedMs + CLOCK_ERROR_MS;
}

function told(span: ReceivedSpan): string {
  return `${span.service}: ${workOf(span)}`;
}

function workOf({ name }: ReceivedSpan): string {
  return name.replace(PACKAGE, '');
}

function sortedOnce(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)].sort();
}
