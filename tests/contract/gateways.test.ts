import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { changed, fullRequest } from '@pfq/gateway/requests/sample-request.test-support';
import { errorOf, outcomeOf } from '@pfq/gateway/running-gateway.test-support';
import type { Answered } from '@pfq/gateway/running-gateway.test-support';
import { AS_DANA, makeAgency, makeKey, startWholeGateway } from '@pfq/gateway/whole-gateway.test-support';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { BrokerStatus } from '@pfq/proto/gateway/v1/admin_pb';
import { setTime } from '../support/database.ts';
import { makeDatabases, startPricing, startStore } from './services-of-gateway.ts';

const BODY = JSON.stringify(changed(fullRequest(), 'broker_email'));
const ANA = 'ana@a.example';
const NOON = '2026-11-20T12:00:00Z';
const HALF_A_DAY_S = 12 * 3_600;

/** Two gateways on one database, before the real quote store, at noon of a day on which time stands still. */
async function startTwoGateways(t: TestContext) {
  const [gatewayDatabase, storeDatabase] = await makeDatabases(t);
  const [quoteStore, pricing] = await Promise.all([startStore(t, storeDatabase.url), startPricing(t)]);
  const parts = { databaseUrl: gatewayDatabase.url, pricing, quoteStore };
  const [one, other] = [await startWholeGateway(t, parts), await startWholeGateway(t, parts)];
  const database = gatewayDatabase.open();
  await setTime(database, NOON);
  const agencyId = await makeAgency(one, ANA);
  const newKey = async (mode: Mode = Mode.TEST) => (await makeKey(one, { agencyId, brokerEmail: ANA, mode })).secret;
  let asked = 0;
  return {
    one,
    other,
    agencyId,
    newKey,
    database,
    /** Asks the two gateways in turns. */
    ask: (method: string, path: string, asking: Parameters<typeof one.ask>[2]): Promise<Answered> => {
      asked += 1;
      return (asked % 2 === 0 ? one : other).ask(method, path, asking);
    },
    countQuotes: async () => {
      const [row] = await storeDatabase
        .open()
        .read<{ quotes: number }>('SELECT count(*)::integer AS quotes FROM quotes', []);
      return row?.quotes;
    },
  };
}
type TwoGateways = Awaited<ReturnType<typeof startTwoGateways>>;

/** As if a key, and its agency in that mode, had posted so many quotes today, and asked so often in this minute. */
async function preset({ database }: TwoGateways, used: { minute?: number; keyDay?: number; agencyDay?: number }) {
  const { minute, keyDay, agencyDay } = used;
  await database.write('UPDATE key_usage SET requests = coalesce($1, requests), quotes = coalesce($2, quotes)', [
    minute,
    keyDay,
  ]);
  await database.write('UPDATE agency_usage SET quotes = coalesce($1, quotes)', [agencyDay]);
}

