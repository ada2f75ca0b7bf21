import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '@pfq/kit/postgres';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { BrokerStatus, KeyType } from '@pfq/proto/gateway/v1/admin_pb';
import { makeDatabase, setTime } from '../../../../tests/support/database.ts';
import { makeApiKey } from '../domain/api-key.ts';
import { fullRequest } from '../requests/sample-request.test-support.ts';
import { errorOf, outcomeOf } from '../running-gateway.test-support.ts';
import { AS_DANA, KEY_PEPPER, makeAgency, makeKey, startWholeGateway } from '../whole-gateway.test-support.ts';
import { postgresAccessStore } from './postgres-access.ts';

const PATH = '/v1/quotes/none';
const ONE_READ = { isNewQuote: false };

test('everything about a key is found, and the request counted, in one statement', async (t) => {
  const { url, open } = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: url });
  const agencyId = await makeAgency(gateway, 'Ana@A.example');
  const { id, secret } = await makeKey(gateway, {
    agencyId,
    brokerEmail: 'ana@a.example',
    type: KeyType.BROKER,
    expiresOn: '2030-12-31',
  });
  const database = open();
  await setTime(database, '2026-11-20 23:59:59.123Z');
  const statements: string[] = [];
  const counting: Database = {
    ...database,
    read(sql, values) {
      statements.push(sql);
      return database.read(sql, values);
    },
  };
  const store = postgresAccessStore(counting, KEY_PEPPER);
  const access = await store.admit(secret, ONE_READ);
  assert.ok(access);
  const { defaultBroker, windows, ...rest } = access;
  assert.deepEqual(rest, {
    keyId: id,
    agencyId,
    agencyName: 'An agency',
    mode: 'test',
    type: 'broker',
    scopes: ['quotes:write', 'quotes:read'],
    expiresOn: '2030-12-31',
    revoked: false,
    enabled: true,
    now: new Date('2026-11-20T23:59:59.123Z'),
  });
  assert.partialDeepStrictEqual(defaultBroker, { email: 'Ana@A.example', name: 'A broker', status: 'active' });
  assert.partialDeepStrictEqual(windows, [{ limit: 60, used: 1, resetsAt: new Date('2026-11-21T00:00:00Z') }]);
  assert.equal(statements.length, 1);
  assert.equal(await store.admit(makeApiKey('test', 'x'.repeat(43)), ONE_READ), null);
  assert.equal(
    await postgresAccessStore(database, 'another pepper').admit(secret, ONE_READ),
    null,
    'the hash is keyed',
  );
});

test('each switch rules the keys of its own mode, from the next request on', async (t) => {
  const { url } = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: url });
  const agencyId = await makeAgency(gateway, 'ana@a.example');
  const live = await makeKey(gateway, { agencyId, brokerEmail: 'ana@a.example', mode: Mode.LIVE });
  const test_ = await makeKey(gateway, { agencyId, brokerEmail: 'ana@a.example', mode: Mode.TEST });
  const outcomes = async () => {
    const asking = [live, test_].map(({ secret: key }) => gateway.ask('POST', '/v1/quotes', { key, body: '{}' }));
    return (await Promise.all(asking)).map(outcomeOf);
  };
  const works = '422 VALIDATION_FAILED';
  assert.deepEqual(await outcomes(), [works, works]);
  await gateway.admin.switchAgency({ agencyId, liveEnabled: false }, AS_DANA);
  assert.deepEqual(await outcomes(), ['403 API_ACCESS_NOT_ENABLED', works]);
  await gateway.admin.switchAgency({ agencyId, liveEnabled: true, testEnabled: false }, AS_DANA);
  assert.deepEqual(await outcomes(), [works, '403 TEST_MODE_NOT_ENABLED']);
});

test('a key works through its expiry date in UTC, and revocation binds the next request and is told first', async (t) => {
  const { url, open } = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: url });
  const agencyId = await makeAgency(gateway, 'ana@a.example');
  const { id, secret } = await makeKey(gateway, { agencyId, brokerEmail: 'ana@a.example', expiresOn: '2026-11-20' });
  const database = open();
  const outcome = async () => outcomeOf(await gateway.ask('POST', '/v1/quotes', { key: secret, body: '{}' }));
  await setTime(database, '2026-11-20 23:59:59.999Z');
  assert.equal(await outcome(), '422 VALIDATION_FAILED');
  await setTime(database, '2026-11-21 00:00:00Z');
  assert.equal(await outcome(), '401 KEY_EXPIRED');
  await gateway.admin.revokeKey({ keyId: id }, AS_DANA);
  assert.equal(await outcome(), '401 KEY_REVOKED');
});

test('a deactivated default broker binds the next request', async (t) => {
  const { url } = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: url });
  const agencyId = await makeAgency(gateway, 'ana@a.example');
  const { secret: key } = await makeKey(gateway, { agencyId, brokerEmail: 'ana@a.example' });
  await gateway.admin.setBrokerStatus({ agencyId, email: 'ana@a.example', status: BrokerStatus.INACTIVE }, AS_DANA);
  assert.equal(outcomeOf(await gateway.ask('GET', PATH, { key })), '403 DEFAULT_BROKER_INACTIVE');
});

test('a named broker who is inactive, only invited, of another agency or unknown is refused in the same words', async (t) => {
  const { url } = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: url });
  const agencyId = await makeAgency(gateway, 'ana@a.example', 'ina@a.example', 'ben@a.example');
  await makeAgency(gateway, 'zoe@z.example');
  const { admin } = gateway;
  await admin.setBrokerStatus({ agencyId, email: 'ina@a.example', status: BrokerStatus.INACTIVE }, AS_DANA);
  const invited = { agencyId, email: 'ivy@a.example', name: 'Ivy', status: BrokerStatus.INVITED };
  await admin.registerBroker(invited, AS_DANA);
  const { secret: key } = await makeKey(gateway, { agencyId, brokerEmail: 'ana@a.example' });
  const refusalOf = async (email: string) => {
    const body = JSON.stringify({ ...fullRequest(), broker_email: email });
    const answer = await gateway.ask('POST', '/v1/quotes', { key, body });
    return `${answer.status} ${JSON.stringify({ ...errorOf(answer), request_id: '' })}`;
  };
  const emails = ['ina@a.example', 'ivy@a.example', 'zoe@z.example', 'nobody@a.example', 'no address'];
  const refusals = await Promise.all(emails.map(refusalOf));
  assert.equal(new Set(refusals).size, 1);
  assert.match(refusals[0] ?? '', /^403 .*"BROKER_NOT_ACTIVE".*"param":"broker_email"/);
  assert.match(await refusalOf('BEN@a.example'), /^503 /, 'an active one is taken, and only pricing is away');
});

test('while the database is away requests are 503, and afterwards they are served again', async (t) => {
  const database = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: database.url });
  const agencyId = await makeAgency(gateway, 'ana@a.example');
  const { secret: key } = await makeKey(gateway, { agencyId, brokerEmail: 'ana@a.example' });
  const outcome = async () => outcomeOf(await gateway.ask('POST', '/v1/quotes', { key, body: '{}' }));
  await database.refuseConnections();
  assert.equal(await outcome(), '503 SERVICE_UNAVAILABLE');
  await database.acceptConnections();
  assert.equal(await outcome(), '422 VALIDATION_FAILED');
});
