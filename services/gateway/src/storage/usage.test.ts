import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { withConnection } from '@pfq/kit/postgres';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import fc from 'fast-check';
import { makeDatabase, setTime } from '../../../../tests/support/database.ts';
import { until } from '../../../../tests/support/until.ts';
import type { Access } from '../domain/access.ts';
import { AS_DANA, KEY_PEPPER, makeAgency, makeKey, startWholeGateway } from '../whole-gateway.test-support.ts';
import { postgresAccessStore } from './postgres-access.ts';
import { postgresAgencyStore } from './postgres-agencies.ts';
import type { AccessStore } from './store.ts';

const READ = { isNewQuote: false };
const NEW_QUOTE = { isNewQuote: true };
const SECONDS = 5_000;
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const FIVE_TO_MIDNIGHT = Date.parse('2026-11-20T23:59:55Z');
const UPDATES = `
  SELECT n_tup_upd::integer AS updated, n_tup_hot_upd::integer AS in_place FROM pg_stat_user_tables
  WHERE relname IN ('key_usage', 'agency_usage')`;
const USAGE = `
  SELECT 'key' AS of, requests, quotes FROM key_usage UNION ALL SELECT 'agency', NULL, quotes FROM agency_usage`;

/** An agency, and the stores of two gateways on its database. */
async function startTwoStores(t: TestContext) {
  const { url, open } = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: url });
  const agencyId = await makeAgency(gateway, 'ana@a.example');
  const [database, other] = [open(), open()];
  const stores = [postgresAccessStore(database, KEY_PEPPER), postgresAccessStore(other, KEY_PEPPER)] as const;
  const newKey = (mode: Mode = Mode.TEST, expiresOn?: string) =>
    makeKey(gateway, { agencyId, brokerEmail: 'ana@a.example', mode, ...(expiresOn !== undefined && { expiresOn }) });
  return { url, open, gateway, agencyId, database, other, stores, newKey };
}

/** Every limit of an admitted request as limit and number used. */
async function usedIn(store: AccessStore, key: string, request = READ): Promise<readonly (readonly number[])[]> {
  const access = await store.admit(key, request);
  assert.ok(access);
  return access.windows.map(({ limit, used }) => [limit, used]);
}

type ModelCount = { readonly startMs: number; readonly used: number };

/** The rule in its plainest form: a window that is over is forgotten, and one that has begun is never left again. */
function countInto(before: ModelCount | undefined, startMs: number, by: number): ModelCount {
  if (!before || startMs > before.startMs) return { startMs, used: by };
  return { startMs: before.startMs, used: before.used + by };
}

const LIMITS = { live: { key: 500, agency: 2_000 }, test: { key: 200, agency: 500 } };
const anyRequests = fc.array(
  fc.record({
    caller: fc.nat({ max: 4 }),
    throughOther: fc.boolean(),
    isNewQuote: fc.boolean(),
    clockMovesMs: fc.oneof(
      { arbitrary: fc.constant(0), weight: 3 },
      { arbitrary: fc.constantFrom(1, 4_999, 5_000, MINUTE_MS, DAY_MS, -1, -MINUTE_MS, -DAY_MS), weight: 4 },
      { arbitrary: fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS }), weight: 1 },
    ),
  }),
  { minLength: 1, maxLength: 25 },
);

