import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a form was sent from a page of this origin, as far as the browser says: by `Origin`, by `Sec-Fetch-Site`, and by both
 * where it sends both. What sends neither is no browser of these years.
 */
export function isOwnForm(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin === undefined && site === undefined) return false;
  return (origin === undefined || origin === ownOrigin) && (site === undefined || site === 'same-origin');
}
