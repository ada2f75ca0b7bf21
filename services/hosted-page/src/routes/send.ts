import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { encodeFor } from '@pfq/kit/http-representation';
import type { Representation } from './represent.ts';

/** How long what is still being sent is thrown away after the answer. */
const LINGER_MS = 2_000;

/** Writes the answer, compressed. Where the request has not arrived to its end, the connection is closed soon after. */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, text }: Representation,
): Promise<void> {
  const { encoding, body } = encodeFor(text === '' ? 'identity' : request.headers['accept-encoding'], text);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.length);
  response.statusCode = status;
  // A quick refusal overtakes the parser: the body may have come together with the head.
  if (!request.complete) await nextTurn();
  if (request.complete) response.end(body);
  else sendEarly(request, response, body);
}

/** To a caller that is still sending: closing at once would reset the connection before the answer is read. */
function sendEarly(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  response.setHeader('Connection', 'close');
  response.flushHeaders();
  response.write(body);
  const timer = setTimeout(close, LINGER_MS);
  request.once('end', close).once('close', close).resume();
  function close(): void {
    clearTimeout(timer);
    response.end();
  }
}
