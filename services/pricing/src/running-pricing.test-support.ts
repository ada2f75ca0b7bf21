import { createClient } from '@connectrpc/connect';
import type { Client } from '@connectrpc/connect';
import { createLogger } from '@pfq/kit/log';
import { openDatabase } from '@pfq/kit/postgres';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { operatorHeaders } from '@pfq/kit/rpc/operator-credential';
import { PricingAdminService } from '@pfq/proto/pricing/v1/admin_pb';
import { PricingService } from '@pfq/proto/pricing/v1/pricing_pb';
import { start } from './server.ts';

export type RunningPricing = {
  readonly pricing: Client<typeof PricingService>;
  readonly admin: Client<typeof PricingAdminService>;
  stop(): Promise<void>;
};

const OPERATOR_TOKEN = 'operator-token-of-the-pricing-tests';

export const AS_OPERATOR = { headers: operatorHeaders({ token: OPERATOR_TOKEN, actor: 'dana@lender.example' }) };
export const AS_STRANGER = { headers: operatorHeaders({ token: 'wrong'.repeat(8), actor: 'dana@lender.example' }) };

/** A service on a free port, with clients that call it over gRPC. */
export async function startPricing(databaseUrl: string, { migrateOnStart = true } = {}): Promise<RunningPricing> {
  const service = await start({
    listenHost: '127.0.0.1',
    rpcTlsDir: null,
    connectionAgeMs: 300_000,
    rpcPort: 0,
    operatorToken: OPERATOR_TOKEN,
    logLevel: 'error',
    logFormat: 'json',
    databaseUrl,
    databasePoolSize: 10,
    migrateOnStart,
  });
  const transport = createRpcTransport(`grpc://127.0.0.1:${service.port}`, null);
  return {
    pricing: createClient(PricingService, transport),
    admin: createClient(PricingAdminService, transport),
    async stop() {
      transport.close();
      await service.stop();
    },
  };
}

export async function readAudit(databaseUrl: string) {
  const database = openDatabase(databaseUrl, createLogger({ service: 'test', level: 'error', format: 'json' }));
  const rows = await database.read('SELECT actor, action, target FROM audit_log ORDER BY id', []);
  await database.close();
  return rows;
}
