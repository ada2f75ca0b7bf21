import { create } from '@bufbuild/protobuf';
import type { DescMessage, DescMethod, DescService, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import type { sendUnaryData, ServerUnaryCall, ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { callerOf } from '../caller.ts';
import { ServiceError } from '../errors.ts';
import type { Health } from '../health.ts';
import type { Logger } from '../log.ts';
import { answerAtOnce } from './answer-at-once.ts';
import { CallContext } from './call-context.ts';
import { toMetadata } from './metadata.ts';
import { requireOperator } from './operator-credential.ts';
import { reflectionOf } from './reflection.ts';
import { observeTakenCall } from './server-telemetry.ts';
import type { Served } from './server-telemetry.ts';
import { healthOf } from './serve-health.ts';
import { toWireError } from './status.ts';
import type { RpcTls } from './tls.ts';
import { decode, encode, MAX_MESSAGE_BYTES, nameOf, pathOf } from './wire-format.ts';
import { STOP_MS } from '../stop-times.ts';

/** Registers services; Connect's own router fits too, so that tests need no port. */
export type RpcRoutes = (router: RpcRouter) => void;
type RpcRouter = { service<S extends DescService>(service: S, implementation: ServiceImpl<S>): unknown };
type AnyImplementation = (
  request: MessageShape<DescMessage>,
  context: HandlerContext,
) => MessageInitShape<DescMessage> | Promise<MessageInitShape<DescMessage>>;

type UnaryCall = ServerUnaryCall<Buffer, Buffer>;
type Respond = sendUnaryData<Buffer>;

type RpcServerOptions = {
  readonly routes: RpcRoutes;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Demanded by every method of a service whose name ends in AdminService. */
  readonly operatorToken: string;
  readonly logger: Logger;
  /** What `grpc.health.v1` answers; without it the server serves as long as it runs. */
  readonly health?: Pick<Health, 'report' | 'onChange'>;
  /** Demands a certificate of every caller; null encrypts nothing. */
  readonly tls: RpcTls | null;
  /** How long a caller's connection is used at most, give or take a tenth; null for ever. */
  readonly connectionAgeMs: number | null;
};

export type RpcServer = { readonly port: number; stop(): Promise<void> };

/** From the end of a connection's age on it takes no new calls; those under way may take as long as the longest of all. */
const LAST_CALLS_MS = 60_000;

/** Serves unary RPCs on grpc-js with health (`grpc.health.v1`) and reflection. `stop` lets calls under way finish. */
export async function serveRpc(options: RpcServerOptions): Promise<RpcServer> {
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    ...(options.connectionAgeMs !== null && { 'grpc.max_connection_age_ms': options.connectionAgeMs }),
    'grpc.max_connection_age_grace_ms': LAST_CALLS_MS,
    // Bookkeeping for a debugging service that is not served; it costs a little on every call.
    'grpc.enable_channelz': 0,
    interceptors: [answerAtOnce],
  });
  const services: DescService[] = [];
  options.routes({
    service(service, implementation) {
      services.push(service);
      server.addService(definitionOf(service), handlersOf(service, implementation, options));
    },
  });
  const health = healthOf(options.health);
  health.addToServer(server);
  reflectionOf(services).addToServer(server);
  const port = await bind(server, options);
  return {
    port,
    async stop() {
      health.end();
      await shutDown(server);
    },
  };
}

function handlersOf<S extends DescService>(
  service: S,
  implementation: ServiceImpl<S>,
  options: RpcServerOptions,
): UntypedServiceImplementation {
  const byName = implementation as Record<string, AnyImplementation>;
  const handlers: UntypedServiceImplementation = {};
  for (const method of service.methods) {
    const handle = byName[method.localName];
    if (!handle) throw new Error(`${service.typeName}.${method.name} has no implementation`);
    handlers[method.localName] = unaryHandler(
      method,
      (request, context) => handle.call(implementation, request, context),
      options,
    );
  }
  return handlers;
}

function unaryHandler(method: DescMethod, handle: AnyImplementation, { logger, operatorToken }: RpcServerOptions) {
  const isForOperator = method.parent.name.endsWith('AdminService');
  const serve = async (call: UnaryCall, context: CallContext, respond: Respond): Promise<Served> => {
    try {
      if (isForOperator) requireOperator(context.requestHeader, operatorToken);
      const response = await handle(decode(method.input, call.request), context);
      const bytes = encode(method.output, create(method.output, response));
      const header = context.sentHeader();
      const trailer = context.sentTrailer();
      const send = () => {
        if (header) call.sendMetadata(header);
        respond(null, bytes, trailer);
      };
      return { code: status.OK, send };
    } catch (error) {
      logFailure(error, { call, context, logger });
      const answer = statusOf(error);
      return { code: answer.code, error, send: () => respond(answer) };
    }
  };
  return (call: UnaryCall, respond: Respond) =>
    void observeTakenCall({ method, call, logger }, (context) => serve(call, context, respond));
}

/** A bug, a cause that only the log may know, or nothing worth a line: a caller that gave up or sent something wrong. */
function logFailure(
  error: unknown,
  { call, context, logger }: { call: UnaryCall; context: CallContext; logger: Logger },
): void {
  const about = { err: error, rpc: nameOf(context.method), request_id: callerOf(context).requestId };
  if (call.cancelled) logger.debug(about, 'call failed after its caller gave up');
  else if (!(error instanceof ServiceError)) logger.error(about, 'call failed');
  else if (error.cause !== undefined) logger.warn(about, 'call refused');
  else if (error.code === 'INVALID_API_KEY') logger.warn({ ...about, peer: call.getPeer() }, 'operator refused');
}

function statusOf(error: unknown) {
  const failure = toWireError(error);
  const trailer = setTrailerStatus(new Headers(), failure);
  trailer.delete('grpc-status');
  trailer.delete('grpc-message');
  const code: number = failure.code;
  return { code, details: failure.rawMessage, metadata: toMetadata(trailer) };
}

/** Messages pass grpc-js as bytes: what it answers by itself to one that cannot be read or written holds no detail. */
function definitionOf(service: DescService): ServiceDefinition {
  const methods = service.methods.map((method) => {
    if (method.methodKind !== 'unary') throw new Error(`${method.name} streams, and only unary methods are served`);
    const definition = {
      path: pathOf(method),
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    };
    return [method.localName, definition] as const;
  });
  return Object.fromEntries(methods);
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}

function bind(server: Server, { host, port, tls }: RpcServerOptions): Promise<number> {
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return new Promise((resolve, reject) => {
    server.bindAsync(address, tls?.server ?? ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
}

/** Waits for calls under way, then closes what is still open. */
async function shutDown(server: Server): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const drained = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, STOP_MS.underWay);
    server.tryShutdown(() => resolve());
  });
  await drained;
  clearTimeout(timer);
  server.forceShutdown();
}
