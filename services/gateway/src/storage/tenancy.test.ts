import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeal } from '@pfq/kit/seal';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { makeDatabase } from '../../../../tests/support/database.ts';
import { makeApiKey } from '../domain/api-key.ts';
import { keptRequest, SENDER } from '../kept-request.test-support.ts';
import { KEY_PEPPER, makeAgency, makeKey, readAudit, startWholeGateway } from '../whole-gateway.test-support.ts';
import { postgresAccessStore } from './postgres-access.ts';
import { attempt, CREATED, SECRET } from './idempotency-scene.test-support.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import { postgresBrokerStore } from './postgres-brokers.ts';
import { postgresIdempotencyStore } from './postgres-idempotency.ts';
import { postgresCounterStore } from './postgres-counters.ts';
import { postgresKeyStore } from './postgres-keys.ts';
import { postgresRequestStore } from './postgres-requests.ts';
import type { RequestStore } from './request-store.ts';
import type { AccessStore, BrokerStore, CounterStore, KeyStore } from './store.ts';

type Looks<Store> = Readonly<Record<keyof Store, () => Promise<unknown>>>;

const COUNTED_AGENCIES = 'SELECT agency_id FROM key_usage UNION SELECT agency_id FROM agency_usage';

test('no statement shows one agency a broker or a key of another, changes it, or counts for it', async (t) => {
  const { url, open } = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: url });
  const owner = await makeAgency(gateway, 'ana@a.example');
  const stranger = await makeAgency(gateway, 'zoe@z.example');
  const ownersKey = await makeKey(gateway, { agencyId: owner, brokerEmail: 'ana@a.example' });
  const database = open();
  const access = postgresAccessStore(database, KEY_PEPPER);
  const brokers = postgresBrokerStore(database);
  const keys = postgresKeyStore(database, KEY_PEPPER);
  const before = await readAudit(database);
  const missing = { code: 'NOT_FOUND' };

  const accessLooks: Looks<AccessStore> = {
    async admit() {
      const admitted = await access.admit(ownersKey.secret, { isNewQuote: true });
      assert.equal(admitted?.agencyId, owner);
      assert.deepEqual(await database.read(COUNTED_AGENCIES, []), [{ agency_id: owner }]);
    },
    async findActiveBroker() {
      assert.equal(await access.findActiveBroker(stranger, 'ana@a.example'), null);
    },
  };
  const brokerLooks: Omit<Looks<BrokerStore>, 'register'> = {
    setStatus: () =>
      assert.rejects(
        brokers.setStatus({ agencyId: stranger, email: 'ana@a.example', status: 'inactive' }, 'eve'),
        missing,
      ),
    async list() {
      assert.deepEqual(
        (await brokers.list(stranger)).map(({ email }) => email),
        ['zoe@z.example'],
      );
    },
  };
  const newKey = {
    id: 'key_1',
    agencyId: stranger,
    mode: 'test',
    type: 'agency',
    scopes: [],
    name: 'n',
    expiresOn: null,
  } as const;
  const secret = makeApiKey('test', 's'.repeat(43));
  // A key is revoked by its id alone, which only the operator may.
  const keyLooks: Omit<Looks<KeyStore>, 'revoke'> = {
    create: () => assert.rejects(keys.create({ ...newKey, secret, brokerEmail: 'ana@a.example' }, 'eve'), missing),
    async list() {
      assert.deepEqual(await keys.list(stranger), []);
    },
  };
  const looks = [accessLooks, brokerLooks, keyLooks].flatMap((store) => Object.values(store));
  for (const look of looks) await look();

  assert.deepEqual(await readAudit(database), before);
  assert.deepEqual(
    (await keys.list(owner)).map(({ id }) => id),
    [ownersKey.id],
  );
  const { email, name } = (await access.findActiveBroker(owner, 'ANA@a.example')) ?? {};
  assert.deepEqual({ email, name }, { email: 'ana@a.example', name: 'A broker' });
});

