import { renderStoredQuote } from '../quotes/stored-quote.ts';
import { parseBody } from '../requests/body.ts';
import { parseInterestRequest } from '../requests/quote-changes.ts';
import { prepareChange } from './change-quote.ts';
import type { AcceptedRequest, EndpointDeps, Write } from './endpoint.ts';

/** `POST /v1/test_helpers/quotes/{id}/interest`: acts out the insured's "I'm interested" and answers 200 with the quote. */
export async function expressTestInterest(accepted: AcceptedRequest, deps: EndpointDeps): Promise<Write> {
  const { option_id: optionId, note } = parseInterestRequest(parseBody(accepted.body));
  const { mode } = accepted.access;
  const { versions } = deps;
  return prepareChange(accepted, deps, async ({ wanted, carryOut }) => {
    const interest = { ...wanted, optionId, ...(note !== null && { note }) };
    const { quote } = await carryOut((call) => deps.quoteStore.expressTestInterest(interest, call));
    return { status: 200, body: renderStoredQuote(quote, { mode, hostedUrl: null, versions }) };
  });
}
