import path from 'node:path';
import { isServing } from './grpc-health.ts';
import { answers } from './http-health.ts';
import type { Secrets } from './local-folder.ts';
import { LOCAL_HOST, type Ports } from './ports.ts';
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
};

export function addressesOf(ports: Ports): Addresses {
  const gateway = `http://${LOCAL_HOST}:${ports.gateway}`;
  return {
    gateway,
    hostedPage: `http://${LOCAL_HOST}:${ports.hostedPage}`,
    docs: `${gateway}/docs`,
    mail: `http://${LOCAL_HOST}:${ports.mail}`,
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
    LOG_FORMAT: 'pretty',
  };
  const service = (name: string, rpcPort: number, environment: Readonly<Record<string, string>>): Service => ({
    name,
    entry: path.join(root, 'services', name, 'src/main.ts'),
    environment: { ...common, RPC_PORT: String(rpcPort), ...environment },
    isHealthy: () => isServing({ host: LOCAL_HOST, port: rpcPort }),
  });
  return [
    {
      name: 'mail',
      entry: path.join(root, 'deploy/local/mail-catcher/main.ts'),
      environment: {
        LISTEN_HOST: LOCAL_HOST,
        LOG_FORMAT: 'pretty',
        HTTP_PORT: String(ports.mail),
        SMTP_PORT: String(ports.smtp),
        MAIL_DIR: path.join(folder, 'mail'),
      },
      isHealthy: () => answers(`${addresses.mail}/health`),
    },
    service('pricing', ports.pricing, { DATABASE_URL: databaseUrl('pricing') }),
    service('notification', ports.notification, {
      DATABASE_URL: databaseUrl('notification'),
      QUOTE_STORE_URL: rpcUrl(ports.quoteStore),
      PORTAL_URL,
      SMTP_URL: `smtp://${LOCAL_HOST}:${ports.smtp}`,
      SMTP_TLS: 'never',
      MAIL_FROM,
      EVENTS_URL: kafkaUrl ?? '',
    }),
    service('quote-store', ports.quoteStore, {
      DATABASE_URL: databaseUrl('quote_store'),
      EVENTS_URL: kafkaUrl ?? rpcUrl(ports.notification),
    }),
    service('application', ports.application, { DATABASE_URL: databaseUrl('application') }),
    service('hosted-page', ports.hostedPageRpc, {
      HTTP_PORT: String(ports.hostedPage),
      HOSTED_BASE_URL: addresses.hostedPage,
      QUOTE_STORE_URL: rpcUrl(ports.quoteStore),
      REVIEW_SECRETS: secrets.reviewSecret,
    }),
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
