import path from 'node:path';
import { isServing } from './grpc-health.ts';
import type { Secrets } from './local-folder.ts';
import { LOCAL_HOST, PORT_NAMES, type PortName, type Ports } from './ports.ts';
import type { Service } from './service-process.ts';

/** One database and one role for each. */
export const DATABASES = ['pricing', 'quote_store', 'application', 'gateway'] as const;

/** Ports whose addresses are told, though nothing of the stack listens on them. */
const SILENT: ReadonlySet<PortName> = new Set(['hostedPage', 'mail']);
export const LISTENING = PORT_NAMES.filter((name) => !SILENT.has(name));

export type Addresses = { readonly gateway: string; readonly hostedPage: string; readonly docs: string };

export function addressesOf(ports: Ports): Addresses {
  const gateway = `http://${LOCAL_HOST}:${ports.gateway}`;
  return { gateway, hostedPage: `http://${LOCAL_HOST}:${ports.hostedPage}`, docs: `${gateway}/docs` };
}

export function rpcUrl(port: number): string {
  return `grpc://${LOCAL_HOST}:${port}`;
}

/** Every service of the stack, callers after those they call. Each is configured by the variables of production. */
export function servicesOf(parts: {
  readonly root: string;
  readonly ports: Ports;
  readonly secrets: Secrets;
  readonly databaseUrl: (database: (typeof DATABASES)[number]) => string;
}): readonly Service[] {
  const { root, ports, secrets, databaseUrl } = parts;
  const addresses = addressesOf(ports);
  const common = {
    LISTEN_HOST: LOCAL_HOST,
    OPERATOR_TOKEN: secrets.operatorToken,
    MIGRATE_ON_START: 'true',
    LOG_FORMAT: 'pretty',
  };
  const service = (name: string, rpcPort: number, environment: Readonly<Record<string, string>>): Service => ({
    name,
    entry: path.join(root, 'services', name, 'src/main.ts'),
    environment: { ...common, RPC_PORT: String(rpcPort), ...environment },
    isHealthy: () => isServing({ host: LOCAL_HOST, port: rpcPort }),
  });
  return [
    service('pricing', ports.pricing, { DATABASE_URL: databaseUrl('pricing') }),
    service('quote-store', ports.quoteStore, { DATABASE_URL: databaseUrl('quote_store') }),
    service('application', ports.application, { DATABASE_URL: databaseUrl('application') }),
    service('gateway', ports.gatewayRpc, {
      DATABASE_URL: databaseUrl('gateway'),
      HTTP_PORT: String(ports.gateway),
      PRICING_URL: rpcUrl(ports.pricing),
      QUOTE_STORE_URL: rpcUrl(ports.quoteStore),
      APPLICATION_URL: rpcUrl(ports.application),
      HOSTED_BASE_URL: addresses.hostedPage,
      API_BASE_URL: addresses.gateway,
      DOCS_URL: addresses.docs,
      KEY_PEPPER: secrets.keyPepper,
      ANSWER_SECRETS: secrets.answerSecret,
    }),
  ];
}
