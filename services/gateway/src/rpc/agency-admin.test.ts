import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { BrokerStatus, KeyType } from '@pfq/proto/gateway/v1/admin_pb';
import { makeDatabase } from '../../../../tests/support/database.ts';
import { failsWith } from '../../../../tests/support/failures.ts';
import { modeOfApiKey } from '../domain/api-key.ts';
import {
  ALL_SCOPES,
  AS_DANA,
  AS_STRANGER,
  makeAgency,
  makeKey,
  readAudit,
  startWholeGateway,
} from '../whole-gateway.test-support.ts';

const UNKNOWN_AGENCY = `agy_${'0'.repeat(22)}`;
const KEY = { mode: Mode.TEST, type: KeyType.AGENCY, scopes: ALL_SCOPES, name: 'A key', brokerEmail: 'ana@a.example' };
const BROKER = { email: 'ana@a.example', name: 'Ana', status: BrokerStatus.ACTIVE };

test('agencies, brokers and keys are made, changed and listed, each change under the name of whoever made it', async (t) => {
  const database = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: database.url });
  const { admin } = gateway;
  const agencyId = await makeAgency(gateway, 'Ana@A.example');
  const { key, secret } = await admin.createKey(
    { ...KEY, agencyId, scopes: ['quotes:read', 'quotes:read'], expiresOn: '2028-02-29' },
    AS_DANA,
  );
  await admin.setBrokerStatus({ agencyId, email: 'ANA@a.example', status: BrokerStatus.INACTIVE }, AS_DANA);
  await admin.revokeKey({ keyId: key?.id ?? '' }, AS_DANA);

  const { agencies } = await admin.listAgencies({}, AS_DANA);
  assert.partialDeepStrictEqual(agencies, [{ id: agencyId, name: 'An agency', liveEnabled: true, testEnabled: true }]);
  const { brokers } = await admin.listBrokers({ agencyId }, AS_DANA);
  assert.partialDeepStrictEqual(brokers, [{ agencyId, email: 'Ana@A.example', status: BrokerStatus.INACTIVE }]);
  const { keys } = await admin.listKeys({ agencyId }, AS_DANA);
  assert.partialDeepStrictEqual(keys, [
    {
      id: key?.id,
      agencyId,
      mode: Mode.TEST,
      type: KeyType.AGENCY,
      brokerEmail: 'Ana@A.example',
      scopes: ['quotes:read'],
      expiresOn: '2028-02-29',
    },
  ]);
  assert.ok(keys[0]?.revokedAt);

  assert.equal(modeOfApiKey(secret), 'test');
  assert.ok(
    !JSON.stringify({ keys, key }, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)).includes(
      secret,
    ),
    'the key is shown once',
  );
  const audit = await readAudit(database.open());
  assert.deepEqual(
    audit.map(({ actor, action, target }) => [actor, action, target]),
    [
      ['dana@lender.example', 'agency.create', agencyId],
      ['dana@lender.example', 'agency.switch', agencyId],
      ['dana@lender.example', 'broker.register', brokers[0]?.id],
      ['dana@lender.example', 'key.create', key?.id],
      ['dana@lender.example', 'broker.status', brokers[0]?.id],
      ['dana@lender.example', 'key.revoke', key?.id],
    ],
  );
  assert.ok(!JSON.stringify(audit).includes(secret), 'the audit log holds no key');
});

test('a key is kept nowhere: the database holds a keyed hash of it', async (t) => {
  const database = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: database.url });
  const agencyId = await makeAgency(gateway, 'ana@a.example');
  const { secret } = await makeKey(gateway, { agencyId, brokerEmail: 'ana@a.example' });
  const rows = await database.open().read('SELECT k::text AS row, length(hash) AS hash_bytes FROM api_keys k', []);
  assert.partialDeepStrictEqual(rows, [{ hash_bytes: 32 }]);
  assert.ok(!JSON.stringify(rows).includes(secret.slice(9, 52)));
});

