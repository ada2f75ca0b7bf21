import { toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { callerHeaders } from '@pfq/kit/caller';
import { newId, randomBase62 } from '@pfq/kit/ids';
import { failureOfRead } from '@pfq/kit/rpc/status';
import { COVERAGE_TYPES } from '@pfq/proto/coverage-types';
import { DealSchema, PricedUnderSchema } from '@pfq/proto/pricing/v1/deal_pb';
import type { ActingBroker } from '../domain/access.ts';
import { chooseActingBroker } from '../domain/acting-broker.ts';
import { parseBody } from '../requests/body.ts';
import { parseQuoteRequest } from '../requests/quote-request.ts';
import type { QuoteRequest } from '../requests/quote-request.ts';
import type { Answer } from './answer.ts';
import { toDeal } from './deal.ts';
import type { AcceptedRequest, EndpointDeps, Write } from './endpoint.ts';
import { newHostedLink } from './new-hosted-link.ts';
import { priceDeal } from './price.ts';
import { renderPricedMembers, renderQuote, renderRequestMembers } from '../quotes/quote-object.ts';
import { storeQuote } from './store-quote.ts';

const LIFETIME_DAYS = 30;
const DAY_MS = 86_400_000;
const POLICY_RANDOM_LENGTH = 8;
const VOID_TIMEOUT_MS = 3_000;
const COVERAGE_TYPE_NAMES = COVERAGE_TYPES.map(({ type }) => type);

/** `POST /v1/quotes`: prices a deal once, stores it, and answers 201 with the quote and its hosted link. */
export async function createQuote(accepted: AcceptedRequest, deps: EndpointDeps): Promise<Write> {
  const { access, caller, remainingMs } = accepted;
  const request = parseQuoteRequest(parseBody(accepted.body), COVERAGE_TYPE_NAMES);
  const broker = await chooseActingBroker(access, request.broker_email, (email) =>
    deps.access.findActiveBroker(access.agencyId, email),
  );
  const quoteId = newId('qte_', access.now.getTime());
  return {
    broker,
    writeId: quoteId,
    perform: () => makeQuote({ accepted, request, broker, quoteId }, deps),
    async giveUp(writeId) {
      const call = { headers: callerHeaders(caller), timeoutMs: Math.min(VOID_TIMEOUT_MS, remainingMs()) };
      await deps.quoteStore.voidQuote({ quoteId: writeId }, call).catch((error: unknown) => {
        throw failureOfRead(error);
      });
    },
  };
}

type NewQuote = {
  readonly accepted: AcceptedRequest;
  readonly request: QuoteRequest;
  readonly broker: ActingBroker;
  readonly quoteId: string;
};

async function makeQuote({ accepted, request, broker, quoteId }: NewQuote, deps: EndpointDeps): Promise<Answer> {
  const { access, caller, remainingMs } = accepted;
  const createdAt = access.now;
  const deal = toDeal(request, createdAt.toISOString().slice(0, 10));
  const { priced, pricedUnder } = await priceDeal(deps.pricing, { deal, pricedAt: createdAt, caller, remainingMs });
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_DAYS * DAY_MS);
  const policyIds = newPolicyIds(request.policies.length);
  const requestMembers = renderRequestMembers({
    request,
    priced,
    brokerEmail: broker.email,
    createdAt,
    expiresAt,
    policyIds,
  });
  const pricedMembers = renderPricedMembers(priced);
  const link = newHostedLink(deps.hostedBaseUrl);
  const quote = {
    quoteId,
    brokerId: broker.id,
    createdAt: timestampFromDate(createdAt),
    expiresAt: timestampFromDate(expiresAt),
    snapshot: {
      requestMembers: Buffer.from(requestMembers),
      pricedMembers: Buffer.from(pricedMembers),
      apiVersion: deps.versions.current,
    },
    deal: toBinary(DealSchema, deal),
    pricedUnder: toBinary(PricedUnderSchema, pricedUnder),
    hostedLinkHash: link.hash,
    parties: {
      insuredName: request.insured.name,
      agencyName: access.agencyName,
      brokerName: broker.name,
      brokerEmail: broker.email,
    },
  };
  await storeQuote(deps.quoteStore, quote, { headers: callerHeaders(caller), remainingMs });
  const head = {
    id: quoteId,
    mode: access.mode,
    status: 'active' as const,
    hostedUrl: link.url,
  };
  return { status: 201, body: renderQuote(head, requestMembers, pricedMembers) };
}

/** Unique within the quote. */
function newPolicyIds(count: number): string[] {
  const ids = new Set<string>();
  while (ids.size < count) ids.add(`pol_${randomBase62(POLICY_RANDOM_LENGTH)}`);
  return [...ids];
}