test('the same address may be registered at two agencies, and is a different broker at each', async (t) => {
  const { url, open } = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: url });
  const agencies = [await makeAgency(gateway, 'ana@a.example'), await makeAgency(gateway, 'ana@a.example')];
  const access = postgresAccessStore(open(), KEY_PEPPER);
  const found = await Promise.all(agencies.map((agencyId) => access.findActiveBroker(agencyId, 'ana@a.example')));
  assert.equal(new Set(found.map((broker) => broker?.id)).size, 2);
});

test('no statement shows one agency an idempotency key of another or of the other mode, or changes it', async (t) => {
  const { url, open } = await makeDatabase(t);
  await startWholeGateway(t, { databaseUrl: url });
  const store = postgresIdempotencyStore(open(), createSeal([SECRET]));
  const owned = attempt({ agencyId: 'agy_owner' });
  await store.claim(owned);
  for (const stranger of [
    { ...owned, agencyId: 'agy_stranger' },
    { ...owned, mode: 'live' as const },
  ]) {
    // What has expired is removed whosever it is, which tells nobody anything.
    const looks: Omit<Looks<IdempotencyStore>, 'removeExpired'> = {
      async finish() {
        assert.equal(await store.finish(stranger, CREATED), false);
      },
      release: () => store.release(stranger),
      markLost: () => store.markLost(stranger),
      async claim() {
        const own = { ...stranger, owner: attempt().owner };
        assert.equal((await store.claim(own)).record.owner, own.owner);
      },
    };
    for (const look of Object.values(looks)) await look();
    assert.deepEqual((await store.claim(owned)).record.progress, { state: 'claimed' });
  }
});

test('what the operator does with one key or request, which is known by its id alone, touches no other agency or mode', async (t) => {
  const { url, open } = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: url });
  const owner = await makeAgency(gateway, 'ana@a.example');
  const stranger = await makeAgency(gateway, 'zoe@z.example');
  const [ofOwner, ofStranger, live] = await Promise.all([
    makeKey(gateway, { agencyId: owner, brokerEmail: 'ana@a.example' }),
    makeKey(gateway, { agencyId: stranger, brokerEmail: 'zoe@z.example' }),
    makeKey(gateway, { agencyId: owner, brokerEmail: 'ana@a.example', mode: Mode.LIVE }),
  ]);
  const database = open();
  const access = postgresAccessStore(database, KEY_PEPPER);
  const countOne = async ({ secret }: { secret: string }) =>
    (await access.admit(secret, { isNewQuote: true }))?.windows.map(({ used }) => used);
  for (const key of [ofOwner, ofStranger, live]) await countOne(key);
  const counters = postgresCounterStore(database);
  const counterLooks: Looks<CounterStore> = { reset: () => counters.reset(ofOwner.id, 'dana') };

  const requests = postgresRequestStore(database, { keptDays: 30 });
  const sender = { ...SENDER, agencyId: owner };
  const first = keptRequest(new Date(), { sender });
  const replayOf = first.requestId;
  const replay = keptRequest(new Date(), { sender, replayOf });
  const foreign = [
    { ...sender, agencyId: stranger },
    { ...sender, mode: 'live' as const },
  ].map((other) => keptRequest(new Date(), { sender: other, replayOf }));
  // What was kept long enough is removed whosever it is, which tells nobody anything.
  const requestLooks: Omit<Looks<RequestStore>, 'removeExpired'> = {
    keep: () => requests.keep([first, replay, ...foreign]),
    async find() {
      const found = await requests.find(first.requestId);
      assert.deepEqual(
        found?.replays.map(({ requestId }) => requestId),
        [replay.requestId],
      );
    },
  };
  for (const look of [...Object.values(counterLooks), ...Object.values(requestLooks)]) await look();
  assert.deepEqual(await countOne(ofStranger), [2, 2, 2]);
  assert.deepEqual(await countOne(live), [2, 2, 2]);
});
