import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { makeDatabase } from '../../../tests/support/database.ts';
import { until } from '../../../tests/support/until.ts';
import { untilReady, watchHealth } from './health.ts';
import type { HealthState } from './health.ts';
import { databaseDependency, migrate } from './migrate.ts';
import { openDatabase } from './postgres.ts';

const logger = pino({ level: 'silent' });
const SECONDS = 5_000;
const EVERY_MS = 20;

/** The backend that is looked from. */
const LOOKERS = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%schema_migrations%'
  AND pid <> pg_backend_pid()`;

test('a service all of whose connections are busy stays ready', async (t) => {
  const { url, dependency, looks } = await scene(t);
  const pool = openDatabase(url, logger, { poolSize: 1 });
  const gate = Promise.withResolvers<void>();
  const busy = pool.transaction(async () => gate.promise);
  const waiting = pool.read('SELECT 1', []);
  const health = await watchHealth({ dependencies: [dependency], logger });
  const states: HealthState[] = [];
  health.onChange((state) => states.push(state));
  const before = looks();
  await until(() => looks() >= before + 10, SECONDS);
  assert.deepEqual([health.report().state, states], ['ready', []]);
  gate.resolve();
  await Promise.all([busy, waiting]);
  health.stop();
  await pool.close();
});

test('a service whose database stops is not ready, and is ready again once it is back', async (t) => {
  const { dependency, made } = await scene(t);
  const health = await watchHealth({ dependencies: [dependency], logger });
  assert.equal(health.report().state, 'ready');
  await made.refuseConnections();
  await until(() => health.report().state === 'unready', SECONDS);
  assert.match(health.report().dependencies[0]?.reason ?? '', /not currently accepting connections/);
  await made.acceptConnections();
  await untilReady(health);
  health.stop();
});

test('the looks share one connection, which is made anew where it is lost and ends with them', async (t) => {
  const { dependency, made } = await scene(t);
  const database = made.open();
  const lookers = async () => (await database.read<{ pid: number }>(LOOKERS, [])).map(({ pid }) => pid);
  await Promise.all([dependency.check(), dependency.check()]);
  await dependency.check();
  const first = await lookers();
  assert.equal(first.length, 1);
  await database.read('SELECT pg_terminate_backend($1)', first);
  await until(async () => (await lookers()).length === 0, SECONDS);
  await until(
    () =>
      dependency.check().then(
        () => true,
        () => false,
      ),
    SECONDS,
  );
  const second = await lookers();
  assert.equal(second.length, 1);
  assert.notDeepEqual(second, first);
  await dependency.end?.();
  await until(async () => (await lookers()).length === 0, SECONDS);
});

test('a look names the migrations of this release that are missing, and passes over those of the next', async (t) => {
  const { url, dir, dependency } = await scene(t);
  await dependency.check();
  for (const name of ['0002_second', '0003_third']) writeFileSync(path.join(dir, `${name}.sql`), 'SELECT 1');
  const newer = databaseDependency(url, dir);
  t.after(() => newer.end?.());
  await assert.rejects(newer.check(), /^Error: the schema lacks 0002_second, 0003_third: run the migrations$/);
  await migrate({ databaseUrl: url, dir, logger });
  await Promise.all([newer.check(), dependency.check()]);
});

test('of a database that was never migrated a look names every migration', async (t) => {
  const { dir } = await scene(t);
  const { url } = await makeDatabase(t);
  const never = databaseDependency(url, dir);
  t.after(() => never.end?.());
  await assert.rejects(never.check(), /^Error: the schema lacks 0001_first: run the migrations$/);
});

async function scene(t: TestContext) {
  const made = await makeDatabase(t);
  const { url } = made;
  const dir = mkdtempSync(path.join(tmpdir(), 'pfq-migrations-'));
  t.after(() => rmSync(dir, { recursive: true }));
  writeFileSync(path.join(dir, '0001_first.sql'), 'SELECT 1');
  await migrate({ databaseUrl: url, dir, logger });
  const dependency = databaseDependency(url, dir);
  t.after(() => dependency.end?.());
  let looked = 0;
  const check = () => dependency.check().finally(() => (looked += 1));
  return { made, url, dir, looks: () => looked, dependency: { ...dependency, everyMs: EVERY_MS, check } };
}
