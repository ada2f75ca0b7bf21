import type { PublicQuote } from './examples.ts';
import { requireDocumented } from './openapi.ts';

export type ApiError = {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly param?: string;
  readonly doc_url: string;
  readonly request_id: string;
  readonly details?: readonly { readonly code: string; readonly param?: string; readonly message: string }[];
};

export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string };

type Asked = { readonly body?: string | Uint8Array | object; readonly headers?: Readonly<Record<string, string>> };

/** The public API as an agency's backend sees it. */
export type Api = {
  /** Asks anything: `ask('POST', '/v1/quotes/qte_…/hosted-link')`. A body that is an object is sent as JSON. */
  readonly ask: (method: string, path: string, asked?: Asked) => Promise<Answer>;
  /** Creates a quote. */
  readonly post: (body: string | object, headers?: Asked['headers']) => Promise<Answer>;
  /** Reads a quote. */
  readonly get: (id: string) => Promise<Answer>;
};

/** The public API for one key, or for none. An answer that breaks the OpenAPI document fails the test that asked. */
export function apiOf(gatewayUrl: string, key: string | null): Api {
  const ask: Api['ask'] = async (method, path, { body, headers } = {}) => {
    const authorization = key === null ? {} : { Authorization: `Bearer ${key}` };
    const init: RequestInit = { method, headers: { ...authorization, ...headers }, body: bodyOf(body) };
    const response = await fetch(gatewayUrl + path, init);
    const answer = { status: response.status, headers: response.headers, text: await response.text() };
    requireDocumented({ method, target: path, sent: textOf(body) ?? '', ...answer });
    return answer;
  };
  return {
    ask,
    post: (body, headers = {}) => ask('POST', '/v1/quotes', { body, headers }),
    get: (id) => ask('GET', `/v1/quotes/${id}`),
  };
}

function bodyOf(body: Asked['body']): string | Uint8Array<ArrayBuffer> | null {
  return body instanceof Uint8Array ? Uint8Array.from(body) : (textOf(body) ?? null);
}

function textOf(body: Asked['body']): string | undefined {
  if (body === undefined || typeof body === 'string') return body;
  return body instanceof Uint8Array ? Buffer.from(body).toString() : JSON.stringify(body);
}

export function quoteOf({ status, text }: Answer): PublicQuote {
  if (status !== 200 && status !== 201) throw new Error(`no quote but ${status}: ${text}`);
  return JSON.parse(text);
}

export function errorOf({ text }: Answer): ApiError {
  return JSON.parse(text).error;
}
