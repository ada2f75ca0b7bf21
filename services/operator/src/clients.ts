import type { DescMethod } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import type { Client, Transport } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { callerHeaders } from '@pfq/kit/caller';
import { ServiceError } from '@pfq/kit/errors';
import { tlsFault } from '@pfq/kit/rpc/explain-connection';
import { operatorHeaders } from '@pfq/kit/rpc/operator-credential';
import { fromWireError } from '@pfq/kit/rpc/status';
import { readCertificates } from '@pfq/kit/tls-files';
import type { TlsIdentity } from '@pfq/kit/tls-files';
import { ApplicationAdminService } from '@pfq/proto/application/v1/application_pb';
import { AuditAdminService } from '@pfq/proto/audit/v1/audit_pb';
import { AgencyAdminService, QuoteAdminService } from '@pfq/proto/gateway/v1/admin_pb';
import { RequestAdminService } from '@pfq/proto/gateway/v1/request_admin_pb';
import { NotificationAdminService } from '@pfq/proto/notification/v1/notification_pb';
import { PricingAdminService } from '@pfq/proto/pricing/v1/admin_pb';
import type { Connection } from './connection.ts';
import { CommandFailure } from './failure.ts';

/** The operator's side of every service. Calls throw a ServiceError or a CommandFailure, each good for one line. */
export type Clients = {
  readonly agencies: Client<typeof AgencyAdminService>;
  readonly quotes: Client<typeof QuoteAdminService>;
  readonly requests: Client<typeof RequestAdminService>;
  readonly pricing: Client<typeof PricingAdminService>;
  readonly applications: Client<typeof ApplicationAdminService>;
  readonly mail: Client<typeof NotificationAdminService>;
  /** The changes of every service that can be changed. */
  readonly audits: Readonly<Record<AuditedService, Client<typeof AuditAdminService>>>;
  /** Whether a call has failed: its line in the log has the request id. */
  hasFailed(): boolean;
  close(): void;
};

export type AuditedService = 'gateway' | 'pricing' | 'application' | 'notification';

/** Who makes the calls of a run, and the one id that all of them have. */
type Run = { readonly actor: string; readonly requestId: string };

type Target = {
  readonly service: string;
  readonly url: string;
  readonly headers: Headers;
  readonly identity: TlsIdentity | null;
};
type OperatorTransport = Transport & { hasFailed(): boolean; close(): void };

const TIMEOUT_MS = 30_000;
const READ_TIMEOUT_MS = 10_000;

/** Nothing is connected before the first call. `actor` is named in the audit log, `requestId` in the services' logs. */
export function openClients(connection: Connection, { actor, requestId }: Run): Clients {
  const { gatewayUrl, pricingUrl, applicationUrl, notificationUrl, token, tlsDir } = connection;
  const identity = tlsDir === null ? null : readCertificates(tlsDir);
  const headers = operatorHeaders({ token, actor });
  for (const [name, value] of Object.entries(callerHeaders({ requestId }))) headers.set(name, value);
  const reach = (service: string, url: string) => createOperatorTransport({ service, url, headers, identity });
  const gateway = reach('the gateway', gatewayUrl);
  const pricing = reach('pricing', pricingUrl);
  const application = reach('the application service', applicationUrl);
  const notification = reach('the notification service', notificationUrl);
  const transports = [gateway, pricing, application, notification];
  return {
    agencies: createClient(AgencyAdminService, gateway),
    quotes: createClient(QuoteAdminService, gateway),
    requests: createClient(RequestAdminService, gateway),
    pricing: createClient(PricingAdminService, pricing),
    applications: createClient(ApplicationAdminService, application),
    mail: createClient(NotificationAdminService, notification),
    audits: {
      gateway: createClient(AuditAdminService, gateway),
      pricing: createClient(AuditAdminService, pricing),
      application: createClient(AuditAdminService, application),
      notification: createClient(AuditAdminService, notification),
    },
    hasFailed: () => transports.some((transport) => transport.hasFailed()),
    close() {
      for (const transport of transports) transport.close();
    },
  };
}

function createOperatorTransport(target: Target): OperatorTransport {
  const { url, identity } = target;
  const baseUrl = url.replace(/^grpc:/, identity ? 'https:' : 'http:');
  const sessionManager = new Http2SessionManager(baseUrl, undefined, identity ?? undefined);
  const transport = createGrpcTransport({ baseUrl, sessionManager });
  let failed = false;
  return {
    hasFailed: () => failed,
    close: () => sessionManager.abort(),
    stream: transport.stream.bind(transport),
    async unary(method, signal, timeoutMs, header, message, values) {
      const headers = new Headers(header);
      for (const [name, value] of target.headers) headers.set(name, value);
      try {
        const limitMs = timeoutMs ?? (isRead(method) ? READ_TIMEOUT_MS : TIMEOUT_MS);
        return await transport.unary(method, signal, limitMs, headers, message, values);
      } catch (error) {
        failed = true;
        throw explain(error, target, method);
      }
    },
  };
}

function isRead({ idempotency }: DescMethod): boolean {
  return idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
}

function explain(error: unknown, { service, url, identity }: Target, method: DescMethod): Error {
  const failure = ConnectError.from(error);
  const fault = identity && failure.details.length === 0 ? tlsFault(failure.rawMessage) : undefined;
  if (fault !== undefined) return new CommandFailure(`${service} cannot be reached at ${url}: ${fault}.`, error);
  if (failure.details.length === 0 && failure.code === Code.Unavailable) {
    return new CommandFailure(`${service} cannot be reached at ${url}: is it running?`, error);
  }
  if (failure.code === Code.Unimplemented) {
    return new CommandFailure(`what answers at ${url} is not ${service}, or is older than this command.`, error);
  }
  const meaning = fromWireError(error);
  if (meaning instanceof ServiceError && !isReset(failure.cause)) return meaning;
  const isLate = failure.code === Code.DeadlineExceeded;
  const checks = ['the address', ...(isLate ? [] : [certificateCheck(identity)])];
  if (!isRead(method)) checks.push('whether the change was made');
  return new CommandFailure(`${service} gave no clear answer at ${url}: check ${checks.join(', and ')}.`, error);
}

function isReset(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNRESET';
}

/** Where a certificate is refused, or missing, the connection is closed without a word, or with one that is no HTTP/2. */
function certificateCheck(identity: TlsIdentity | null): string {
  return identity
    ? 'that it trusts the certificate of PFQ_OPERATOR_TLS_DIR'
    : 'whether it demands a certificate (PFQ_OPERATOR_TLS_DIR)';
}
