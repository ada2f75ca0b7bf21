import { record } from '../telemetry/metrics.ts';
import type { Attributes } from '../telemetry/registry.ts';
import { errorTypeOf, inSpan, SpanKind } from '../telemetry/spans.ts';
import type { OpenSpan, TraceCarrier } from '../telemetry/spans.ts';
import type { RecordParts } from './dead-letter.ts';

type Processing = {
  readonly topic: string;
  readonly groupId: string;
  readonly partition: number;
  /** What the event is part of. */
  readonly parent: TraceCarrier;
};

const SYSTEM = { 'messaging.system.name': 'kafka' } as const satisfies Attributes;

/** The sending of one record, whose headers then name its span. */
export async function traceSending(topic: string, send: () => Promise<void>): Promise<void> {
  const about = { ...SYSTEM, 'messaging.destination.name': topic, 'messaging.operation.name': 'send' };
  const attributes = { ...about, 'messaging.operation.type': 'send' };
  const startedMs = performance.now();
  let failure: string | undefined;
  try {
    await inSpan(`send ${topic}`, { kind: SpanKind.PRODUCER, attributes }, send);
  } catch (error) {
    failure = errorTypeOf(error);
    throw error;
  } finally {
    record('messaging.client.operation.duration', secondsSince(startedMs), { ...about, 'error.type': failure });
  }
}

/** One attempt to handle an event, as part of what the event is part of. Work tells by the span that it failed. */
export async function traceProcessing<T>(
  { topic, groupId, partition, parent }: Processing,
  work: (span: Pick<OpenSpan, 'fail'>) => Promise<T>,
): Promise<T> {
  const about = { ...SYSTEM, 'messaging.destination.name': topic, 'messaging.consumer.group.name': groupId };
  const operation = { 'messaging.operation.name': 'process', 'messaging.operation.type': 'process' };
  const attributes = { ...about, ...operation, 'messaging.destination.partition.id': String(partition) };
  const startedMs = performance.now();
  let failure: string | undefined;
  try {
    return await inSpan(`process ${topic}`, { kind: SpanKind.CONSUMER, attributes, parent }, (span) =>
      work({
        fail(type) {
          failure = type;
          span.fail(type);
        },
      }),
    );
  } finally {
    record('messaging.process.duration', secondsSince(startedMs), { ...about, 'error.type': failure });
  }
}

/** What the headers of a record say that it is part of; null where they say nothing. */
export function traceOfHeaders(headers: RecordParts['headers'] = {}): TraceCarrier | null {
  const { traceparent, tracestate } = headers;
  if (traceparent === undefined || Array.isArray(traceparent)) return null;
  const hasState = tracestate !== undefined && !Array.isArray(tracestate);
  return { traceparent: traceparent.toString(), ...(hasState && { tracestate: tracestate.toString() }) };
}

function secondsSince(startedMs: number): number {
  return (performance.now() - startedMs) / 1_000;
}
