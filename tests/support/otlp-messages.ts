/** A span as it came, with what it says of its process. */
export type ReceivedSpan = {
  /** The service that made it. */
  readonly service: string;
  readonly scope: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Null where it begins a trace. */
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKindName;
  readonly attributes: Values;
  /** Milliseconds since 1970, with three decimals. */
  readonly startedMs: number;
  readonly endedMs: number;
  readonly isError: boolean;
  /** Words about the error, which we never send. */
  readonly message: string;
  /** Events and links, of which we make none, and whatever was dropped. */
  readonly extras: number;
};

export type Values = Readonly<Record<string, unknown>>;
export type SpanKindName = (typeof KINDS)[number];

/** Readings of one metric from one service. */
export type ReceivedMetric = {
  readonly service: string;
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly instrument: 'counter' | 'histogram' | 'gauge' | 'other';
  readonly points: readonly {
    readonly attributes: Values;
    readonly value: number;
    readonly bounds: readonly number[];
  }[];
};

/** Members that we read of opentelemetry/proto/{trace,metrics}/v1 in JSON. */
type AnyValue = Readonly<Record<string, unknown>>;
type KeyValue = { readonly key: string; readonly value: AnyValue };
type Resource = { readonly resource?: { readonly attributes?: readonly KeyValue[] } };
export type TraceMessage = { readonly resourceSpans?: readonly (Resource & { scopeSpans: readonly ScopeSpans[] })[] };
type ScopeSpans = { readonly scope?: { readonly name: string }; readonly spans: readonly Span[] };
type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly KeyValue[];
  readonly events?: readonly unknown[];
  readonly links?: readonly unknown[];
  readonly droppedAttributesCount?: number;
  readonly droppedEventsCount?: number;
  readonly status?: { readonly code?: number; readonly message?: string };
};
export type MetricsMessage = {
  readonly resourceMetrics?: readonly (Resource & { scopeMetrics: readonly { metrics: readonly Metric[] }[] })[];
};
type Point = {
  readonly attributes?: readonly KeyValue[];
  readonly asDouble?: number;
  readonly asInt?: string | number;
  readonly count?: string | number;
  readonly explicitBounds?: readonly number[];
};
type Points = { readonly dataPoints: readonly Point[]; readonly isMonotonic?: boolean };
type Metric = {
  readonly name: string;
  readonly unit?: string;
  readonly description?: string;
  readonly sum?: Points;
  readonly gauge?: Points;
  readonly histogram?: Points;
};

/** In the order of their numbers; the first stands for none. */
const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'] as const;
const ERROR = 2;
const NANOSECONDS_OF_A_MICROSECOND = 1_000n;

export function spansIn({ resourceSpans = [] }: TraceMessage): readonly ReceivedSpan[] {
  return resourceSpans.flatMap((resource) =>
    resource.scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => ({
        service: serviceOf(resource),
        scope: scope?.name ?? '',
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || null,
        name: span.name,
        kind: KINDS[span.kind] ?? 'UNSPECIFIED',
        attributes: valuesOf(span.attributes),
        startedMs: milliseconds(span.startTimeUnixNano),
        endedMs: milliseconds(span.endTimeUnixNano),
        isError: span.status?.code === ERROR,
        message: span.status?.message ?? '',
        extras: (span.events?.length ?? 0) + (span.links?.length ?? 0) + droppedOf(span),
      })),
    ),
  );
}

export function metricsIn({ resourceMetrics = [] }: MetricsMessage): readonly ReceivedMetric[] {
  return resourceMetrics.flatMap((resource) =>
    resource.scopeMetrics
      .flatMap(({ metrics }) => metrics)
      .map((metric) => ({
        service: serviceOf(resource),
        name: metric.name,
        unit: metric.unit ?? '',
        description: metric.description ?? '',
        instrument: instrumentOf(metric),
        points: (metric.sum ?? metric.gauge ?? metric.histogram)?.dataPoints.map(readPoint) ?? [],
      })),
  );
}

function instrumentOf({ sum, gauge, histogram }: Metric): ReceivedMetric['instrument'] {
  if (sum) return sum.isMonotonic ? 'counter' : 'other';
  if (gauge) return 'gauge';
  return histogram ? 'histogram' : 'other';
}

function readPoint({ attributes, asDouble, asInt, count, explicitBounds }: Point): ReceivedMetric['points'][number] {
  const value = Number(asDouble ?? asInt ?? count ?? Number.NaN);
  return { attributes: valuesOf(attributes), value, bounds: explicitBounds ?? [] };
}

function serviceOf({ resource }: Resource): string {
  const name = valuesOf(resource?.attributes)['service.name'];
  return typeof name === 'string' ? name : '';
}

function valuesOf(attributes: readonly KeyValue[] = []): Values {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function milliseconds(unixNano: string): number {
  return Number(BigInt(unixNano) / NANOSECONDS_OF_A_MICROSECOND) / 1_000;
}

function droppedOf({ droppedAttributesCount = 0, droppedEventsCount = 0 }: Span): number {
  return droppedAttributesCount + droppedEventsCount;
}
