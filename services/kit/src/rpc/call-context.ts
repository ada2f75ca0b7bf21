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
  /** What is left of the caller's time, for the calls that the handler makes in turn; never below 0. */
  readonly timeoutMs = () => remainingMs(this.#call);
  readonly #call: ServerUnaryCall<unknown, unknown>;
  #requestHeader: Headers | undefined;
  #responseHeader: Headers | undefined;
  #responseTrailer: Headers | undefined;
  #signal: AbortSignal | undefined;
  #values: ContextValues | undefined;

  constructor(method: DescMethod, call: ServerUnaryCall<unknown, unknown>) {
    this.method = method;
    this.service = method.parent;
    this.#call = call;
  }

  get url(): string {
    return `http://${this.#call.getHost()}${this.#call.getPath()}`;
  }

  get requestHeader(): Headers {
    return (this.#requestHeader ??= toHeaders(this.#call.metadata));
  }

  get responseHeader(): Headers {
    return (this.#responseHeader ??= new Headers());
  }

  get responseTrailer(): Headers {
    return (this.#responseTrailer ??= new Headers());
  }

  get values(): ContextValues {
    return (this.#values ??= createContextValues());
  }

  /** Fires when the caller gives up, the deadline passes or the connection is lost; also once the call is over. */
  get signal(): AbortSignal {
    if (!this.#signal) {
      const controller = new AbortController();
      if (this.#call.cancelled) controller.abort();
      this.#call.on('cancelled', () => controller.abort());
      this.#signal = controller.signal;
    }
    return this.#signal;
  }

  /** The header for grpc-js, where the handler set one. */
  sentHeader(): Metadata | undefined {
    return this.#responseHeader && toMetadata(this.#responseHeader);
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
