import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { createContextValues } from '@connectrpc/connect';
import type { ContextValues, HandlerContext } from '@connectrpc/connect';
import type { Metadata, ServerUnaryCall } from '@grpc/grpc-js';
import { toHeaders, toMetadata } from './metadata.ts';

/** Connect's handler context over a grpc-js call. Headers and signal are made only when a handler asks for them. */
export class CallContext implements HandlerContext {
  readonly method: DescMethod;
  readonly service: DescService;
  readonly requestMethod = 'POST';
  readonly protocolName = 'grpc';
  readonly url: string;
  readonly responseHeader = new Headers();
  readonly timeoutMs: () => number | undefined;
  readonly #call: ServerUnaryCall<unknown, unknown>;
  #requestHeader: Headers | undefined;
  #responseTrailer: Headers | undefined;
  #signal: AbortSignal | undefined;
  #values: ContextValues | undefined;

  constructor(method: DescMethod, call: ServerUnaryCall<unknown, unknown>) {
    this.method = method;
    this.service = method.parent;
    this.url = call.getPath();
    this.#call = call;
    this.timeoutMs = () => remainingMs(call);
  }

  get requestHeader(): Headers {
    return (this.#requestHeader ??= toHeaders(this.#call.metadata));
  }

  get responseTrailer(): Headers {
    return (this.#responseTrailer ??= new Headers());
  }

  get values(): ContextValues {
    return (this.#values ??= createContextValues());
  }

  get signal(): AbortSignal {
    if (!this.#signal) {
      const controller = new AbortController();
      if (this.#call.cancelled) controller.abort();
      this.#call.on('cancelled', () => controller.abort());
      this.#signal = controller.signal;
    }
    return this.#signal;
  }

  /** The trailer for grpc-js, where the handler set one. */
  sentTrailer(): Metadata | undefined {
    return this.#responseTrailer && toMetadata(this.#responseTrailer);
  }
}

function remainingMs(call: ServerUnaryCall<unknown, unknown>): number | undefined {
  const deadline = call.getDeadline();
  const at = deadline instanceof Date ? deadline.getTime() : deadline;
  return Number.isFinite(at) ? Math.max(0, at - Date.now()) : undefined;
}
