import { create } from '@bufbuild/protobuf';
import type { DescMessage, DescMethodUnary } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import type { Transport, UnaryResponse } from '@connectrpc/connect';
import { findTrailerError } from '@connectrpc/connect/protocol-grpc';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import type { CallOptions, ServiceError as GrpcError } from '@grpc/grpc-js';
import { setTimeout as wait } from 'node:timers/promises';
import { checkHealth } from './check-health.ts';
import { observeMadeCall } from './client-telemetry.ts';
import { explainConnection } from './explain-connection.ts';
import { toHeaders, toMetadata } from './metadata.ts';
import { withNothingStored } from './status.ts';
import type { RpcTls } from './tls.ts';
import { decode, encode, MAX_MESSAGE_BYTES, pathOf } from './wire-format.ts';

export type RpcTransport = Transport & {
  /** Whether the other side serves, as its health says; rejects within a second where it does not. */
  check(): Promise<void>;
  close(): void;
};

type Sending = {
  readonly bytes: Buffer;
  readonly metadata: Metadata;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  /** Called when a connection is about to carry the call: from then on it may arrive. Only for calls where that matters. */
  readonly onCarried: (() => void) | undefined;
  readonly isEncrypted: boolean;
};

const NO_METADATA = new Metadata();
const ATTEMPTS = 3;
const RETRY_DELAY_MS = 50;
/**
 * grpc-js's words for a call that was sent and not taken up (RFC 9113, 8.7), because its connection was ending; it tries such
 * a call again by itself, but only once.
 */
const REFUSED = 'Stream refused by server';
/** For a call whose maker set no time limit. */
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Connect's transport over grpc-js, spreading calls over every address behind `grpc://host:port`. Where its connection failed,
 * a call that left nothing behind for certain, because it changes nothing or was never sent, is tried again, at most twice,
 * and then fails as SERVICE_UNAVAILABLE. A time limit of 0 has passed already; without one it is ten seconds. With TLS the
 * other side's certificate must be for `host`; null encrypts nothing.
 */
export function createRpcTransport(url: string, tls: RpcTls | null): RpcTransport {
  const { host, port } = addressOf(url);
  const isEncrypted = tls !== null;
  const client = new Client(`dns:///${host}:${port}`, tls?.client ?? credentials.createInsecure(), {
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    // No TXT look-up, which could replace the setting above; and names are looked up again as soon as pods have moved.
    'grpc.service_config_disable_resolution': 1,
    'grpc.dns_min_time_between_resolutions_ms': 2_000,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 2_000,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 5_000,
    'grpc.keepalive_permit_without_calls': 1,
    // Bookkeeping for a debugging service that is not served; it costs a little on every call.
    'grpc.enable_channelz': 0,
  });
  return {
    close: () => client.close(),
    check: () => checkHealth(client, { isEncrypted }),
    unary(method, signal, timeoutMs, header, input) {
      const metadata = toMetadata(header);
      const deadline = Date.now() + (timeoutMs ?? DEFAULT_TIMEOUT_MS);
      return observeMadeCall({ method, host, port, metadata }, () => {
        const bytes = encode(method.input, create(method.input, input));
        return callUntilAnswered(client, method, { bytes, metadata, deadline, signal, isEncrypted });
      });
    },
    stream: async () => {
      throw new ConnectError('only unary methods are called', Code.Unimplemented);
    },
  };
}

async function callUntilAnswered<I extends DescMessage, O extends DescMessage>(
  client: Client,
  method: DescMethodUnary<I, O>,
  request: Omit<Sending, 'onCarried'>,
): Promise<UnaryResponse<I, O>> {
  const changesNothing = method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
  let isCarried = false;
  const sending = { ...request, onCarried: changesNothing ? undefined : () => (isCarried = true) };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await callOnce(client, method, sending);
    } catch (error) {
      if (!(error instanceof ConnectError) || !isUnanswered(error)) throw error;
      const leftNothing = changesNothing || !isCarried || error.rawMessage === REFUSED;
      const canRetry = leftNothing && attempt < ATTEMPTS && error.code === Code.Unavailable;
      if (!canRetry) throw leftNothing ? withNothingStored(error) : error;
    }
    isCarried = false;
    await waitToRetry(attempt, sending);
  }
}

function callOnce<I extends DescMessage, O extends DescMessage>(
  client: Client,
  method: DescMethodUnary<I, O>,
  sending: Sending,
): Promise<UnaryResponse<I, O>> {
  return new Promise((resolve, reject) => {
    if (sending.deadline <= Date.now()) return reject(deadlinePassed());
    let header: Metadata | undefined;
    let trailer: Metadata | undefined;
    const { bytes, metadata, signal } = sending;
    const call = withoutStackTrace(() =>
      client.makeUnaryRequest(
        pathOf(method),
        (message: Buffer) => message,
        (message: Buffer) => decode(method.output, message),
        bytes,
        metadata,
        optionsOf(sending),
        (error, message) => {
          signal?.removeEventListener('abort', cancel);
          if (error) return reject(toConnectError(error, sending));
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
        },
      ),
    );
    const cancel = () => call.cancel();
    call.on('metadata', (received) => (header = received));
    call.on('status', (final) => (trailer = final.metadata));
    if (signal?.aborted) call.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
  });
}

/**
 * grpc-js takes a stack trace at every call, for an error that is made anew here: 4 % of the gateway's time in a profile of
 * creating quotes.
 */
function withoutStackTrace<T>(work: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** grpc-js asks for credentials after it has found a connection for a call and before it writes to it. */
function optionsOf({ deadline, onCarried }: Sending): CallOptions {
  if (!onCarried) return { deadline };
  const noCredentials = credentials.createFromMetadataGenerator((_options, give) => {
    onCarried();
    give(null, NO_METADATA);
  });
  return { deadline, credentials: noCredentials };
}

/** grpc-js's own words for a deadline name the peer, and are replaced. */
function toConnectError(error: GrpcError, { isEncrypted }: Sending): ConnectError {
  const trailer = toHeaders(error.metadata);
  const detailed = trailer.has('grpc-status-details-bin') ? findTrailerError(trailer) : undefined;
  if (detailed) return detailed;
  if (error.code === status.DEADLINE_EXCEEDED) return deadlinePassed();
  trailer.set('grpc-status', String(error.code));
  const message = explainConnection(error.details, { isEncrypted });
  trailer.set('grpc-message', encodeURIComponent(message.toWellFormed()));
  return findTrailerError(trailer) ?? new ConnectError('the call failed', Code.Unknown);
}

function deadlinePassed(): ConnectError {
  return new ConnectError('the deadline has passed', Code.DeadlineExceeded);
}

/** Nothing of the other side was heard; had it answered, there would be a detail. */
function isUnanswered({ code, details }: ConnectError): boolean {
  return (code === Code.Unavailable || code === Code.DeadlineExceeded) && details.length === 0;
}

async function waitToRetry(attempt: number, { deadline, signal }: Sending): Promise<void> {
  const delayMs = RETRY_DELAY_MS * 2 ** attempt * Math.random();
  const timeLeftMs = Math.max(0, deadline - Date.now());
  await wait(Math.min(delayMs, timeLeftMs), undefined, signal && { signal }).catch((error: unknown) => {
    throw new ConnectError('the caller gave up', Code.Canceled, undefined, undefined, error);
  });
}

function addressOf(url: string): { readonly host: string; readonly port: number } {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'grpc:' || port === '') throw new Error('the address of a service must be grpc://host:port');
  return { host: hostname, port: Number(port) };
}
