import type { TestContext } from 'node:test';
import { changed, fullRequest } from '@pfq/gateway/requests/sample-request.test-support';
import type { Answered } from '@pfq/gateway/running-gateway.test-support';
import { makeAgency, makeKey, startWholeGateway } from '@pfq/gateway/whole-gateway.test-support';
import type { WholeGateway } from '@pfq/gateway/whole-gateway.test-support';
import type { Database } from '@pfq/kit/postgres';
import { setTime } from '../support/database.ts';
import { makeDatabases, startPricing, startStore } from './services-of-gateway.ts';

type Sent = {
  readonly by?: WholeGateway;
  readonly as?: string;
  readonly path?: string;
  readonly key?: string;
  readonly body?: string;
};

export const BODY = JSON.stringify(changed(fullRequest(), 'broker_email'));
export const ANA = 'ana@a.example';
export const BEN = 'ben@a.example';
/** When the clocks of a scene stand still. */
const NOON = '2026-11-20T12:00:00.000Z';

/** Two gateways on one database before the real quote store, an agency with two brokers, and clocks that only tests move. */
export async function startKeyedGateways(t: TestContext, { before }: { readonly before?: () => Promise<void> } = {}) {
  const [gatewayDatabase, storeDatabase] = await makeDatabases(t);
  const [quoteStore, pricing] = await Promise.all([
    startStore(t, storeDatabase.url),
    startPricing(t, { ...(before && { before }) }),
  ]);
  const parts = { databaseUrl: gatewayDatabase.url, pricing, quoteStore };
  const [one, other] = [await startWholeGateway(t, parts), await startWholeGateway(t, parts)];
  const [keys, quotes] = [gatewayDatabase.open(), storeDatabase.open()];
  const moveTo = async (now: string) => {
    await Promise.all([setTime(keys, now), setTime(quotes, now)]);
  };
  await moveTo(NOON);
  const agencyId = await makeAgency(one, ANA, BEN);
  const newKey = async (brokerEmail = ANA) => (await makeKey(one, { agencyId, brokerEmail })).secret;
  const apiKey = await newKey();
  return {
    parts,
    one,
    other,
    agencyId,
    apiKey,
    newKey,
    moveTo,
    /** The databases of the gateways and of the quote store. */
    keys,
    quotes,
    /** A write under the Idempotency-Key k through the first gateway, unless it says otherwise. */
    post: ({ by = one, as = apiKey, path = '/v1/quotes', key = 'k', body = BODY }: Sent = {}): Promise<Answered> =>
      by.ask('POST', path, { key: as, headers: { 'idempotency-key': key }, body }),
  };
}

/** Quotes that exist; ids that were given up do not. */
export async function countQuotes(quotes: Database): Promise<number> {
  const [row] = await quotes.read<{ count: number }>(
    'SELECT count(*)::integer AS count FROM quotes WHERE voided_at IS NULL',
    [],
  );
  return row?.count ?? 0;
}
