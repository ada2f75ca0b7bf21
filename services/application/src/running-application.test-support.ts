import type { TestContext } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { callerHeaders } from '@pfq/kit/caller';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { operatorHeaders } from '@pfq/kit/rpc/operator-credential';
import {
  ApplicationAdminService,
  ApplicationSchema,
  ApplicationService,
  IncomingApplicationSchema,
} from '@pfq/proto/application/v1/application_pb';
import type { Application as ApplicationMessage } from '@pfq/proto/application/v1/application_pb';
import type { Application } from './domain/application.ts';
import { toMessage } from './rpc/write-application.ts';
import { start } from './server.ts';

const OPERATOR_TOKEN = 'operator-token-of-the-application-tests';

export const AS_OPERATOR = { headers: operatorHeaders({ token: OPERATOR_TOKEN, actor: 'mail intake' }) };

export function asTenant(agencyId: string, mode: 'live' | 'test' = 'live') {
  return { headers: callerHeaders({ requestId: 'req_of_this_test', tenant: { agencyId, mode } }) };
}

/** A service on a free port, with clients that call it over gRPC; stopped after the test. */
export async function startApplication(t: TestContext, databaseUrl: string, { migrateOnStart = true } = {}) {
  const service = await start({
    databaseUrl,
    databasePoolSize: 10,
    migrateOnStart,
    listenHost: '127.0.0.1',
    rpcTlsDir: null,
    connectionAgeMs: 300_000,
    rpcPort: 0,
    operatorToken: OPERATOR_TOKEN,
    logLevel: 'error',
    logFormat: 'json',
  });
  const transport = createRpcTransport(`grpc://127.0.0.1:${service.port}`, null);
  t.after(async () => {
    transport.close();
    await service.stop();
  });
  return {
    applications: createClient(ApplicationService, transport),
    admin: createClient(ApplicationAdminService, transport),
  };
}

/** What those who bring applications in send, with changes that the domain would not make. */
export function toIncoming(agencyId: string, application: Application, changes: Partial<ApplicationMessage> = {}) {
  const message = { ...create(ApplicationSchema, toMessage(application)), ...changes };
  return create(IncomingApplicationSchema, { agencyId, livemode: true, application: message });
}
