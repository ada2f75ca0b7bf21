import { fromBinary, toBinary } from '@bufbuild/protobuf';
import type { DescMessage, DescMethod, MessageShape } from '@bufbuild/protobuf';

/** Largest message either way: a quote of 25 policies with full metadata is under 4 MB. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** A method in logs, spans and metrics: `pfq.pricing.v1.PricingService/PriceDeal`. */
export function nameOf(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

/** Where gRPC finds a method. */
export function pathOf(method: DescMethod): string {
  return `/${nameOf(method)}`;
}

export function encode<D extends DescMessage>(schema: D, message: MessageShape<D>): Buffer {
  const bytes = toBinary(schema, message);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function decode<D extends DescMessage>(schema: D, bytes: Buffer): MessageShape<D> {
  return fromBinary(schema, bytes);
}
