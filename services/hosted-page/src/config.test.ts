import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '@pfq/kit/config';
import { settings } from './config.ts';

const ENVIRONMENT = {
  HOSTED_BASE_URL: 'https://pay.example/finance/',
  QUOTE_STORE_URL: 'grpc://quote-store:9090',
  REVIEW_SECRETS: `${'new'.repeat(11)}, ${'old'.repeat(11)}`,
  OPERATOR_TOKEN: 'operator-token-of-the-config-tests',
};

test('what must be set is enough, and the newest secret stands first', () => {
  const config = readConfig(settings, ENVIRONMENT);
  assert.deepEqual(config.reviewSecrets, ['new'.repeat(11), 'old'.repeat(11)]);
  assert.equal(config.hostedBaseUrl, 'https://pay.example/finance');
  assert.deepEqual([config.httpPort, config.trustedProxies, config.requestTimeoutMs], [8081, 0, 10_000]);
});

for (const [variable, value] of [
  ['REVIEW_SECRETS', 'short'],
  ['REVIEW_SECRETS', `${'new'.repeat(11)},short`],
  ['HOSTED_BASE_URL', 'pay.example'],
  ['TRUSTED_PROXIES', '-1'],
  ['TRUSTED_PROXIES', 'all'],
  ['QUOTE_STORE_URL', 'http://quote-store'],
] as const) {
  test(`${variable} "${value.slice(0, 20)}" is refused`, () => {
    assert.throws(
      () => readConfig(settings, { ...ENVIRONMENT, [variable]: value }),
      (error) => error instanceof ConfigError && error.message.startsWith(`${variable} must `),
    );
  });
}