/** The status, then limit, remaining and reset. */
function told({ status, headers }: Answered): readonly number[] {
  return [
    status,
    ...['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => Number(headers[name])),
  ];
}

test('of one key 60 requests a minute pass, whichever gateway each reaches, and the next minute begins anew', async (t) => {
  const { ask, newKey, database } = await startTwoGateways(t);
  const key = await newKey();
  await setTime(database, '2026-11-20T12:00:20.5Z');
  for (let left = 59; left >= 0; left -= 1)
    assert.deepEqual(told(await ask('GET', '/v1/whoami', { key })), [200, 60, left, 40]);
  await setTime(database, '2026-11-20T12:00:59.999Z');
  for (let over = 1; over <= 3; over += 1) {
    const refused = await ask('GET', '/v1/whoami', { key });
    assert.deepEqual([...told(refused), refused.headers['retry-after']], [429, 60, 0, 1, '1']);
    assert.equal(errorOf(refused)['code'], 'RATE_LIMITED');
  }
  await setTime(database, '2026-11-20T12:01:00Z');
  assert.deepEqual(told(await ask('GET', '/v1/whoami', { key })), [200, 60, 59, 60]);
});

test('each key has a minute of its own: of another key, mode or agency nothing is used up', async (t) => {
  const gateways = await startTwoGateways(t);
  const { ask, newKey, one } = gateways;
  const key = await newKey();
  await ask('GET', '/v1/whoami', { key });
  await preset(gateways, { minute: 60 });
  assert.equal((await ask('GET', '/v1/whoami', { key })).status, 429);
  const agencyId = await makeAgency(one, 'zoe@z.example');
  const { secret: strangersKey } = await makeKey(one, { agencyId, brokerEmail: 'zoe@z.example' });
  for (const other of [await newKey(), await newKey(Mode.LIVE), strangersKey])
    assert.deepEqual(told(await ask('GET', '/v1/whoami', { key: other })), [200, 60, 59, 60]);
});

for (const [mode, ofKey, ofAgency] of [
  ['live', 500, 2_000],
  ['test', 200, 500],
] as const) {
  for (const [whose, limit, used] of [
    ['one key', ofKey, { keyDay: ofKey - 1 }],
    ['all keys of an agency', ofAgency, { agencyDay: ofAgency - 1 }],
  ] as const) {
    test(`${limit} POST /v1/quotes a day pass for ${whose} in ${mode} mode, until midnight UTC, and reads go on`, async (t) => {
      const gateways = await startTwoGateways(t);
      const { ask, newKey, database } = gateways;
      const [own, foreign] = mode === 'live' ? [Mode.LIVE, Mode.TEST] : [Mode.TEST, Mode.LIVE];
      const key = await newKey(own);
      const post = () => ask('POST', '/v1/quotes', { key, body: '{}' });
      assert.equal((await post()).status, 422);
      await preset(gateways, used);
      assert.deepEqual(told(await post()), [422, limit, 0, HALF_A_DAY_S]);
      const refused = await post();
      assert.deepEqual(
        [...told(refused), Number(refused.headers['retry-after'])],
        [429, limit, 0, HALF_A_DAY_S, HALF_A_DAY_S],
      );
      assert.deepEqual(told(await ask('GET', '/v1/whoami', { key })), [200, 60, 56, 60]);
      const otherMode = await newKey(foreign);
      assert.equal((await ask('POST', '/v1/quotes', { key: otherMode, body: '{}' })).status, 422);
      const sameMode = await newKey(own);
      assert.equal(
        (await ask('POST', '/v1/quotes', { key: sameMode, body: '{}' })).status,
        whose === 'one key' ? 422 : 429,
      );

      await setTime(database, '2026-11-20T23:59:59.999Z');
      assert.deepEqual(told(await post()), [429, limit, 0, 1]);
      await setTime(database, '2026-11-21T00:00:00Z');
      assert.deepEqual(told(await post()), [422, 60, 59, 60]);
    });
  }
}

test('every authenticated request counts, whatever it comes to; what is a 401 does not', async (t) => {
  const { one, agencyId, ask, newKey } = await startTwoGateways(t);
  const key = await newKey(Mode.LIVE);
  const create = { key, body: BODY, headers: { 'Idempotency-Key': 'order 66' } };
  const requests: readonly (readonly [outcome: string, request: () => Promise<Answered>])[] = [
    ['201', () => ask('POST', '/v1/quotes', create)],
    ['201 replayed', () => ask('POST', '/v1/quotes', create)],
    ['409 IDEMPOTENCY_KEY_REUSED', () => ask('POST', '/v1/quotes', { ...create, body: `${BODY} ` })],
    ['422 VALIDATION_FAILED', () => ask('POST', '/v1/quotes', { key, body: '{}' })],
    ['400 INVALID_JSON', () => ask('POST', '/v1/quotes', { key, body: '{' })],
    ['404 NOT_FOUND', () => ask('GET', '/v1/quotes/none', { key })],
    ['404 NOT_FOUND', () => ask('GET', '/v1/nothing', { key })],
    ['405 empty', () => ask('DELETE', '/v1/quotes', { key })],
    ['400 INVALID_API_VERSION', () => ask('GET', '/v1/whoami', { key, headers: { 'Service-Version': 'v1' } })],
  ];
  let left = 60;
  for (const [outcome, request] of requests) {
    const answer = await request();
    left -= 1;
    const created = answer.headers['idempotent-replayed'] === 'true' ? '201 replayed' : '201';
    assert.equal(answer.status === 201 ? created : outcomeOf(answer), outcome);
    assert.deepEqual(told(answer).slice(1), [60, left, 60], outcome);
  }
  await ask('GET', '/v1/whoami', { key: `${key}x` });
  await one.admin.switchAgency({ agencyId, liveEnabled: false }, AS_DANA);
  const off = await ask('GET', '/v1/whoami', { key });
  assert.equal(outcomeOf(off), '403 API_ACCESS_NOT_ENABLED');
  assert.deepEqual(told(off).slice(1), [60, left - 1, 60]);
});

test('a refusal is counted wherever a success would be: whoever posts on after the minute uses up the day', async (t) => {
  const gateways = await startTwoGateways(t);
  const { ask, newKey, countQuotes } = gateways;
  const key = await newKey();
  const post = async () => {
    const answer = await ask('POST', '/v1/quotes', { key, body: BODY });
    return [answer.status, Number(answer.headers['retry-after'] ?? 0)];
  };
  assert.deepEqual(await post(), [201, 0]);
  await preset(gateways, { minute: 60, keyDay: 198 });
  assert.deepEqual(await post(), [429, 60]);
  assert.deepEqual(await post(), [429, 60]);
  assert.deepEqual(await post(), [429, HALF_A_DAY_S]);
  assert.equal(await countQuotes(), 1);
});

test('of 200 requests at once through two gateways exactly 60 are admitted, and 60 quotes stored', async (t) => {
  const { ask, newKey, countQuotes } = await startTwoGateways(t);
  const key = await newKey();
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask('POST', '/v1/quotes', { key, body: BODY })));
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, 60);
  assert.equal(statuses.filter((status) => status === 429).length, 140);
  const left = answers.filter(({ status }) => status === 201).map((answer) => told(answer)[2]);
  assert.deepEqual(new Set(left), new Set(Array.from({ length: 60 }, (_, n) => n)));
  assert.equal(await countQuotes(), 60);
});

