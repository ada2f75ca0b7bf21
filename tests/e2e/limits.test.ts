import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { accessPostgres } from '@pfq/local/embedded-postgres';
import { readOrCreateSecrets } from '@pfq/local/local-folder';
import { choosePorts, findFreePort } from '@pfq/local/ports';
import { serviceProcess } from '@pfq/local/service-process';
import { servicesOf } from '@pfq/local/services';
import { apiOf, errorOf } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { exampleBody } from '../support/examples.ts';
import { sql } from '../support/sql.ts';
import { startStack, stackFolder } from '../support/stack.ts';
import type { RunningStack } from '../support/stack.ts';

const BODY = exampleBody('roofing-contractor');
const NOON = '2026-11-20T12:00:30Z';
const UNTIL_MIDNIGHT_S = '43170';

describe('the limits of a running stack with two gateways', () => {
  const { folder, remove } = stackFolder();
  const ending: (() => Promise<unknown>)[] = [];
  let stack: RunningStack;
  let urls: readonly [string, string];
  before(async () => {
    stack = await startStack(folder);
    ending.unshift(() => stack.stop());
    const second = await startSecondGateway(stack);
    ending.unshift(second.stop);
    urls = [stack.file.gateway_url, second.url];
    await stopTime(stack, NOON);
  });
  after(async () => {
    for (const end of ending) await end();
    remove();
  });

  const ask = (gateway: 0 | 1, key: string, ...asking: Parameters<ReturnType<typeof apiOf>['ask']>) =>
    apiOf(urls[gateway], key).ask(...asking);
  const startAnew = () => sql(stack, 'gateway', 'TRUNCATE key_usage, agency_usage');
  const countQuotes = async () =>
    Number((await sql(stack, 'quote_store', 'SELECT count(*) FROM quotes'))[0]?.['count']);

  it('admits exactly 60 of 200 requests that reach the two processes at once, and stores what it answered 201', async () => {
    await startAnew();
    const stored = await countQuotes();
    const { test: key } = stack.file.keys;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => ask(n % 2 === 0 ? 0 : 1, key, 'POST', '/v1/quotes', { body: BODY })),
    );
    const withStatus = (status: number) => answers.filter((answer) => answer.status === status);
    assert.deepEqual([withStatus(201).length, withStatus(429).length], [60, 140]);
    for (const refused of withStatus(429)) {
      assert.deepEqual([told(refused)[1], refused.headers.get('Retry-After')], ['0', '30']);
      assert.equal(errorOf(refused).type, 'rate_limit');
    }
    assert.equal(await countQuotes(), stored + 60);
    await stopTime(stack, '2026-11-20T12:01:00Z');
    assert.deepEqual(told(await ask(1, key, 'GET', '/v1/whoami')), ['60', '59', '60']);
  });

  it('keeps the daily limit of a key through both processes until midnight UTC', async () => {
    await stopTime(stack, NOON);
    const { live: key } = stack.file.keys;
    assert.equal((await ask(0, key, 'POST', '/v1/quotes', { body: BODY })).status, 201);
    await sql(stack, 'gateway', `UPDATE key_usage SET quotes = 499 WHERE mode = 'live'`);
    const last = await ask(1, key, 'POST', '/v1/quotes', { body: BODY });
    assert.deepEqual([last.status, ...told(last)], [201, '500', '0', UNTIL_MIDNIGHT_S]);
    for (const gateway of [0, 1] as const) {
      const refused = await ask(gateway, key, 'POST', '/v1/quotes', { body: BODY });
      assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [429, UNTIL_MIDNIGHT_S]);
    }
    await stopTime(stack, '2026-11-21T00:00:00Z');
    assert.equal((await ask(1, key, 'POST', '/v1/quotes', { body: BODY })).status, 201);
  });

  it("refuses through the one process what the operator's command has ended through the other, from the next request on", async () => {
    const { agency_id: agency, brokers, keys } = stack.file;
    const pfq = async (...words: readonly string[]) => {
      const { code, stdout, stderr } = await stack.pfq(...words, '--json');
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout);
    };
    const refusal = async () => errorOf(await ask(1, keys.broker_test, 'GET', '/v1/whoami')).code;
    const broker = ['--agency', agency, '--email', brokers[0]?.email ?? ''];
    await pfq('agency', 'switch', agency, '--test', 'off');
    assert.equal(await refusal(), 'TEST_MODE_NOT_ENABLED');
    await pfq('agency', 'switch', agency, '--test', 'on');
    await pfq('broker', 'deactivate', ...broker);
    assert.equal(await refusal(), 'DEFAULT_BROKER_INACTIVE');
    await pfq('broker', 'activate', ...broker);
    assert.equal((await ask(1, keys.broker_test, 'GET', '/v1/whoami')).status, 200);
    const { data } = await pfq('key', 'list', '--agency', agency);
    const { id } = data.find(({ name }: { name: string }) => name === 'Demo broker test');
    await pfq('key', 'revoke', id);
    assert.equal(await refusal(), 'KEY_REVOKED');
  });
});

/** Another process of the gateway, on the stack's databases and services. */
async function startSecondGateway(stack: RunningStack) {
  const ports = choosePorts({ PFQ_PORT_BASE: new URL(stack.file.gateway_url).port });
  const own = {
    gateway: await findFreePort(),
    gatewayRpc: await findFreePort(),
    gatewayOperations: await findFreePort(),
  };
  const postgres = accessPostgres({ dataDir: path.join(stack.folder, 'postgres'), port: ports.postgres });
  const gateway = servicesOf({
    root: path.resolve(import.meta.dirname, '../..'),
    folder: stack.folder,
    ports: { ...ports, ...own },
    secrets: readOrCreateSecrets(stack.folder),
    databaseUrl: (name) => postgres.url(name, name),
    kafkaUrl: null,
  }).find(({ name }) => name === 'gateway');
  assert.ok(gateway);
  const second = serviceProcess(gateway, { inherited: process.env, tell: () => {} });
  const { stop } = await second.start(new AbortController().signal);
  return { url: `http://127.0.0.1:${own.gateway}`, stop };
}

async function stopTime(stack: RunningStack, now: string): Promise<void> {
  const body = `SELECT timestamptz '${now}'`;
  await sql(
    stack,
    'gateway',
    `CREATE OR REPLACE FUNCTION pfq_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ ${body} $$`,
  );
}

function told({ headers }: Answer): readonly (string | null)[] {
  return ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => headers.get(name));
}
