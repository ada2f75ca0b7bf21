import type { Language } from '../words/words.ts';
import type { TryAgain } from '../pages/page.ts';

/** What becomes known of a request on its way: the page's frame and the log line tell it. */
export type Exchange = {
  readonly requestId: string;
  /** The route with `{token}` in the place of the link's token. */
  readonly route: string;
  /** What a page of a link was asked for by; null where asking again would change something, or there is no such page. */
  readonly address: { readonly path: string; readonly query: URLSearchParams } | null;
  readonly language: Language;
  /** The form that was sent, and the path that takes it. */
  sent?: { readonly path: string; readonly fields: ReadonlyMap<string, string> };
  quoteId?: string;
  /** What kept us from serving it. */
  failure?: unknown;
};

/** How to try again: the address that was asked for, or the form that was sent. */
export function tryAgainWith({ address, sent }: Exchange): TryAgain | null {
  if (address === null) return sent ? { kind: 'form', ...sent } : null;
  const path = address.query.size === 0 ? address.path : `${address.path}?${address.query}`;
  return { kind: 'link', path };
}

/** Where the page is in the other language; null where it has no address to come back to. */
export function switchTo({ address, language }: Exchange): string | null {
  if (address === null) return null;
  const query = new URLSearchParams(address.query);
  query.set('lang', language === 'en' ? 'es' : 'en');
  return `${address.path}?${query}`;
}
