import type { TestContext } from 'node:test';
import { createClient } from '@connectrpc/connect';
import type { Database } from '@pfq/kit/postgres';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { operatorHeaders } from '@pfq/kit/rpc/operator-credential';
import { AuditAdminService } from '@pfq/proto/audit/v1/audit_pb';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { AgencyAdminService, BrokerStatus, KeyType, QuoteAdminService } from '@pfq/proto/gateway/v1/admin_pb';
import { RequestAdminService } from '@pfq/proto/gateway/v1/request_admin_pb';
import { DOCS_URL, HOSTED_URL } from './running-gateway.test-support.ts';
import type { Answered } from './running-gateway.test-support.ts';
import { start } from './server.ts';

const OPERATOR_TOKEN = 'operator-token-of-the-gateway-tests';
export const KEY_PEPPER = 'pepper-of-the-gateway-tests-32-chars';
export const ANSWER_SECRET = 'secret-of-the-gateway-tests-32-chars';
export const AS_DANA = { headers: operatorHeaders({ token: OPERATOR_TOKEN, actor: 'dana@lender.example' }) };
export const AS_STRANGER = { headers: operatorHeaders({ token: 'wrong'.repeat(8), actor: 'eve' }) };
export const ALL_SCOPES = ['quotes:write', 'quotes:read'];

/** What every service of a test is started with. */
export const QUIET = {
  logLevel: 'error',
  logFormat: 'json',
  listenHost: '127.0.0.1',
  rpcTlsDir: null,
  connectionAgeMs: 300_000,
  operatorToken: OPERATOR_TOKEN,
} as const;

/** The gateway as it runs in production, on free ports, with the admin's clients. */
export async function startWholeGateway(
  t: TestContext,
  parts: {
    databaseUrl: string;
    pricing?: number;
    quoteStore?: number;
    application?: number;
    requestLogDays?: number;
    migrateOnStart?: boolean;
  },
) {
  const service = await start({
    ...QUIET,
    databaseUrl: parts.databaseUrl,
    databasePoolSize: 10,
    migrateOnStart: parts.migrateOnStart ?? true,
    httpPort: 0,
    rpcPort: 0,
    pricingUrl: `grpc://127.0.0.1:${parts.pricing ?? 1}`,
    quoteStoreUrl: `grpc://127.0.0.1:${parts.quoteStore ?? 1}`,
    applicationUrl: `grpc://127.0.0.1:${parts.application ?? 1}`,
    hostedBaseUrl: HOSTED_URL,
    apiBaseUrl: 'https://api.example',
    docsUrl: DOCS_URL,
    serveDocs: false,
    keyPepper: KEY_PEPPER,
    answerSecrets: [ANSWER_SECRET],
    requestTimeoutMs: 5_000,
    requestLogDays: parts.requestLogDays ?? 30,
  });
  const transport = createRpcTransport(`grpc://127.0.0.1:${service.port}`, null);
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop());
  t.after(async () => {
    transport.close();
    await stop();
  });
  return {
    admin: createClient(AgencyAdminService, transport),
    quotes: createClient(QuoteAdminService, transport),
    requests: createClient(RequestAdminService, transport),
    audit: createClient(AuditAdminService, transport),
    /** Before the end of the test, where that is what it is about. */
    stop,
    isReady: () => service.health.report().state === 'ready',
    async ask(method: string, path: string, { key, headers, body }: Asked): Promise<Answered> {
      const answer = await fetch(`http://127.0.0.1:${service.httpPort}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...headers },
        body: body ?? null,
      });
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
    },
  };
}

type Asked = { readonly key: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };
export type WholeGateway = Awaited<ReturnType<typeof startWholeGateway>>;

/** A new agency with both switches on and an active broker for each address. */
export async function makeAgency({ admin }: WholeGateway, ...emails: readonly string[]): Promise<string> {
  const { agency } = await admin.createAgency({ name: 'An agency' }, AS_DANA);
  const agencyId = agency?.id ?? '';
  await admin.switchAgency({ agencyId, liveEnabled: true, testEnabled: true }, AS_DANA);
  for (const email of emails) {
    await admin.registerBroker({ agencyId, email, name: 'A broker', status: BrokerStatus.ACTIVE }, AS_DANA);
  }
  return agencyId;
}

type KeyWanted = { agencyId: string; brokerEmail: string; mode?: Mode; type?: KeyType; expiresOn?: string };

/** A new key with both scopes: its id and the whole secret. */
export async function makeKey({ admin }: WholeGateway, wanted: KeyWanted): Promise<{ id: string; secret: string }> {
  const kind = { mode: Mode.TEST, type: KeyType.AGENCY, scopes: ALL_SCOPES, name: 'A key' };
  const { key, secret } = await admin.createKey({ ...kind, ...wanted }, AS_DANA);
  return { id: key?.id ?? '', secret };
}

export type AuditRow = { actor: string; action: string; target: string; details: Record<string, unknown> };

export function readAudit(database: Database): Promise<AuditRow[]> {
  return database.read<AuditRow>('SELECT actor, action, target, details FROM audit_log ORDER BY id', []);
}