test('whatever is asked, and however the clock moves, each limit counts what a plain model counts', async (t) => {
  const { gateway, agencyId, database, stores, newKey } = await startTwoStores(t);
  const stranger = { agencyId: await makeAgency(gateway, 'zoe@z.example'), brokerEmail: 'zoe@z.example' };
  const callers = [
    { key: (await newKey(Mode.LIVE)).secret, mode: 'live', agency: agencyId },
    { key: (await newKey(Mode.TEST)).secret, mode: 'test', agency: agencyId },
    { key: (await newKey(Mode.TEST)).secret, mode: 'test', agency: agencyId },
    { key: (await makeKey(gateway, { ...stranger, mode: Mode.LIVE })).secret, mode: 'live', agency: 'stranger' },
    { key: (await makeKey(gateway, { ...stranger, mode: Mode.TEST })).secret, mode: 'test', agency: 'stranger' },
  ] as const;

  const behavesAsModel = fc.asyncProperty(anyRequests, async (requests) => {
    await database.write('TRUNCATE key_usage, agency_usage', []);
    const model = new Map<string, ModelCount>();
    const count = (name: string, startMs: number, by: number) => {
      const counted = countInto(model.get(name), startMs, by);
      model.set(name, counted);
      return counted;
    };
    let nowMs = FIVE_TO_MIDNIGHT;
    await setTime(database, new Date(nowMs).toISOString());
    for (const { caller, throughOther, isNewQuote, clockMovesMs } of requests) {
      nowMs += clockMovesMs;
      if (clockMovesMs !== 0) await setTime(database, new Date(nowMs).toISOString());
      const { key, mode, agency } = callers[caller] ?? callers[0];
      const minute = count(`minute of ${key}`, nowMs - (nowMs % MINUTE_MS), 1);
      const day = count(`day of ${key}`, nowMs - (nowMs % DAY_MS), isNewQuote ? 1 : 0);
      const expected = [{ limit: 60, ...minute, resetMs: minute.startMs + MINUTE_MS }];
      if (isNewQuote) {
        const ofAgency = count(`day of ${agency} ${mode}`, day.startMs, 1);
        expected.push({ limit: LIMITS[mode].key, ...day, resetMs: day.startMs + DAY_MS });
        expected.push({ limit: LIMITS[mode].agency, ...ofAgency, resetMs: ofAgency.startMs + DAY_MS });
      }
      const access = await stores[throughOther ? 1 : 0].admit(key, { isNewQuote });
      assert.deepEqual(
        access?.windows.map(({ limit, used, startedAt, resetsAt }) => ({
          limit,
          startMs: startedAt.getTime(),
          used,
          resetMs: resetsAt.getTime(),
        })),
        expected,
      );
    }
  });
  await fc.assert(behavesAsModel, { numRuns: 100 });
});

test('a request that waited for its counter while the minute turned counts in the new minute, and turns nothing back', async (t) => {
  const { database, other, stores, newKey } = await startTwoStores(t);
  const { secret } = await newKey();
  await setTime(database, '2026-11-20T11:59:59.990Z');
  await usedIn(stores[0], secret, NEW_QUOTE);
  let waiting: Promise<Access | null> | undefined;
  await database.transaction(async ({ query }) => {
    await query(`UPDATE key_usage SET minute = '2026-11-20T12:00:00Z', requests = 5, quotes = 9`, []);
    waiting = stores[1].admit(secret, NEW_QUOTE);
    const blocked = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await until(async () => (await other.read(blocked, [])).length === 1, SECONDS);
  });
  const { windows } = (await waiting) ?? assert.fail('the key is known');
  assert.partialDeepStrictEqual(windows, [
    { limit: 60, used: 6, resetsAt: new Date('2026-11-20T12:01:00Z') },
    { limit: 200, used: 10 },
    { limit: 500, used: 2 },
  ]);
});

test('of requests through two gateways at once each takes a place of its own in every limit', async (t) => {
  const { database, stores, newKey } = await startTwoStores(t);
  await setTime(database, '2026-11-20T12:00:30Z');
  const { secret } = await newKey();
  const places = await Promise.all(
    Array.from({ length: 200 }, (_, index) => usedIn(stores[index % 2 === 0 ? 0 : 1], secret, NEW_QUOTE)),
  );
  for (const [limit, at] of [60, 200, 500].entries()) {
    const taken = places.map((place) => place[limit]);
    assert.deepEqual(
      taken.toSorted(([, one = 0] = [], [, next = 0] = []) => one - next),
      Array.from({ length: 200 }, (_, index) => [at, index + 1]),
    );
  }
});

