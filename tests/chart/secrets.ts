import assert from 'node:assert/strict';
import { it } from 'node:test';
import { render, type Rendered } from './render.ts';
import { secretFilesOf } from './told.ts';

const RELEASE_SECRET = {
  application: ['operator-token', 'application-database-url'],
  gateway: ['operator-token', 'key-pepper', 'answer-secrets', 'gateway-database-url'],
  'hosted-page': ['operator-token', 'review-secrets'],
  notification: ['operator-token', 'smtp-url', 'notification-database-url'],
  pricing: ['operator-token', 'pricing-database-url'],
  'quote-store': ['operator-token', 'quote-store-database-url'],
  'migrate-application': ['application-migration-url'],
  'migrate-gateway': ['gateway-migration-url'],
  'migrate-notification': ['notification-migration-url'],
  'migrate-pricing': ['pricing-migration-url'],
  'migrate-quote-store': ['quote-store-migration-url'],
  smoke: ['operator-token'],
};

/** Where secrets come from, and that nobody has one that it does not need. */
export function secrets(): void {
  it('each pod has those keys of the Secret that it reads, and no other', async () => {
    assert.deepEqual(keysByPod(await render(), 'pfq'), RELEASE_SECRET);
  });

  it('with Kafka those have its address who speak to it; migrations too where they make the topics', async () => {
    const readers = async (topics: object) => {
      const rendered = await render({ values: { kafka: { enabled: true, topics } } });
      return Object.entries(keysByPod(rendered, 'pfq')).flatMap(([pod, keys]) =>
        keys.includes('events-url') ? [pod] : [],
      );
    };
    assert.deepEqual(await readers({ create: true, cluster: 'kafka' }), ['notification', 'quote-store']);
    assert.deepEqual(await readers({ create: false }), [
      'notification',
      'quote-store',
      'migrate-notification',
      'migrate-quote-store',
    ]);
  });

  it('a database may have a Secret of its own, as its operator makes it', async () => {
    const values = {
      databases: { quoteStore: { existingSecret: 'quotes-db', key: 'uri', migrationKey: 'owner-uri' } },
    };
    const rendered = await render({ values });
    const found = keysByPod(rendered, 'quotes-db');
    assert.deepEqual(found['quote-store'], ['uri']);
    assert.deepEqual(found['migrate-quote-store'], ['owner-uri']);
    assert.deepEqual(Object.values(found).flat().length, 2);
  });

  it('keys may be called otherwise', async () => {
    const rendered = await render({
      values: { secrets: { existingSecret: 'vaulted', keys: { keyPepper: 'PEPPER' } } },
    });
    assert.ok(keysByPod(rendered, 'vaulted')['gateway']?.includes('PEPPER'));
    assert.deepEqual(Object.values(keysByPod(rendered, 'pfq')).flat(), []);
  });

  it('the test may have a key of its own, and then has no more than that', async () => {
    const rendered = await render({ values: { tests: { existingSecret: 'smoke-key' } } });
    const smoke = rendered.pods.find(({ component }) => component === 'smoke');
    assert.ok(smoke);
    assert.deepEqual(secretFilesOf(smoke), [{ path: '/etc/pfq/secrets/API_KEY', secret: 'smoke-key', key: 'api-key' }]);
    assert.deepEqual(smoke.container.env ?? [], []);
    assert.ok(smoke.container.args.includes('/etc/pfq/secrets/API_KEY'));
  });

  for (const mode of ['hook', 'job', 'none']) {
    it(`the External Secrets Operator makes all that is read, migrations apart from services: migrations.mode=${mode}`, async () => {
      const rendered = await render({ shape: 'everything', values: { migrations: { mode } } });
      const made = rendered.of('ExternalSecret').map(({ spec }) => ({
        name: spec.target.name,
        keys: spec.data.map(({ secretKey }) => secretKey),
      }));
      assert.deepEqual(
        made.map(({ name }) => name),
        mode === 'none' ? ['pfq-secrets'] : ['pfq-secrets', 'pfq-migrations'],
      );
      for (const { name, keys } of made) {
        const read = Object.values(keysByPod(rendered, name)).flat();
        assert.deepEqual([...new Set(read)].sort(), keys);
      }
      assert.ok(made[0]?.keys.every((key) => !key.endsWith('migration-url')));
    });
  }

  it('the chart makes no Secret, and shows none', async () => {
    const { all } = await render({ shape: 'everything' });
    assert.deepEqual(
      all.filter(({ kind }) => kind === 'Secret'),
      [],
    );
  });
}

/** The keys of a Secret that each pod has. */
function keysByPod({ pods }: Rendered, secret: string): Record<string, readonly string[]> {
  return Object.fromEntries(
    pods.map((pod) => [
      pod.component,
      secretFilesOf(pod)
        .filter((file) => file.secret === secret)
        .map(({ key }) => key),
    ]),
  );
}
