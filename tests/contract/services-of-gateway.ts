import assert from 'node:assert/strict';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { PRICED_UNDER, pricedDeal } from '@pfq/gateway/priced-deal.test-support';
import { QUIET } from '@pfq/gateway/whole-gateway.test-support';
import { createLogger } from '@pfq/kit/log';
import { migrate } from '@pfq/kit/migrate';
import { serveRpc } from '@pfq/kit/rpc/server';
import { PricedDealSchema, PricingService } from '@pfq/proto/pricing/v1/pricing_pb';
import { start as startQuoteStore } from '@pfq/quote-store/server';
import { databasesPreparedBy } from '../support/database.ts';
import type { OpenableDatabase } from '../support/database.ts';

/** Where nobody listens: test quotes have no events. */
const NOWHERE = { kind: 'grpc', url: 'grpc://127.0.0.1:1' } as const;

const logger = createLogger({ service: 'test', level: 'error', format: 'json' });

const migrated = (service: string) =>
  databasesPreparedBy((databaseUrl) =>
    migrate({ databaseUrl, dir: path.resolve(import.meta.dirname, '../../services', service, 'migrations'), logger }),
  );
const makeGatewayDatabase = migrated('gateway');
const makeStoreDatabase = migrated('quote-store');

/** The databases of a gateway and of a quote store for one test, with the newest schema. */
export function makeDatabases(t: TestContext): Promise<[gateway: OpenableDatabase, store: OpenableDatabase]> {
  return Promise.all([makeGatewayDatabase(t), makeStoreDatabase(t)]);
}

/** The real quote store over a database of its own. */
export async function startStore(t: TestContext, databaseUrl: string): Promise<number> {
  const service = await startQuoteStore({
    ...QUIET,
    databaseUrl,
    databasePoolSize: 10,
    rpcPort: 0,
    migrateOnStart: true,
    eventsUrl: NOWHERE,
  });
  t.after(() => service.stop());
  return service.port;
}

type Pricing = { readonly apr?: number; readonly before?: () => Promise<void> };

/** Prices that are made up; `apr` changes what pricing says the second time, and `before` holds it up the first. */
export async function startPricing(t: TestContext, { apr = 1_104, before }: Pricing = {}): Promise<number> {
  const server = await serveRpc({
    routes: (router) =>
      router.service(PricingService, {
        async priceDeal({ deal }) {
          await before?.();
          return { priced: pricedDeal(deal?.policies.length), pricedUnder: PRICED_UNDER };
        },
        repriceDeal({ deal, pricedUnder }) {
          assert.deepEqual(pricedUnder, PRICED_UNDER);
          const priced = pricedDeal(deal?.policies.length);
          const options = priced.options.map((option) => ({ ...option, aprBasisPoints: apr }));
          return { priced: create(PricedDealSchema, { ...priced, options }) };
        },
      }),
    host: '127.0.0.1',
    port: 0,
    operatorToken: QUIET.operatorToken,
    logger,
    tls: null,
    connectionAgeMs: null,
  });
  t.after(() => server.stop());
  return server.port;
}
