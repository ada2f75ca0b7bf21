import { create } from '@bufbuild/protobuf';
import type { DescMessage, DescMethodUnary, MessageShape } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Transport, UnaryResponse } from '@connectrpc/connect';
import { findTrailerError } from '@connectrpc/connect/protocol-grpc';
import { Client, credentials, status } from '@grpc/grpc-js';
import type { Metadata, ServiceError as GrpcError } from '@grpc/grpc-js';
import { setTimeout as wait } from 'node:timers/promises';
import { toHeaders, toMetadata } from './metadata.ts';
import { MAX_MESSAGE_BYTES, methodDefinitionOf } from './server.ts';

export type RpcTransport = Transport & { close(): void };

type Send<I extends DescMessage> = {
  readonly message: MessageShape<I>;
  readonly metadata: Metadata;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
};

const ATTEMPTS = 3;
const RETRY_DELAY_MS = 50;
/** For a call whose maker set no time limit. */
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Connect's transport over grpc-js: calls are spread over every address behind `grpc://host:port`, and a call without
 * side effects is tried again, at most twice, where the connection failed it.
 */
export function createRpcTransport(url: string): RpcTransport {
  const client = new Client(targetOf(url), credentials.createInsecure(), {
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 2_000,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 5_000,
    'grpc.enable_retries': 0,
  });
  return {
    close: () => client.close(),
    async unary(method, signal, timeoutMs, header, input) {
      const sending = {
        message: create(method.input, input),
        metadata: toMetadata(new Headers(header)),
        deadline: Date.now() + (timeoutMs ?? DEFAULT_TIMEOUT_MS),
        signal,
      };
      const attempts = method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS ? ATTEMPTS : 1;
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await callOnce(client, method, sending);
        } catch (error) {
          if (attempt === attempts || !lostOnTheWay(error)) throw error;
        }
        const delayMs = RETRY_DELAY_MS * 2 ** attempt * Math.random();
        await wait(Math.min(delayMs, Math.max(0, sending.deadline - Date.now())));
      }
    },
    stream: async () => {
      throw new ConnectError('only unary methods are called', Code.Unimplemented);
    },
  };
}

function callOnce<I extends DescMessage, O extends DescMessage>(
  client: Client,
  method: DescMethodUnary<I, O>,
  sending: Send<I>,
): Promise<UnaryResponse<I, O>> {
  const { path, requestSerialize, responseDeserialize } = methodDefinitionOf(method);
  return new Promise((resolve, reject) => {
    let header: Metadata | undefined;
    let trailer: Metadata | undefined;
    const done = (error: GrpcError | null, message?: MessageShape<O>) => {
      sending.signal?.removeEventListener('abort', cancel);
      if (error) return reject(toConnectError(error));
      if (!message) return reject(new ConnectError('the answer is empty', Code.Internal));
      resolve({
        stream: false,
        service: method.parent,
        method,
        message,
        get header() {
          return toHeaders(header);
        },
        get trailer() {
          return toHeaders(trailer);
        },
      });
    };
    const { message, metadata, deadline } = sending;
    const call = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      message,
      metadata,
      { deadline },
      done,
    );
    const cancel = () => call.cancel();
    call.on('metadata', (received) => (header = received));
    call.on('status', (final) => (trailer = final.metadata));
    if (sending.signal?.aborted) call.cancel();
    sending.signal?.addEventListener('abort', cancel, { once: true });
  });
}

/** grpc-js's own words for a deadline name the peer, and are replaced. */
function toConnectError(error: GrpcError): ConnectError {
  const trailer = toHeaders(error.metadata);
  const detailed = trailer.has('grpc-status-details-bin') ? findTrailerError(trailer) : undefined;
  if (detailed) return detailed;
  const expired = error.code === status.DEADLINE_EXCEEDED;
  trailer.set('grpc-status', String(error.code));
  trailer.set('grpc-message', encodeURIComponent(expired ? 'the deadline has passed' : error.details));
  return findTrailerError(trailer) ?? new ConnectError('the call failed', Code.Unknown);
}

function lostOnTheWay(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unavailable && error.details.length === 0;
}

function targetOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'grpc:' || port === '') throw new Error(`${url} is no grpc://host:port address`);
  return `dns:///${hostname}:${port}`;
}
