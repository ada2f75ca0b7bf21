import { createHash, randomBytes } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import express from 'express';
import type { Request, Response } from 'express';
import { newId, randomBase62 } from '@pfq/kit/ids';
import { createLogger } from '@pfq/kit/log';
import { openDatabase } from '@pfq/kit/postgres';
import { CURRENT_VERSION } from '@pfq/gateway/versions/changes';
import { parseBody } from '@pfq/gateway/requests/body';
import { parseQuoteRequest } from '@pfq/gateway/requests/quote-request';
import { toDeal } from '@pfq/gateway/routes/deal';
import { renderPricedMembers, renderQuote, renderRequestMembers } from '@pfq/gateway/quotes/quote-object';
import { postgresAccessStore } from '@pfq/gateway/storage/postgres-access';
import { ENGINE_VERSION, findEngine } from '@pfq/pricing/domain/engines';
import { readDeal } from '@pfq/pricing/rpc/read-deal';
import { writePricedDeal } from '@pfq/pricing/rpc/write-priced-deal';
import { postgresPricingStore } from '@pfq/pricing/storage/postgres';
import { openReferenceLibrary } from '@pfq/pricing/storage/reference-library';
import { COVERAGE_LIST_VERSION, COVERAGE_TYPES } from '@pfq/proto/coverage-types';
import { DealSchema } from '@pfq/proto/pricing/v1/deal_pb';
import { PricedDealSchema } from '@pfq/proto/pricing/v1/pricing_pb';
import { postgresQuoteStore } from '@pfq/quote-store/storage/postgres';

/** The databases of a running stack, and the secret under which its keys are hashed. */
type MonolithConfig = {
  readonly port: number;
  readonly gatewayUrl: string;
  readonly pricingUrl: string;
  readonly quoteStoreUrl: string;
  readonly keyPepper: string;
};

const COVERAGE_TYPE_NAMES = COVERAGE_TYPES.map(({ type }) => type);
const LIFETIME_MS = 30 * 86_400_000;

/** `POST /v1/quotes` as one Express process would serve it: the same statements and rules, without a call between services. */
function startMonolith({ port, gatewayUrl, pricingUrl, quoteStoreUrl, keyPepper }: MonolithConfig): void {
  const logger = createLogger({ service: 'monolith', level: 'warn', format: 'json' });
  const access = postgresAccessStore(openDatabase(gatewayUrl, logger), keyPepper);
  const library = openReferenceLibrary(postgresPricingStore(openDatabase(pricingUrl, logger)), COVERAGE_LIST_VERSION);
  const quotes = postgresQuoteStore(openDatabase(quoteStoreUrl, logger));
  const engine = findEngine(ENGINE_VERSION);
  if (!engine) throw new Error('there is no engine');

  const postQuote = async (httpRequest: Request, response: Response) => {
    const key = (httpRequest.get('authorization') ?? '').slice('Bearer '.length);
    const found = await access.admit(key, { isNewQuote: true });
    if (!found) return void response.status(401).end();
    const request = parseQuoteRequest(parseBody(httpRequest.body), COVERAGE_TYPE_NAMES);
    const createdAt = found.now;
    const deal = toDeal(request, createdAt.toISOString().slice(0, 10));
    const { reference, versions } = await library.current(createdAt.getTime());
    const priced = create(PricedDealSchema, writePricedDeal(engine(readDeal(deal), reference)));
    const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS);
    const policyIds = request.policies.map(() => `pol_${randomBase62(8)}`);
    const { id: brokerId, email: brokerEmail } = found.defaultBroker;
    const requestMembers = renderRequestMembers({ request, priced, brokerEmail, createdAt, expiresAt, policyIds });
    const pricedMembers = renderPricedMembers(priced);
    const id = newId('qte_', createdAt.getTime());
    const token = randomBytes(32).toString('base64url');
    const quote = {
      id,
      brokerId,
      createdAt,
      expiresAt,
      apiVersion: CURRENT_VERSION,
      requestMembers: Buffer.from(requestMembers),
      pricedMembers: Buffer.from(pricedMembers),
      deal: toBinary(DealSchema, deal),
      pricedUnder: Buffer.from(JSON.stringify(versions)),
      hostedLinkHash: createHash('sha256').update(token).digest(),
      parties: {
        insuredName: request.insured.name,
        agencyName: found.agencyName,
        brokerName: found.defaultBroker.name,
        brokerEmail: found.defaultBroker.email,
      },
    };
    await quotes.create({ agencyId: found.agencyId, mode: found.mode }, quote);
    const head = { id, mode: found.mode, status: 'active' as const, hostedUrl: `http://127.0.0.1/q/${token}` };
    response
      .status(201)
      .type('application/json')
      .end(renderQuote(head, requestMembers, pricedMembers));
  };
  const app = express();
  app.post('/v1/quotes', express.raw({ type: () => true, limit: '2mb' }), postQuote);
  app.listen(port, '127.0.0.1', () => process.send?.('ready'));
}

process.once('message', (config: MonolithConfig) => startMonolith(config));
process.once('disconnect', () => process.exit(0));
