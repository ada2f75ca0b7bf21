import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import { represent, sendRepresentation } from '@pfq/kit/http-representation';
import type { Representation } from '@pfq/kit/http-representation';
import { coverageTypesTable } from './coverage-types.ts';
import { detailParts, errorPart, errorTable } from './error-codes.ts';
import { layOut } from './layout.ts';
import { addressOf, renderPages, ROOT_PATH } from './pages.ts';
import { referenceParts } from './reference.ts';
import { renderRunbooks } from './runbooks.ts';
import type { OpenApiDocument } from '../openapi/document-types.ts';

export type DocsOptions = {
  /** Public address of the API, which examples name. */
  readonly baseUrl: string;
  /** Public address of this site, which errors point to. */
  readonly docsUrl: string;
  readonly openApi: OpenApiDocument;
};

const STYLE = readOwn('style.css');
const ICON = readOwn('icon.svg');

/** Short, so that a release is read the same hour; long enough to turn pages without asking. */
const CACHE_CONTROL = 'public, max-age=300';
const SECURITY = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};
const HTML = { ...SECURITY, 'Content-Type': 'text/html; charset=utf-8' };

/** The documentation, rendered and compressed once. Mount it at `/docs`: it needs no key and knows no other path. */
export function docsSite(options: DocsOptions): RequestListener {
  const { found, missing } = renderSite(options);
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { ...SECURITY, Allow: 'GET, HEAD', Connection: 'close', 'Content-Length': 0 }).end();
      return;
    }
    const place = (request.url ?? '').replace(/\?.*$/s, '').replace(/\/$/, '');
    sendRepresentation(request, response, found.get(ROOT_PATH + place) ?? missing);
  };
}

type Site = { readonly found: ReadonlyMap<string, Representation>; readonly missing: Representation };

function renderSite({ baseUrl, docsUrl, openApi }: DocsOptions): Site {
  const forCallers = renderPages({
    base_url: () => baseUrl,
    docs_url: () => docsUrl,
    error_table: errorTable,
    error: (code) => errorPart(code, docsUrl),
    detail_codes: detailParts,
    coverage_types: coverageTypesTable,
    reference: () => referenceParts(openApi),
  });
  const pages = [...forCallers, ...renderRunbooks()];
  const found = new Map<string, Representation>();
  for (const page of pages) {
    const html = layOut({ page, pages, style: STYLE });
    found.set(
      addressOf(page.name),
      represent(html, { status: 200, headers: { ...HTML, 'Cache-Control': CACHE_CONTROL } }),
    );
  }
  const icon = { ...SECURITY, 'Content-Type': 'image/svg+xml', 'Cache-Control': CACHE_CONTROL };
  found.set(`${ROOT_PATH}/icon.svg`, represent(ICON, { status: 200, headers: icon }));
  const missing = layOut({ page: null, pages, style: STYLE });
  return { found, missing: represent(missing, { status: 404, headers: { ...HTML, 'Cache-Control': 'no-cache' } }) };
}

function readOwn(file: string): string {
  return readFileSync(path.join(import.meta.dirname, file), 'utf8');
}
