import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { makeDatabase } from '../../../tests/support/database.ts';
import { until } from '../../../tests/support/until.ts';
import { migrate } from './migrate.ts';

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

test('a database that is away is waited for, and the log says so and why', async (t) => {
  const { steps, write, url, dir, refuseConnections, acceptConnections } = await emptyDatabase(t);
  write('0001_first.sql', FIRST);
  await refuseConnections();
  const lines: { msg: string; reason?: string }[] = [];
  const telling = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
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
