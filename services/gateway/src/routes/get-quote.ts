import { renderStoredQuote } from '../quotes/stored-quote.ts';
import type { Answer } from './answer.ts';
import type { AcceptedRequest, EndpointDeps } from './endpoint.ts';
import { readQuote } from './read-quote.ts';

/** `GET /v1/quotes/{id}`: the quote as it was stored, with its status now and without the hosted link. */
export async function getQuote(accepted: AcceptedRequest, deps: EndpointDeps): Promise<Answer> {
  const quote = await readQuote(accepted, deps);
  return {
    status: 200,
    body: renderStoredQuote(quote, { mode: accepted.access.mode, hostedUrl: null, versions: deps.versions }),
  };
}
