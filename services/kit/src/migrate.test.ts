import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { pino } from 'pino';
import { makeDatabase } from '../../../tests/support/database.ts';
import { until } from '../../../tests/support/until.ts';
import { applyMigrations, migrate } from './migrate.ts';

const logger = pino({ level: 'silent' });
const FIRST = 'CREATE TABLE steps (step integer PRIMARY KEY); INSERT INTO steps VALUES (1);';

test('files are applied in the order of their numbers, each once', async (t) => {
  const { steps, run, write } = await emptyDatabase(t);
  write('0002_second.sql', 'INSERT INTO steps VALUES (2);');
  write('0010_tenth.sql', 'INSERT INTO steps VALUES (10);');
  write('0001_first.sql', FIRST);
  await run();
  assert.deepEqual(await steps(), [1, 2, 10]);
  await run();
  write('0011_eleventh.sql', 'INSERT INTO steps VALUES (11);');
  await run();
  assert.deepEqual(await steps(), [1, 2, 10, 11]);
});

test('a file that fails leaves nothing half-applied, is named, and can be mended and applied again', async (t) => {
  const { steps, run, write } = await emptyDatabase(t);
  write('0001_first.sql', FIRST);
  write('0002_broken.sql', 'INSERT INTO steps VALUES (2); INSERT INTO nowhere VALUES (2);');
  write('0003_third.sql', 'INSERT INTO steps VALUES (3);');
  await assert.rejects(run(), /^Error: migration 0002_broken failed: relation "nowhere" does not exist/);
  assert.deepEqual(await steps(), [1]);
  write('0002_broken.sql', 'INSERT INTO steps VALUES (2);');
  await run();
  assert.deepEqual(await steps(), [1, 2, 3]);
});

test('a file that was slipped in before one already applied is refused', async (t) => {
  const { steps, run, write } = await emptyDatabase(t);
  write('0001_first.sql', FIRST);
  write('0003_third.sql', 'INSERT INTO steps VALUES (3);');
  await run();
  write('0002_late.sql', 'INSERT INTO steps VALUES (2);');
  await assert.rejects(run(), /0002_late/);
  assert.deepEqual(await steps(), [1, 3]);
});

test('three processes that start at once apply every file once', async (t) => {
  const { steps, write, url, dir } = await emptyDatabase(t);
  write('0001_first.sql', FIRST);
  for (const step of [2, 3, 4])
    write(`000${step}_step.sql`, `SELECT pg_sleep(0.05); INSERT INTO steps VALUES (${step});`);
  const script = `
    const { migrate } = await import(${JSON.stringify(new URL('./migrate.ts', import.meta.url).href)});
    const { pino } = await import('pino');
    await migrate({ databaseUrl: process.env.URL, dir: process.env.DIR, logger: pino({ level: 'silent' }) });`;
  const options = { cwd: import.meta.dirname, env: { URL: url, DIR: dir } };
  const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], options);
  await Promise.all([start(), start(), start()]);
  assert.deepEqual(await steps(), [1, 2, 3, 4]);
});

test('whoever waits for another that migrates says so, and goes on once that one has finished all of it', async (t) => {
  const { steps, write, url, dir } = await emptyDatabase(t);
  write('0001_first.sql', FIRST);
  const first = holdLock({ url, dir });
  await first.isHeld;
  write('0002_second.sql', 'INSERT INTO steps VALUES (2);');
  const { lines, telling } = listening();
  const second = migrate({ databaseUrl: url, dir, logger: telling });
  await until(() => lines.length > 0, 5_000);
  assert.deepEqual(await steps(), [1]);
  first.release();
  await Promise.all([first.ended, second]);
  assert.deepEqual(await steps(), [1, 2]);
  const told = ['another process is migrating; waiting for its end', 'migrated'];
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    told,
  );
});

test('a release that leaves the lock to node-pg-migrate itself does not migrate beside this one', async (t) => {
  const { write, url, dir } = await emptyDatabase(t);
  write('0001_first.sql', FIRST);
  const first = holdLock({ url, dir });
  await first.isHeld;
  const dbClient = new pg.Client({ connectionString: url });
  await dbClient.connect();
  const older = { dbClient, dir, direction: 'up', migrationsTable: 'schema_migrations', log: () => {} } as const;
  await assert.rejects(runner(older), /Another migration is already running/);
  first.release();
  await first.ended;
  // The server lets go of the lock once it has noticed that the connection is gone.
  let applied: unknown = null;
  const isDone = async () => {
    applied = await runner(older).catch(() => null);
    return applied !== null;
  };
  await until(isDone, 5_000);
  await dbClient.end();
  assert.deepEqual(applied, []);
});

test('a database that is away is waited for, and the log says so and why', async (t) => {
  const { steps, write, url, dir, refuseConnections, acceptConnections } = await emptyDatabase(t);
  write('0001_first.sql', FIRST);
  await refuseConnections();
  const { lines, telling } = listening();
  const migrating = migrate({ databaseUrl: url, dir, logger: telling });
  await until(() => lines.length > 0, 5_000);
  await acceptConnections();
  await migrating;
  assert.deepEqual(await steps(), [1]);
  assert.match(lines[0]?.reason ?? '', /not currently accepting connections/);
  const told = ['waiting for a dependency before starting', 'dependency is there: starting', 'migrated'];
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    told,
  );
});

/** A logger and its lines. */
function listening() {
  const lines: { msg: string; reason?: string }[] = [];
  const telling = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, telling };
}

/** A process that has applied its migrations and has yet to finish. */
function holdLock({ url, dir }: { readonly url: string; readonly dir: string }) {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const finish = () => {
    held.resolve();
    return released.promise;
  };
  const ended = applyMigrations({ databaseUrl: url, dir, finish, logger });
  return { isHeld: held.promise, release: () => released.resolve(), ended };
}

async function emptyDatabase(t: TestContext) {
  const { url, open, ...made } = await makeDatabase(t);
  const dir = mkdtempSync(path.join(tmpdir(), 'pfq-migrations-'));
  const database = open();
  t.after(() => rmSync(dir, { recursive: true }));
  return {
    url,
    dir,
    refuseConnections: () => made.refuseConnections(),
    acceptConnections: () => made.acceptConnections(),
    write: (name: string, sql: string) => writeFileSync(path.join(dir, name), sql),
    run: () => migrate({ databaseUrl: url, dir, logger }),
    steps: async () => {
      const rows = await database.read<{ step: number }>('SELECT step FROM steps ORDER BY step', []);
      return rows.map(({ step }) => step);
    },
  };
}
