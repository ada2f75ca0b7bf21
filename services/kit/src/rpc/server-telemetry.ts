import type { DescMethod } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import type { Metadata, ServerUnaryCall } from '@grpc/grpc-js';
import { callerOf, REQUEST_ID } from '../caller.ts';
import { newId } from '../ids.ts';
import type { Logger } from '../log.ts';
import { record } from '../telemetry/metrics.ts';
import { errorTypeOf, inSpan, isRefusal, SpanKind } from '../telemetry/spans.ts';
import { CallContext } from './call-context.ts';
import { nameOf } from './wire-format.ts';

type Taken = {
  readonly method: DescMethod;
  readonly call: ServerUnaryCall<Buffer, Buffer>;
  readonly logger: Pick<Logger, 'info'>;
};

/** How a call is to be answered: where something was thrown, with that and with the status that its caller gets. */
export type Served = {
  readonly code: number;
  readonly error?: unknown;
  readonly send: () => void;
};

/**
 * A call as a span that continues its caller's trace, a reading of the duration of calls and a line in the log. A call that
 * came without a request id gets one. `serve` throws nothing.
 */
export function observeTakenCall(
  { method, call, logger }: Taken,
  serve: (context: CallContext) => Promise<Served>,
): Promise<void> {
  const startedAt = performance.now();
  const { metadata } = call;
  if (textOf(metadata, REQUEST_ID) === undefined) metadata.set(REQUEST_ID, newId('req_', Date.now()));
  const rpc = nameOf(method);
  const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': rpc };
  const parent = { traceparent: textOf(metadata, 'traceparent'), tracestate: textOf(metadata, 'tracestate') };
  return inSpan(rpc, { kind: SpanKind.SERVER, attributes, parent }, async (span) => {
    const context = new CallContext(method, call);
    const served = await serve(context);
    const { name, errorType, hasFailed } = outcomeOf(served, call);
    served.send();
    const durationMs = performance.now() - startedAt;
    const { requestId, tenant } = callerOf(context);
    const result = { 'rpc.status_code': name, 'error.type': errorType };
    const ids = { 'pfq.request.id': requestId, 'pfq.agency.id': tenant?.agencyId, 'pfq.mode': tenant?.mode };
    span.set({ ...result, ...ids });
    if (hasFailed) span.fail(errorType ?? name);
    record('rpc.server.call.duration', durationMs / 1_000, { ...attributes, ...result });
    const line = {
      request_id: requestId,
      rpc,
      status: name,
      duration_ms: Math.round(durationMs * 10) / 10,
      agency_id: tenant?.agencyId,
      mode: tenant?.mode,
    };
    logger.info(line, 'call');
  });
}

type Outcome = { readonly name: string; readonly errorType: string | undefined; readonly hasFailed: boolean };

/**
 * Nobody hears the answer of a call that was given up; a caller whose time was over has waited for nothing. To be asked before
 * the answer is sent, because grpc-js then takes a call with an error for given up.
 */
function outcomeOf({ code, error }: Served, call: Taken['call']): Outcome {
  if (call.cancelled) {
    const isLate = Number(call.getDeadline()) <= Date.now();
    const name = isLate ? 'DEADLINE_EXCEEDED' : 'CANCELLED';
    return { name, errorType: name, hasFailed: isLate };
  }
  const name = status[code] ?? 'UNKNOWN';
  if (name === 'OK') return { name, errorType: undefined, hasFailed: false };
  return { name, errorType: errorTypeOf(error), hasFailed: !isRefusal(error) };
}

function textOf(metadata: Metadata, name: string): string | undefined {
  const values = metadata.get(name);
  return values.length > 0 ? values.join(',') : undefined;
}
