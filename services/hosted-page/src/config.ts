import { grpcUrl, port, publicUrl, secrets, wholeNumber } from '@pfq/kit/config';
import type { Config } from '@pfq/kit/config';
import { serviceSettings } from '@pfq/kit/service-settings';

export const settings = {
  ...serviceSettings,
  httpPort: port('HTTP_PORT', { doc: 'Port of the hosted pages.', fallback: '8081' }),
  hostedBaseUrl: publicUrl('HOSTED_BASE_URL', {
    doc: 'Public base address of hosted links, as the gateway has it: pages are served below its path, forms taken from its origin.',
  }),
  quoteStoreUrl: grpcUrl('QUOTE_STORE_URL', { doc: 'Address of the quote store, grpc://host:port.' }),
  reviewSecrets: secrets('REVIEW_SECRETS', {
    doc: 'Secrets under which review pages are signed, separated by commas: the first signs, all are accepted.',
    minLength: 32,
  }),
  trustedProxies: wholeNumber('TRUSTED_PROXIES', {
    doc: "Number of proxies in front that add the caller's address to X-Forwarded-For. Where it is too low all callers share one limit on guessing; where it is too high they choose their address.",
    min: 0,
    max: 10,
    fallback: '0',
  }),
  requestTimeoutMs: wholeNumber('REQUEST_TIMEOUT_MS', {
    doc: 'Longest time from the end of a request to its answer, in milliseconds.',
    min: 1_000,
    max: 60_000,
    fallback: '10000',
  }),
};

export type HostedPageConfig = Config<typeof settings>;
