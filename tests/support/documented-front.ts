import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { serveHttp } from '@pfq/kit/http';
import { requireDocumented } from './openapi.ts';

export type DocumentedFront = {
  /** Takes the place of the gateway's address. */
  readonly url: string;
  /** What went wrong so far, a line each. */
  readonly problems: readonly string[];
};

/** Headers of one connection, which are not handed on. */
const OF_CONNECTION = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding']);

/** Stands before a gateway for programs that a test starts, and holds every answer against the OpenAPI document. */
export async function startDocumentedFront(t: TestContext, gatewayUrl: string): Promise<DocumentedFront> {
  const problems: string[] = [];
  const handOn = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      await relay(gatewayUrl, { request, response });
    } catch (error) {
      problems.push(String(error));
      response.destroy();
    }
  };
  const server = await serveHttp({
    handler: (request, response) => void handOn(request, response),
    host: '127.0.0.1',
    port: 0,
    connectionAgeMs: null,
  });
  t.after(() => server.stop());
  return { url: `http://127.0.0.1:${server.port}`, problems };
}

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** Hands a request on, and its answer back once it is found to be as documented. */
async function relay(gatewayUrl: string, { request, response }: Exchange): Promise<void> {
  const { method = '', url: target = '' } = request;
  const sent = await buffer(request);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    OF_CONNECTION.has(name) ? [] : [[name, String(value)] as [string, string]],
  );
  const init: RequestInit = { method, headers, body: sent.length === 0 ? null : Uint8Array.from(sent) };
  const answer = await fetch(gatewayUrl + target, init);
  const text = await answer.text();
  requireDocumented({ method, target, sent: sent.toString(), status: answer.status, headers: answer.headers, text });
  for (const [name, value] of answer.headers) if (!OF_CONNECTION.has(name)) response.setHeader(name, value);
  response.writeHead(answer.status).end(text);
}