test('of what four keys of one agency post at once, exactly what the day still has is stored', async (t) => {
  const gateways = await startTwoGateways(t);
  const { ask, newKey, countQuotes } = gateways;
  const keys = await Promise.all(Array.from({ length: 4 }, () => newKey()));
  await Promise.all(keys.map((key) => ask('POST', '/v1/quotes', { key, body: '{}' })));
  await preset(gateways, { agencyDay: 463 });
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => ask('POST', '/v1/quotes', { key: keys[n % 4] ?? '', body: BODY })),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 37);
  assert.equal(answers.filter(({ status }) => status === 429).length, 163);
  assert.equal(await countQuotes(), 37);
});

test('what one gateway revokes, switches off or deactivates binds the very next request to the other', async (t) => {
  const { one, other, agencyId, database } = await startTwoGateways(t);
  const brokerEmail = ANA;
  const { id: keyId, secret: key } = await makeKey(one, { agencyId, brokerEmail, mode: Mode.LIVE });
  const { secret: expiring } = await makeKey(one, { agencyId, brokerEmail, expiresOn: '2026-11-20' });
  const outcome = async (secret: string) => {
    const answer = await other.ask('GET', '/v1/whoami', { key: secret });
    return answer.status === 200 ? '200' : outcomeOf(answer);
  };
  for (let round = 0; round < 10; round += 1) {
    await one.admin.switchAgency({ agencyId, liveEnabled: false }, AS_DANA);
    assert.equal(await outcome(key), '403 API_ACCESS_NOT_ENABLED');
    assert.equal(await outcome(expiring), '200');
    await one.admin.switchAgency({ agencyId, liveEnabled: true }, AS_DANA);
    assert.equal(await outcome(key), '200');
  }
  await one.admin.setBrokerStatus({ agencyId, email: ANA, status: BrokerStatus.INACTIVE }, AS_DANA);
  assert.equal(await outcome(key), '403 DEFAULT_BROKER_INACTIVE');
  await one.admin.setBrokerStatus({ agencyId, email: ANA, status: BrokerStatus.ACTIVE }, AS_DANA);
  assert.equal(await outcome(key), '200');
  await one.admin.revokeKey({ keyId }, AS_DANA);
  assert.equal(await outcome(key), '401 KEY_REVOKED');
  await setTime(database, '2026-11-21T00:00:00Z');
  assert.equal(await outcome(expiring), '401 KEY_EXPIRED');
});
