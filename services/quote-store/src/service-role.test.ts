import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import {
  assertCannotChangeSchema,
  assertLeavesLaterRelease,
  makeRoles,
  migrateFor,
  startProgram,
} from '@pfq/kit/schema-roles.test-support';
import { kafkaBrokers, WITHOUT_KAFKA } from '../../../tests/support/kafka.ts';
import { until } from '../../../tests/support/until.ts';
import { startNotification } from './publishing/notification.test-support.ts';
import { start } from './server.ts';
import { postgresQuoteStore } from './storage/postgres.ts';
import {
  LIVE_TENANT,
  NEW_INTEREST,
  newChange,
  newLinkHash,
  newQuote,
  newTelling,
  TENANT,
  WHOLE_AGENCY,
} from './store.test-support.ts';

const SECONDS = 20_000;
const MIGRATE = path.join(import.meta.dirname, 'migrate.ts');

test('the quote store does all its work under a role that cannot change its schema', async (t) => {
  const made = await makeRoles(t);
  await migrateFor(t, MIGRATE, made);
  const notification = await startNotification(t);
  await serve(t, made.serviceUrl, notification.url);
  const store = postgresQuoteStore(made.openAsService());
  const [quote, live, voided] = [newQuote(), newQuote(), newQuote()];
  await store.create(TENANT, quote);
  await store.create(TENANT, quote);
  await store.voidQuote(TENANT, voided.id);
  await store.voidChange(TENANT, newChange(quote.id));
  await store.replaceHostedLink(newChange(quote.id), newLinkHash());
  await store.expressInterest(newChange(quote.id), NEW_INTEREST);
  assert.equal((await store.find(quote.id, WHOLE_AGENCY))?.interest?.optionId, 'opt_25_10');
  await store.create(LIVE_TENANT, live);
  const visibility = { tenant: LIVE_TENANT, brokerId: undefined };
  await store.expressInterest(newChange(live.id, visibility), { ...NEW_INTEREST, telling: newTelling() });
  await until(() => notification.taken.length === 1, SECONDS);
  const service = made.openAsService();
  await until(async () => (await service.read('SELECT id FROM graphile_worker.jobs', [])).length === 0, SECONDS);
  await assertCannotChangeSchema(service, ['quotes', 'hosted_links', 'interests', 'quote_changes']);
  await assert.rejects(service.write('DELETE FROM quotes', []), /permission denied/);
});

test('topics that cannot be made in time are named, and the program ends with 1', async (t) => {
  const made = await makeRoles(t);
  const env = { DATABASE_URL: made.ownerUrl, EVENTS_URL: 'kafka://127.0.0.1:1', MIGRATION_WAIT_MS: '0' };
  const { code, lines } = await startProgram(t, MIGRATE, env).ended;
  assert.equal(code, 1);
  assert.match(JSON.stringify(lines.at(-1)), /"msg":"not migrated"/);
  assert.match(JSON.stringify(lines.at(-1)), /no connection to kafka within 0 s: .*ECONNREFUSED/);
});

test('on the schema of a later release the program makes no topics either, and does not say that all is up to date', (t) =>
  assertLeavesLaterRelease(t, MIGRATE));

describe('migrations of the quote store on Kafka', { skip: WITHOUT_KAFKA }, () => {
  test('the program makes the topics that are missing, and is done where they are there', async (t) => {
    const made = await makeRoles(t);
    const env = { DATABASE_URL: made.ownerUrl, EVENTS_URL: `kafka://${kafkaBrokers().brokers.join(',')}` };
    for (const _ of ['first', 'again']) assert.equal((await startProgram(t, MIGRATE, env).ended).code, 0);
  });
});

async function serve(t: TestContext, databaseUrl: string, url: string): Promise<void> {
  const service = await start({
    databaseUrl,
    databasePoolSize: 10,
    migrateOnStart: false,
    eventsUrl: { kind: 'grpc', url },
    listenHost: '127.0.0.1',
    rpcPort: 0,
    rpcTlsDir: null,
    connectionAgeMs: 300_000,
    operatorToken: 'operator-token-of-the-store-tests',
    logLevel: 'error',
    logFormat: 'json',
  });
  t.after(() => service.stop());
}
