import type { IncomingMessage } from 'node:http';
import { record } from './metrics.ts';
import type { Attributes } from './registry.ts';
import { errorTypeOf, inSpan, SpanKind } from './spans.ts';

type Told = {
  /** The path with `{name}` where a part varies; `unmatched` where there is no such path. Never the path itself. */
  readonly route: string;
  /** Ids and codes alone. */
  readonly attributes?: Attributes | undefined;
};

type AnsweredRequest = Told & {
  readonly status: number;
  /** The public code of a refusal or failure. */
  readonly errorType?: string | undefined;
};

/** What became of a request; one of the two is to be told, once. */
export type RequestSpan = {
  answered(answer: AnsweredRequest): void;
  /** Its caller went away before it could be answered. */
  brokenOff(request: Told): void;
};

/** Of RFC 9110 and RFC 5789; anything else could be told apart without end. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** A public request as a span that continues its caller's trace, and as a reading of the duration of requests. */
export function observeRequest(request: IncomingMessage, work: (seen: RequestSpan) => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const method = METHODS.has(request.method ?? '') ? `${request.method}` : '_OTHER';
  const attributes = { 'http.request.method': method };
  // Not its tracestate: that is text of the caller's own, which would be in every span and go to everyone behind us.
  const parent = { traceparent: single(request.headers['traceparent']) };
  return inSpan(spanName(method), { kind: SpanKind.SERVER, attributes, parent }, async (span) => {
    const end = (result: ResultAttributes) => {
      record('http.server.request.duration', (performance.now() - startedAt) / 1_000, { ...attributes, ...result });
    };
    let isTold = false;
    const tell = ({ route, attributes: more = {} }: Told, result: ResultAttributes) => {
      isTold = true;
      span.rename(spanName(method, route));
      span.set({ ...more, ...result, 'http.route': route });
      end({ ...result, 'http.route': route });
    };
    try {
      await work({
        answered(answer) {
          const errorType = answer.errorType ?? (isFault(answer.status) ? String(answer.status) : undefined);
          tell(answer, { 'http.response.status_code': answer.status, 'error.type': errorType });
          if (errorType !== undefined && isFault(answer.status)) span.fail(errorType);
        },
        brokenOff: (broken) => tell(broken, { 'error.type': 'RequestAborted' }),
      });
    } catch (error) {
      if (!isTold) end({ 'error.type': errorTypeOf(error) });
      throw error;
    }
  });
}

type ResultAttributes = Pick<Attributes, 'http.route' | 'http.response.status_code' | 'error.type'>;

function spanName(method: string, route?: string): string {
  const shown = method === '_OTHER' ? 'HTTP' : method;
  return route === undefined ? shown : `${shown} ${route}`;
}

/** A refusal is the caller's fault, and no error of ours. */
function isFault(status: number): boolean {
  return status >= 500;
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
