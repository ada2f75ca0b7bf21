import type { RequestListener } from 'node:http';
import { represent, sendRepresentation } from '@pfq/kit/http-representation';
import { openApiDocument } from './document.ts';
import type { DocumentOptions } from './document.ts';

const HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'public, max-age=300',
  'X-Content-Type-Options': 'nosniff',
};

/** The OpenAPI document, written and compressed once. Mount it at `/openapi.json`: it needs no key. */
export function serveDocument(options: DocumentOptions): RequestListener {
  const shown = represent(JSON.stringify(openApiDocument(options)), { status: 200, headers: HEADERS });
  return (request, response) => {
    if (request.method === 'GET' || request.method === 'HEAD') sendRepresentation(request, response, shown);
    else response.writeHead(405, { Allow: 'GET, HEAD', Connection: 'close', 'Content-Length': 0 }).end();
  };
}
