import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type {
  DescMessage,
  DescMethod,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { sendUnaryData, ServerUnaryCall, ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { callerOf } from '../caller.ts';
import { ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { CallContext } from './call-context.ts';
import { toMetadata } from './metadata.ts';
import { requireOperator } from './operator-credential.ts';
import { reflectionOf } from './reflection.ts';
import { toWireError } from './status.ts';

/** Registers services; Connect's own router fits too, so that tests need no port. */
export type RpcRoutes = (router: RpcRouter) => void;
type RpcRouter = { service<S extends DescService>(service: S, implementation: ServiceImpl<S>): unknown };
type AnyImplementation = (
  request: MessageShape<DescMessage>,
  context: HandlerContext,
) => MessageInitShape<DescMessage> | Promise<MessageInitShape<DescMessage>>;

type UnaryCall = ServerUnaryCall<MessageShape<DescMessage>, MessageShape<DescMessage>>;

type RpcServerOptions = {
  readonly routes: RpcRoutes;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Demanded by every method of a service whose name ends in AdminService. */
  readonly operatorToken: string;
  readonly logger: Logger;
};

export type RpcServer = { readonly port: number; stop(): Promise<void> };

/** Largest message either way: a quote of 25 policies with full metadata is under 4 MB. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MINUTE_MS = 60_000;
const DRAIN_MS = 10_000;

/** Serves unary RPCs on grpc-js with health (`grpc.health.v1`) and reflection. */
export async function serveRpc(options: RpcServerOptions): Promise<RpcServer> {
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_connection_age_ms': 5 * MINUTE_MS,
    'grpc.max_connection_age_grace_ms': MINUTE_MS,
    'grpc.keepalive_permit_without_calls': 1,
  });
  const services: DescService[] = [];
  options.routes({
    service(service, implementation) {
      services.push(service);
      server.addService(definitionOf(service), handlersOf(service, implementation, options));
    },
  });
  const health = new HealthImplementation({ '': 'SERVING' });
  health.addToServer(server);
  reflectionOf(services).addToServer(server);
  const port = await bind(server, `${options.host}:${options.port}`);
  return {
    port,
    async stop() {
      health.setStatus('', 'NOT_SERVING');
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
  const operatorOnly = method.parent.name.endsWith('AdminService');
  const serve = async (call: UnaryCall, respond: sendUnaryData<MessageShape<DescMessage>>) => {
    const context = new CallContext(method, call);
    try {
      if (operatorOnly) requireOperator(context.requestHeader, operatorToken);
      const response = await handle(call.request, context);
      respond(null, create(method.output, response), context.sentTrailer());
    } catch (error) {
      if (!(error instanceof ServiceError)) {
        logger.error({ err: error, rpc: method.name, request_id: callerOf(context).requestId }, 'call failed');
      }
      respond(statusOf(error));
    }
  };
  return (call: UnaryCall, respond: sendUnaryData<MessageShape<DescMessage>>) => void serve(call, respond);
}

function statusOf(error: unknown) {
  const failure = toWireError(error);
  const trailer = setTrailerStatus(new Headers(), failure);
  trailer.delete('grpc-status');
  trailer.delete('grpc-message');
  const code: number = failure.code;
  return { code, details: failure.rawMessage, metadata: toMetadata(trailer) };
}

function definitionOf(service: DescService): ServiceDefinition {
  return Object.fromEntries(service.methods.map((method) => [method.localName, methodDefinitionOf(asUnary(method))]));
}

/** grpc-js's description of a method: path and codecs. */
export function methodDefinitionOf<I extends DescMessage, O extends DescMessage>(method: DescMethodUnary<I, O>) {
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    requestStream: false as const,
    responseStream: false as const,
    requestSerialize: (message: MessageShape<I>) => asBuffer(toBinary(method.input, message)),
    requestDeserialize: (bytes: Buffer) => fromBinary(method.input, bytes),
    responseSerialize: (message: MessageShape<O>) => asBuffer(toBinary(method.output, message)),
    responseDeserialize: (bytes: Buffer) => fromBinary(method.output, bytes),
  };
}

function asUnary(method: DescMethod): DescMethodUnary {
  if (!isUnary(method)) throw new Error(`${method.name} streams, and only unary methods are served`);
  return method;
}

function isUnary(method: DescMethod): method is DescMethod & DescMethodUnary {
  return method.methodKind === 'unary';
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function bind(server: Server, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
}

/** Waits for calls under way, then closes what is still open. */
async function shutDown(server: Server): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const drained = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
    server.tryShutdown(() => resolve());
  });
  await drained;
  clearTimeout(timer);
  server.forceShutdown();
}