test('many keys of one agency at once, while keys are revoked and switches turned, wait for each other and never deadlock', async (t) => {
  const { gateway, agencyId, database, stores, newKey } = await startTwoStores(t);
  await setTime(database, '2026-11-20T12:00:30Z');
  const keys = await Promise.all(Array.from({ length: 12 }, (_, n) => newKey(n % 3 === 0 ? Mode.LIVE : Mode.TEST)));
  const revoked = await newKey();
  const asking = Array.from({ length: 240 }, (_, n) =>
    usedIn(stores[n % 2 === 0 ? 0 : 1], keys[n % keys.length]?.secret ?? '', NEW_QUOTE),
  );
  const changing = Array.from({ length: 20 }, (_, n) =>
    gateway.admin.switchAgency({ agencyId, liveEnabled: n % 2 === 1 }, AS_DANA),
  );
  await Promise.all([...asking, ...changing, gateway.admin.revokeKey({ keyId: revoked.id }, AS_DANA)]);
  const rows = await database.read<{ of: string; quotes: number }>(USAGE, []);
  const quotesOf = (whose: string) => rows.filter((row) => row.of === whose).map(({ quotes }) => quotes);
  assert.deepEqual(
    quotesOf('key'),
    Array.from({ length: 12 }, () => 20),
  );
  assert.deepEqual(new Set(quotesOf('agency')), new Set([80, 160]));
});

test('a key that is unknown, revoked or past its last day counts nowhere; one counts through its last moment', async (t) => {
  const { gateway, database, stores, newKey } = await startTwoStores(t);
  const [store] = stores;
  const revoked = await newKey();
  await gateway.admin.revokeKey({ keyId: revoked.id }, AS_DANA);
  const expiring = await newKey(Mode.TEST, '2026-11-20');
  const admit = (key: string) => store.admit(key, NEW_QUOTE);

  await setTime(database, '2026-11-21T00:00:00Z');
  assert.equal(await admit('pfq_test_unknown'), null);
  for (const { secret } of [revoked, expiring]) assert.deepEqual((await admit(secret))?.windows, []);
  assert.deepEqual(await database.read(USAGE, []), []);

  await setTime(database, '2026-11-20T23:59:59.999999Z');
  assert.equal((await admit(expiring.secret))?.windows.length, 3);
  assert.deepEqual(await database.read(USAGE, []), [
    { of: 'key', requests: 1, quotes: 1 },
    { of: 'agency', requests: null, quotes: 1 },
  ]);
});

/** Writes down, as a transaction commits, which table it changed and whether its commit waits for the disk. */
const NOTE_COMMITS = `
  DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$;
  CREATE TABLE commits (changed text, waits text);
  CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN INSERT INTO commits SELECT TG_TABLE_NAME, current_setting('synchronous_commit'); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER note AFTER INSERT OR UPDATE ON key_usage DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION note();
  CREATE CONSTRAINT TRIGGER note AFTER INSERT OR UPDATE ON agency_usage DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION note();
  CREATE CONSTRAINT TRIGGER note AFTER INSERT ON audit_log DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION note()`;

test('counting alone commits without waiting for the disk: on the same connection, every other change waits', async (t) => {
  const { url, agencyId, open, newKey } = await startTwoStores(t);
  const { secret } = await newKey();
  await withConnection(url, (client) => client.query(NOTE_COMMITS));
  const database = open();
  await postgresAccessStore(database, KEY_PEPPER).admit(secret, NEW_QUOTE);
  await postgresAgencyStore(database).switch({ agencyId, live: false, test: undefined }, 'dana');
  assert.deepEqual(await database.read('SELECT changed, waits FROM commits ORDER BY changed', []), [
    { changed: 'agency_usage', waits: 'off' },
    { changed: 'audit_log', waits: 'on' },
    { changed: 'key_usage', waits: 'off' },
  ]);
});

test('counters are rewritten in place, without touching an index', async (t) => {
  const { database, stores, newKey } = await startTwoStores(t);
  const { secret } = await newKey();
  for (let request = 0; request <= 100; request += 1) await usedIn(stores[0], secret, NEW_QUOTE);
  const updates = async () => {
    await database.read('SELECT pg_stat_force_next_flush()', []);
    return database.read<{ updated: number; in_place: number }>(UPDATES, []);
  };
  await until(async () => (await updates()).every(({ updated }) => updated === 100), SECONDS);
  for (const { in_place: inPlace } of await updates()) assert.ok(inPlace >= 95, String(inPlace));
});
