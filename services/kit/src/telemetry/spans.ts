import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import type { Context, Span } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { ERROR_CODES } from '../error-codes.ts';
import { ServiceError } from '../errors.ts';
import { given } from './given.ts';
import type { Attributes } from './registry.ts';

export { SpanKind } from '@opentelemetry/api';

/** W3C trace context as it travels: in HTTP headers, RPC metadata, headers of Kafka records, rows. */
export type TraceCarrier = { traceparent?: string | undefined; tracestate?: string | undefined };

export type SpanOptions = {
  readonly kind: SpanKind;
  readonly attributes?: Attributes;
  /** What came from elsewhere. Where it is given and holds no valid trace, a new one begins; where it is absent, the span is part of what is going on. */
  readonly parent?: TraceCarrier;
  /** What was thrown as an error of ours, where it is one of a technology. */
  readonly meaning?: (error: unknown) => unknown;
};

/** What work may tell of itself while it goes on. */
export type OpenSpan = {
  set(attributes: Attributes): void;
  /** Names it anew, once it is known what it is about. */
  rename(name: string): void;
  /** Marks it as failed by a public code or the name of an error; what was thrown marks it by itself, unless it is a refusal. */
  fail(type: string): void;
};

const TRACER = 'pfq';
const propagator = new W3CTraceContextPropagator();

/** Work as a span, inside which spans are its children. What it throws is thrown on. */
export async function inSpan<T>(name: string, options: SpanOptions, work: (span: OpenSpan) => Promise<T>): Promise<T> {
  const around = options.parent ? extract(options.parent) : context.active();
  // Nobody will see what is inside a span that is not sampled, and its context already says so.
  if (!options.parent && isUnsampled(around)) return work(NO_SPAN);
  const { kind, attributes = {}, meaning } = options;
  const span = trace.getTracer(TRACER).startSpan(name, { kind, attributes: given(attributes) }, around);
  const inside = trace.setSpan(around, span);
  if (!span.isRecording()) return context.with(inside, work, undefined, NO_SPAN);
  try {
    return await context.with(inside, work, undefined, openSpan(span));
  } catch (error) {
    const failure = meaning ? meaning(error) : error;
    if (isRefusal(failure)) span.setAttribute('error.type', errorTypeOf(failure));
    else fail(span, errorTypeOf(failure));
    throw error;
  } finally {
    span.end();
  }
}

/** The trace that is going on, to be handed on or kept; empty where there is none. */
export function currentTrace(): TraceCarrier {
  const carrier: TraceCarrier = {};
  propagator.inject(context.active(), carrier, {
    set: (into, key, value) => void (key === 'traceparent' || key === 'tracestate' ? (into[key] = value) : undefined),
  });
  return carrier;
}

/** Ids of the span that is going on, for the log; empty where there is none. */
export function currentIds(): { readonly trace_id?: string; readonly span_id?: string } {
  const spanContext = trace.getSpanContext(context.active());
  if (!spanContext || !isSpanContextValid(spanContext)) return {};
  return { trace_id: spanContext.traceId, span_id: spanContext.spanId };
}

/** Adds to the span that is going on, if there is one. */
export function annotate(attributes: Attributes): void {
  const span = trace.getActiveSpan();
  if (span?.isRecording()) span.setAttributes(given(attributes));
}

/** The code of an error, ours or one that a server or the system gave (`QUOTE_EXPIRED`, `23505`, `ECONNREFUSED`), else its name. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Whether it is the caller's fault. It is then answered as it should be, and nothing has failed. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && ERROR_CODES[error.code].status < 500;
}

const NO_SPAN: OpenSpan = { set() {}, rename() {}, fail() {} };

function openSpan(span: Span): OpenSpan {
  return {
    set: (attributes) => void span.setAttributes(given(attributes)),
    rename: (name) => void span.updateName(name),
    fail: (type) => fail(span, type),
  };
}

function extract(carrier: TraceCarrier): Context {
  return propagator.extract(ROOT_CONTEXT, carrier, {
    get: (from, key) => (key === 'traceparent' || key === 'tracestate' ? from[key] : undefined),
    keys: (from) => Object.keys(from),
  });
}

function isUnsampled(around: Context): boolean {
  const spanContext = trace.getSpanContext(around);
  return spanContext !== undefined && (spanContext.traceFlags & TraceFlags.SAMPLED) === 0;
}

/** Messages of errors stay out: they may hold anything. The log has them. */
function fail(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', type);
}
