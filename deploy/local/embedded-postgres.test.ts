import { createLogger } from '@pfq/kit/log';
import { openDatabase } from '@pfq/kit/postgres';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createServiceDatabases } from './databases.ts';
import { startPostgres, type Postgres } from './embedded-postgres.ts';
import { findFreePort } from './ports.ts';
import { identifyProcess, waitUntil } from './processes.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'pfq-postgres-'));
const pidFile = path.join(dataDir, 'cluster/postmaster.pid');
const logger = createLogger({ service: 'test', level: 'fatal', format: 'json' });
let port: number;
let postgres: Postgres;

before(async () => {
  port = await findFreePort();
  postgres = await start();
});
after(async () => {
  await postgres.stop();
  rmSync(dataDir, { recursive: true });
});

test('text is UTF-8 and sorts by code point, on every machine alike', async () => {
  const sql = `SELECT current_setting('server_encoding') AS encoding, 'a' > 'Z' AS by_code_point, upper('é') AS upper`;
  assert.deepEqual(await ask(postgres.url('postgres'), sql), [{ encoding: 'UTF8', by_code_point: true, upper: 'É' }]);
});

test('the password is readable to this account alone, and nobody gets in without it', async () => {
  assert.equal(statSync(path.join(dataDir, 'password')).mode & 0o777, 0o600);
  const url = new URL(postgres.url('postgres'));
  url.password = 'guess';
  await assert.rejects(ask(url.href, 'SELECT 1'));
});

test("a service's role owns its own database and reaches no other", async () => {
  await createServiceDatabases(postgres, ['one', 'two']);
  await createServiceDatabases(postgres, ['one', 'two']);
  assert.deepEqual(await ask(postgres.url('one', 'one'), 'CREATE TABLE t (x int)'), []);
  await assert.rejects(ask(postgres.url('two', 'one'), 'SELECT 1'));
  await assert.rejects(ask(postgres.url('postgres', 'one'), 'CREATE DATABASE three'));
});

test('after it was killed, it starts on the same port with everything that was committed', async () => {
  await ask(postgres.url('postgres'), 'CREATE TABLE kept AS SELECT 42 AS answer');
  process.kill(postgres.pid, 'SIGKILL');
  assert.equal(await postgres.ended, 'signal SIGKILL');
  postgres = await start();
  assert.deepEqual(await ask(postgres.url('postgres'), 'SELECT answer FROM kept'), [{ answer: 42 }]);
});

test('a stop is bounded though clients are still connected', async () => {
  const database = openDatabase(postgres.url('postgres'), logger);
  await database.read('SELECT 1', []);
  await postgres.stop();
  assert.equal(await postgres.ended, 'exit code 0');
  await database.close();
  postgres = await start();
});

test('a pid file that names some other process is no obstacle, and that process is left alone', async () => {
  await postgres.stop();
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  writeFileSync(pidFile, `${other.pid}\n${path.join(dataDir, 'cluster')}\n`);
  postgres = await start();
  assert.equal(other.exitCode ?? other.signalCode, null);
  other.kill('SIGKILL');
});

test('a server whose owner was killed ends by itself', async () => {
  await postgres.stop();
  const owner = spawn(process.execPath, ['--input-type=module-typescript', '-e', ownerScript()]);
  assert.ok(await waitUntil(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').includes('ready'), 10_000));
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  owner.kill('SIGKILL');
  assert.ok(await waitUntil(() => identifyProcess(pid) === null, 10_000));
  postgres = await start();
});

test('a server that was left running is replaced by the next start', async () => {
  const { pid } = postgres;
  postgres = await start();
  assert.notEqual(postgres.pid, pid);
  assert.equal(identifyProcess(pid), null);
});

test('a server that cannot start says why in one line', async () => {
  await postgres.stop();
  const settings = { no_such_setting: '1' };
  await assert.rejects(startPostgres({ dataDir, port, log: () => {}, settings }), {
    name: 'Problem',
    message: /^PostgreSQL did not start on port \d+: .*no_such_setting/,
  });
  postgres = await start();
});

test('a cluster that cannot be created says why in one line', async () => {
  const other = mkdtempSync(path.join(dataDir, 'other-'));
  writeFileSync(path.join(other, 'password'), '');
  await assert.rejects(startPostgres({ dataDir: other, port, log: () => {} }), {
    name: 'Problem',
    message: /^PostgreSQL could not create its data in .*: initdb: error: password file .* is empty$/,
  });
});

function start(): Promise<Postgres> {
  return startPostgres({ dataDir, port, log: () => {}, settings: { fsync: 'off' } });
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const database = openDatabase(url, logger);
  try {
    return await database.write(sql, []);
  } finally {
    await database.close();
  }
}

function ownerScript(): string {
  const module = path.join(import.meta.dirname, 'embedded-postgres.ts');
  return `
    import { startPostgres } from ${JSON.stringify(module)};
    await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, port: ${port}, log: () => {} });
    setInterval(() => {}, 1000);`;
}
