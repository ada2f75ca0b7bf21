import type { DescMethod } from '@bufbuild/protobuf';
import { ConnectError } from '@connectrpc/connect';
import { status } from '@grpc/grpc-js';
import type { Metadata } from '@grpc/grpc-js';
import { record } from '../telemetry/metrics.ts';
import { currentTrace, errorTypeOf, inSpan, SpanKind } from '../telemetry/spans.ts';
import { fromWireError } from './status.ts';
import { nameOf } from './wire-format.ts';

type Made = { readonly method: DescMethod; readonly host: string; readonly port: number; readonly metadata: Metadata };

/** A call with all its attempts as a span, which its metadata names to the other side, and a reading of the duration of calls. */
export function observeMadeCall<T>({ method, host, port, metadata }: Made, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const name = nameOf(method);
  const call = { 'rpc.system.name': 'grpc', 'rpc.method': name };
  const attributes = { ...call, 'server.address': host, 'server.port': port };
  return inSpan(name, { kind: SpanKind.CLIENT, attributes, meaning: fromWireError }, async (span) => {
    const end = (result: { 'rpc.status_code': string; 'error.type'?: string }) => {
      span.set(result);
      record('rpc.client.call.duration', (performance.now() - startedAt) / 1_000, { ...call, ...result });
    };
    addTrace(metadata);
    try {
      const answer = await work();
      end({ 'rpc.status_code': 'OK' });
      return answer;
    } catch (error) {
      const { code } = ConnectError.from(error);
      end({ 'rpc.status_code': status[code] ?? 'UNKNOWN', 'error.type': errorTypeOf(fromWireError(error)) });
      throw error;
    }
  });
}

function addTrace(metadata: Metadata): void {
  const { traceparent, tracestate } = currentTrace();
  if (traceparent !== undefined) metadata.set('traceparent', traceparent);
  if (tracestate !== undefined) metadata.set('tracestate', tracestate);
}