test('what is refused leaves neither a change nor an audit row', async (t) => {
  const database = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: database.url });
  const { admin } = gateway;
  const agencyId = await makeAgency(gateway, 'ana@a.example', 'ina@a.example');
  const other = await makeAgency(gateway, 'zoe@z.example');
  await admin.setBrokerStatus({ agencyId, email: 'ina@a.example', status: BrokerStatus.INACTIVE }, AS_DANA);
  const log = database.open();
  const before = await readAudit(log);

  const invalid = (param: string) => ({ code: 'VALIDATION_FAILED', param });
  const missing = { code: 'NOT_FOUND' };
  const active = BrokerStatus.ACTIVE;
  const refusals: readonly (readonly [() => Promise<unknown>, object])[] = [
    [() => admin.createAgency({ name: ' ' }, AS_DANA), invalid('name')],
    [() => admin.switchAgency({ agencyId }, AS_DANA), invalid('live_enabled')],
    [() => admin.switchAgency({ agencyId: UNKNOWN_AGENCY, liveEnabled: true }, AS_DANA), missing],
    [() => admin.switchAgency({ agencyId: `${agencyId}\0`, liveEnabled: true }, AS_DANA), missing],
    [() => admin.registerBroker({ ...BROKER, agencyId, email: 'ANA@A.EXAMPLE' }, AS_DANA), invalid('email')],
    [() => admin.registerBroker({ ...BROKER, agencyId, email: 'nobody' }, AS_DANA), invalid('email')],
    [
      () => admin.registerBroker({ ...BROKER, agencyId, email: 'x@a.example', status: BrokerStatus.INACTIVE }, AS_DANA),
      invalid('status'),
    ],
    [() => admin.registerBroker({ ...BROKER, agencyId: UNKNOWN_AGENCY }, AS_DANA), missing],
    [
      () => admin.setBrokerStatus({ agencyId, email: 'ana@a.example', status: BrokerStatus.INVITED }, AS_DANA),
      invalid('status'),
    ],
    [() => admin.setBrokerStatus({ agencyId, email: 'who@a.example', status: active }, AS_DANA), missing],
    [() => admin.setBrokerStatus({ agencyId, email: 'a\0@a.example', status: active }, AS_DANA), invalid('email')],
    [() => admin.setBrokerStatus({ agencyId, email: 'zoe@z.example', status: active }, AS_DANA), missing],
    [() => admin.listBrokers({ agencyId: UNKNOWN_AGENCY }, AS_DANA), missing],
    [() => admin.listKeys({ agencyId: 'x' }, AS_DANA), missing],
    [() => admin.createKey({ ...KEY, agencyId: UNKNOWN_AGENCY }, AS_DANA), missing],
    [() => admin.createKey({ ...KEY, agencyId: other }, AS_DANA), missing],
    [() => admin.createKey({ ...KEY, agencyId, brokerEmail: 'ina@a.example' }, AS_DANA), invalid('broker_email')],
    [() => admin.createKey({ ...KEY, agencyId, mode: Mode.UNSPECIFIED }, AS_DANA), invalid('mode')],
    [() => admin.createKey({ ...KEY, agencyId, type: KeyType.UNSPECIFIED }, AS_DANA), invalid('type')],
    [() => admin.createKey({ ...KEY, agencyId, scopes: ['quotes'] }, AS_DANA), invalid('scopes[0]')],
    [() => admin.createKey({ ...KEY, agencyId, expiresOn: '2027-02-30' }, AS_DANA), invalid('expires_on')],
    [() => admin.revokeKey({ keyId: `key_${'0'.repeat(22)}` }, AS_DANA), missing],
    [() => admin.revokeKey({ keyId: '' }, AS_DANA), missing],
    [() => admin.createAgency({ name: 'Mine' }, AS_STRANGER), { code: 'INVALID_API_KEY' }],
  ];
  for (const [call, expected] of refusals) await failsWith(call(), expected);
  assert.deepEqual(await readAudit(log), before);
});

test('what changes nothing leaves no audit row, and a second revocation keeps the time of the first', async (t) => {
  const database = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: database.url });
  const { admin } = gateway;
  const agencyId = await makeAgency(gateway, 'ana@a.example');
  const { id: keyId } = await makeKey(gateway, { agencyId, brokerEmail: 'ana@a.example' });
  const first = await admin.revokeKey({ keyId }, AS_DANA);
  const log = database.open();
  const before = await readAudit(log);
  const [second] = await Promise.all([
    admin.revokeKey({ keyId }, AS_DANA),
    admin.switchAgency({ agencyId, testEnabled: true }, AS_DANA),
    admin.setBrokerStatus({ agencyId, email: 'ana@a.example', status: BrokerStatus.ACTIVE }, AS_DANA),
  ]);
  assert.deepEqual(second.key?.revokedAt, first.key?.revokedAt);
  assert.deepEqual(await readAudit(log), before);
});

test('of revocations at the same time one counts', async (t) => {
  const database = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: database.url });
  const agencyId = await makeAgency(gateway, 'ana@a.example');
  const { id: keyId } = await makeKey(gateway, { agencyId, brokerEmail: 'ana@a.example' });
  const answers = await Promise.all(Array.from({ length: 8 }, () => gateway.admin.revokeKey({ keyId }, AS_DANA)));
  assert.equal(new Set(answers.map(({ key }) => String(key?.revokedAt?.nanos))).size, 1);
  const audit = await readAudit(database.open());
  assert.equal(audit.filter(({ action }) => action === 'key.revoke').length, 1);
});

test('the audit log cannot be rewritten', async (t) => {
  const database = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: database.url });
  await makeAgency(gateway);
  const log = database.open();
  for (const attempt of ["UPDATE audit_log SET actor = 'nobody'", 'DELETE FROM audit_log', 'TRUNCATE audit_log']) {
    await assert.rejects(log.write(attempt, []), /append-only/);
  }
  assert.equal((await readAudit(log)).length, 2);
});
