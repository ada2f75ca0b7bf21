import { Code, ConnectError, createClient } from '@connectrpc/connect';
import type { Client, Transport } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { ServiceError } from '@pfq/kit/errors';
import { operatorHeaders } from '@pfq/kit/rpc/operator-credential';
import { fromWireError } from '@pfq/kit/rpc/status';
import { ApplicationAdminService } from '@pfq/proto/application/v1/application_pb';
import { AgencyAdminService, QuoteAdminService } from '@pfq/proto/gateway/v1/admin_pb';
import { NotificationAdminService } from '@pfq/proto/notification/v1/notification_pb';
import { PricingAdminService } from '@pfq/proto/pricing/v1/admin_pb';
import type { Connection } from './connection.ts';
import { CommandFailure } from './failure.ts';

/** The operator's side of every service. Calls throw a ServiceError or a CommandFailure, each good for one line. */
export type Clients = {
  readonly agencies: Client<typeof AgencyAdminService>;
  readonly quotes: Client<typeof QuoteAdminService>;
  readonly pricing: Client<typeof PricingAdminService>;
  readonly applications: Client<typeof ApplicationAdminService>;
  readonly mail: Client<typeof NotificationAdminService>;
  close(): void;
};

type Target = { readonly service: string; readonly url: string; readonly token: string; readonly actor: string };

const TIMEOUT_MS = 30_000;

/** Nothing is connected before the first call. `actor` is named in the audit log. */
export function openClients(connection: Connection, actor: string): Clients {
  const { gatewayUrl, pricingUrl, applicationUrl, notificationUrl, token } = connection;
  const reach = (service: string, url: string) => createOperatorTransport({ service, url, token, actor });
  const gateway = reach('the gateway', gatewayUrl);
  const pricing = reach('pricing', pricingUrl);
  const application = reach('the application service', applicationUrl);
  const notification = reach('the notification service', notificationUrl);
  return {
    agencies: createClient(AgencyAdminService, gateway),
    quotes: createClient(QuoteAdminService, gateway),
    pricing: createClient(PricingAdminService, pricing),
    applications: createClient(ApplicationAdminService, application),
    mail: createClient(NotificationAdminService, notification),
    close() {
      for (const transport of [gateway, pricing, application, notification]) transport.close();
    },
  };
}

function createOperatorTransport(target: Target): Transport & { close(): void } {
  const baseUrl = target.url.replace(/^grpc:/, 'http:');
  const sessionManager = new Http2SessionManager(baseUrl);
  const transport = createGrpcTransport({ baseUrl, sessionManager, defaultTimeoutMs: TIMEOUT_MS });
  return {
    close: () => sessionManager.abort(),
    stream: transport.stream.bind(transport),
    async unary(method, signal, timeoutMs, header, message, values) {
      const headers = new Headers(header);
      for (const [name, value] of operatorHeaders(target)) headers.set(name, value);
      try {
        return await transport.unary(method, signal, timeoutMs, headers, message, values);
      } catch (error) {
        throw explain(error, target);
      }
    },
  };
}

function explain(error: unknown, { service, url }: Target): Error {
  const failure = ConnectError.from(error);
  if (failure.details.length === 0 && failure.code === Code.Unavailable) {
    return new CommandFailure(`${service} cannot be reached at ${url}: is it running?`, error);
  }
  if (failure.code === Code.Unimplemented) {
    return new CommandFailure(`what answers at ${url} is not ${service}, or is older than this command.`, error);
  }
  const answered = fromWireError(error);
  if (answered instanceof ServiceError) return answered;
  return new CommandFailure(
    `${service} gave no clear answer at ${url}: check the address, and whether the change was made.`,
    error,
  );
}
