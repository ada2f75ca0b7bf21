import { renderStoredQuote } from '../quotes/stored-quote.ts';
import { parseBody } from '../requests/body.ts';
import { parseLinkRequest } from '../requests/quote-changes.ts';
import { prepareChange } from './change-quote.ts';
import type { AcceptedRequest, EndpointDeps, Write } from './endpoint.ts';
import { newHostedLink } from './new-hosted-link.ts';

/** `POST /v1/quotes/{id}/hosted-link`: revokes the current link and answers 200 with the quote and a fresh one. */
export async function issueHostedLink(accepted: AcceptedRequest, deps: EndpointDeps): Promise<Write> {
  parseLinkRequest(parseBody(accepted.body));
  const { mode } = accepted.access;
  const { versions } = deps;
  return prepareChange(accepted, deps, async ({ wanted, carryOut }) => {
    const { url: hostedUrl, hash: hostedLinkHash } = newHostedLink(deps.hostedBaseUrl);
    const { quote } = await carryOut((call) => deps.quoteStore.replaceHostedLink({ ...wanted, hostedLinkHash }, call));
    return { status: 200, body: renderStoredQuote(quote, { mode, hostedUrl, versions }) };
  });
}
