import path from 'node:path';
import { isServing } from './grpc-health.ts';
import { answers } from './http-health.ts';
import type { Secrets } from './local-folder.ts';
import { LOCAL_HOST, type Ports } from './ports.ts';
import type { OperatorAccess } from './seed.ts';
import type { Service } from './service-process.ts';

/** One database and one role for each. */
export const DATABASES = ['pricing', 'quote_store', 'application', 'notification', 'gateway'] as const;

/** The portal is someone else's: where the emails lead to, there is nothing. */
const PORTAL_URL = 'https://portal.example';
const MAIL_FROM = 'Premium Finance Quotes <quotes@pfq.example>';

type Addresses = {
  readonly gateway: string;
  readonly hostedPage: string;
  readonly docs: string;
  /** The page of caught mail. */
  readonly mail: string;
  /** Where each service shows how it is (`/readyz`) and what it counts (`/metrics`). */
  readonly operations: Operations;
};

/** Addresses by the names that services have in the log. */
export type Operations = Readonly<
  Record<'gateway' | 'hosted-page' | 'pricing' | 'quote-store' | 'application' | 'notification', string>
>;

export function addressesOf(ports: Ports): Addresses {
  const at = (port: number) => `http://${LOCAL_HOST}:${port}`;
  return {
    gateway: at(ports.gateway),
    hostedPage: at(ports.hostedPage),
    docs: `${at(ports.gateway)}/docs`,
    mail: at(ports.mail),
    operations: {
      gateway: at(ports.gatewayOperations),
      'hosted-page': at(ports.hostedPageOperations),
      pricing: at(ports.pricingOperations),
      'quote-store': at(ports.quoteStoreOperations),
      application: at(ports.applicationOperations),
      notification: at(ports.notificationOperations),
    },
  };
}

/** Where the operator's requests go, and what opens them: the operator's part of `stack.json`. */
export function operatorAccess(ports: Ports, token: string): OperatorAccess {
  return {
    gateway_url: rpcUrl(ports.gatewayRpc),
    pricing_url: rpcUrl(ports.pricing),
    application_url: rpcUrl(ports.application),
    notification_url: rpcUrl(ports.notification),
    token,
  };
}

export function rpcUrl(port: number): string {
  return `grpc://${LOCAL_HOST}:${port}`;
}

/**
 * Every service of the stack, callers after those they call; quote-store and notification call each other, and try again
 * where the other is not there. Each is configured by the variables of production.
 */
export function servicesOf(parts: {
  readonly root: string;
  /** Where the stack's data is kept. */
  readonly folder: string;
  readonly ports: Ports;
  readonly secrets: Secrets;
  readonly databaseUrl: (database: (typeof DATABASES)[number]) => string;
  /** Where Kafka is; null to send events straight to notification. */
  readonly kafkaUrl: string | null;
}): readonly Service[] {
  const { root, folder, ports, secrets, databaseUrl, kafkaUrl } = parts;
  const addresses = addressesOf(ports);
  const common = {
    LISTEN_HOST: LOCAL_HOST,
    OPERATOR_TOKEN: secrets.operatorToken,
    MIGRATE_ON_START: 'true',
    SHUTDOWN_DELAY_MS: '0',
  };
  const service = (
    name: string,
    [rpcPort, operationsPort]: readonly [number, number],
    environment: Readonly<Record<string, string>>,
  ): Service => ({
    name,
    entry: path.join(root, 'services', name, 'src/main.ts'),
    environment: { ...common, RPC_PORT: String(rpcPort), OPERATIONS_PORT: String(operationsPort), ...environment },
    isHealthy: () => isServing({ host: LOCAL_HOST, port: rpcPort }),
  });
  return [
    {
      name: 'mail',
      entry: path.join(root, 'deploy/local/mail-catcher/main.ts'),
      environment: {
        LISTEN_HOST: LOCAL_HOST,
        SHUTDOWN_DELAY_MS: '0',
        OPERATIONS_PORT: '0',
        OTEL_SDK_DISABLED: 'true',
        HTTP_PORT: String(ports.mail),
        SMTP_PORT: String(ports.smtp),
        MAIL_DIR: path.join(folder, 'mail'),
      },
      isHealthy: () => answers(`${addresses.mail}/health`),
    },
    service('pricing', [ports.pricing, ports.pricingOperations], { DATABASE_URL: databaseUrl('pricing') }),
    service('notification', [ports.notification, ports.notificationOperations], {
      DATABASE_URL: databaseUrl('notification'),
      QUOTE_STORE_URL: rpcUrl(ports.quoteStore),
      PORTAL_URL,
      SMTP_URL: `smtp://${LOCAL_HOST}:${ports.smtp}`,
      SMTP_TLS: 'never',
      MAIL_FROM,
      EVENTS_URL: kafkaUrl ?? '',
    }),
    service('quote-store', [ports.quoteStore, ports.quoteStoreOperations], {
      DATABASE_URL: databaseUrl('quote_store'),
      EVENTS_URL: kafkaUrl ?? rpcUrl(ports.notification),
    }),
    service('application', [ports.application, ports.applicationOperations], {
      DATABASE_URL: databaseUrl('application'),
    }),
    service('hosted-page', [ports.hostedPageRpc, ports.hostedPageOperations], {
      HTTP_PORT: String(ports.hostedPage),
      HOSTED_BASE_URL: addresses.hostedPage,
      QUOTE_STORE_URL: rpcUrl(ports.quoteStore),
      REVIEW_SECRETS: secrets.reviewSecret,
    }),
    service('gateway', [ports.gatewayRpc, ports.gatewayOperations], {
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
