import { Code, ConnectError, createClient } from '@connectrpc/connect';
import type { Client, Transport } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { ServiceError } from '@pfq/kit/errors';
import { operatorHeaders } from '@pfq/kit/rpc/operator-credential';
import { fromWireError } from '@pfq/kit/rpc/status';
import { ApplicationAdminService } from '@pfq/proto/application/v1/application_pb';
import { AgencyAdminService, QuoteAdminService } from '@pfq/proto/gateway/v1/admin_pb';
import { PricingAdminService } from '@pfq/proto/pricing/v1/admin_pb';
import type { Connection } from './connection.ts';
import { CommandFailure } from './failure.ts';

/** The operator's side of every service. Calls throw a ServiceError or a CommandFailure, each good for one line. */
export type Clients = {
  readonly agencies: Client<typeof AgencyAdminService>;
  readonly quotes: Client<typeof QuoteAdminService>;
  readonly pricing: Client<typeof PricingAdminService>;
  readonly applications: Client<typeof ApplicationAdminService>;
  close(): void;
};

type Target = { readonly service: string; readonly url: string; readonly token: string; readonly actor: string };

const TIMEOUT_MS = 30_000;

/** Nothing is connected before the first call. `actor` is named in the audit log. */
export function openClients(connection: Connection, actor: string): Clients {
  const { gatewayUrl, pricingUrl, applicationUrl, token } = connection;
  const gateway = createOperatorTransport({ service: 'the gateway', url: gatewayUrl, token, actor });
  const pricing = createOperatorTransport({ service: 'pricing', url: pricingUrl, token, actor });
  const application = createOperatorTransport({
    service: 'the application service',
    url: applicationUrl,
    token,
    actor,
  });
  return {
    agencies: createClient(AgencyAdminService, gateway),
    quotes: createClient(QuoteAdminService, gateway),
    pricing: createClient(PricingAdminService, pricing),
    applications: createClient(ApplicationAdminService, application),
    close() {
      gateway.close();
      pricing.close();
      application.close();
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
