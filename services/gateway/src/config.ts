import { flag, grpcUrl, port, publicUrl, secret, secrets, wholeNumber } from '@pfq/kit/config';
import type { Config } from '@pfq/kit/config';
import { databaseSettings, serviceSettings } from '@pfq/kit/service-settings';

export const settings = {
  ...serviceSettings,
  ...databaseSettings,
  httpPort: port('HTTP_PORT', { doc: 'Port of the public API.', fallback: '8080' }),
  pricingUrl: grpcUrl('PRICING_URL', { doc: 'Address of the pricing service, grpc://host:port.' }),
  quoteStoreUrl: grpcUrl('QUOTE_STORE_URL', { doc: 'Address of the quote store, grpc://host:port.' }),
  applicationUrl: grpcUrl('APPLICATION_URL', { doc: 'Address of the application service, grpc://host:port.' }),
  hostedBaseUrl: publicUrl('HOSTED_BASE_URL', {
    doc: 'Public base address of hosted links, which become {base}/q/{token}.',
  }),
  apiBaseUrl: publicUrl('API_BASE_URL', {
    doc: 'Public base address of this API, which the documentation names.',
  }),
  docsUrl: publicUrl('DOCS_URL', {
    doc: 'Public address of the documentation that errors point to.',
  }),
  serveDocs: flag('SERVE_DOCS', {
    doc: 'Serve the documentation at /docs and the OpenAPI document at /openapi.json; both need no key.',
    fallback: 'true',
  }),
  keyPepper: secret('KEY_PEPPER', {
    doc: 'Secret under which API keys are hashed. Changing it makes every key unknown.',
    minLength: 32,
  }),
  answerSecrets: secrets('ANSWER_SECRETS', {
    doc: 'Secrets under which answers are kept for their Idempotency-Key, separated by commas: the first encrypts, all decrypt.',
    minLength: 32,
  }),
  requestTimeoutMs: wholeNumber('REQUEST_TIMEOUT_MS', {
    doc: 'Longest time from the end of a public request to its answer, in milliseconds.',
    min: 1_000,
    max: 60_000,
    fallback: '10000',
  }),
  requestLogDays: wholeNumber('REQUEST_LOG_DAYS', {
    doc: 'How many days requests are kept for `pfq request show`, without bodies; 0 keeps none.',
    min: 0,
    max: 3_650,
    fallback: '30',
  }),
};

export type GatewayConfig = Config<typeof settings>;
