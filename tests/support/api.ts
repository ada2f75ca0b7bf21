import type { PublicQuote } from './examples.ts';

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

/** The public API as an agency's backend sees it. */
export type Api = {
  readonly post: (body: string | object) => Promise<Answer>;
  readonly get: (id: string) => Promise<Answer>;
};

export function apiOf(gatewayUrl: string, key: string): Api {
  const call = async (path: string, init: RequestInit) => {
    const response = await fetch(gatewayUrl + path, { ...init, headers: { Authorization: `Bearer ${key}` } });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return {
    post: (body) =>
      call('/v1/quotes', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
    get: (id) => call(`/v1/quotes/${id}`, {}),
  };
}

export function quoteOf({ status, text }: Answer): PublicQuote {
  if (status !== 200 && status !== 201) throw new Error(`no quote but ${status}: ${text}`);
  return JSON.parse(text);
}

export function errorOf({ text }: Answer): ApiError {
  return JSON.parse(text).error;
}
