import { createQuote } from './create-quote.ts';
import type { Endpoint } from './endpoint.ts';
import { getQuote } from './get-quote.ts';

/** The public endpoints: one line each. */
export const ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: '/v1/quotes', scope: 'quotes:write', handle: createQuote },
  { method: 'GET', path: '/v1/quotes/{id}', scope: 'quotes:read', handle: getQuote },
];
