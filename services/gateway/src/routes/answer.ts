import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ERROR_CODES } from '@pfq/kit/error-codes';
import type { ServiceError } from '@pfq/kit/errors';

/** What a request is answered with. The body is JSON text; null where there is none. */
export type Answer = {
  readonly status: number;
  readonly body: string | null;
  /** The API version that served it, where it is not the one of this request. */
  readonly version?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where it is the recorded answer of an earlier request: which one, if that is known, and the id of what that made. */
  readonly replay?: { readonly requestId: string | null; readonly writeId: string };
};

type ErrorOptions = { readonly requestId: string; readonly docsUrl: string };

/** The public error object. */
export function errorAnswer(error: ServiceError, { requestId, docsUrl }: ErrorOptions): Answer {
  const { status, type } = ERROR_CODES[error.code];
  const body = {
    error: {
      type,
      code: error.code,
      message: error.message,
      ...(error.param !== undefined && { param: error.param }),
      doc_url: `${docsUrl}/errors#${error.code}`,
      request_id: requestId,
      ...(error.details.length > 0 && { details: error.details }),
    },
  };
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = String(error.retryAfterSeconds);
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  return { status, body: JSON.stringify(body), headers };
}

/** How long what is still being sent is thrown away after the answer. */
const LINGER_MS = 2_000;

/** Writes the answer. Where the request has not arrived to its end, the connection is closed soon after. */
export async function send(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { status, headers } = answer;
  const body = answer.body === null ? null : Buffer.from(answer.body);
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.statusCode = status;
  if (body !== null) response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', body?.length ?? 0);
  // A quick refusal overtakes the parser: the body may have come together with the head.
  if (!request.complete) await nextTurn();
  if (request.complete) response.end(body ?? undefined);
  else sendEarly(request, response, body);
}

/** To a caller that is still sending: closing at once would reset the connection before the answer is read. */
function sendEarly(request: IncomingMessage, response: ServerResponse, body: Buffer | null): void {
  response.setHeader('Connection', 'close');
  response.flushHeaders();
  if (body !== null) response.write(body);
  const timer = setTimeout(close, LINGER_MS);
  request.once('end', close).once('close', close).resume();
  function close(): void {
    clearTimeout(timer);
    response.end();
  }
}
