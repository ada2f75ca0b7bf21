import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { createLogger } from '@pfq/kit/log';
import { openDatabase } from '@pfq/kit/postgres';
import type { Database } from '@pfq/kit/postgres';
import pg from 'pg';

export type TestDatabase = {
  /** Where the new, empty database is; the role may do everything in it. */
  readonly url: string;
  /** Ends every connection and lets none in, as if the server had stopped. */
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>;
};

/** An empty database of its own for one test file, on the server of TEST_POSTGRES_URL. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = process.env['TEST_POSTGRES_URL'];
  if (!server) throw new Error('TEST_POSTGRES_URL is not set: `npm test` starts a PostgreSQL and sets it');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const run = (statement: string) => runOnServer(server, statement);
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async refuseConnections() {
      await run(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
      await run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    },
    acceptConnections: () => run(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`),
    drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

export type OpenableDatabase = TestDatabase & {
  /** A new connection pool, closed after the test. */
  readonly open: () => Database;
};

/** An empty database of its own for one test, removed after it. */
export async function makeDatabase(t: TestContext): Promise<OpenableDatabase> {
  const made = await createTestDatabase();
  const opened: Database[] = [];
  t.after(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await made.drop();
  });
  return {
    ...made,
    open() {
      const database = openDatabase(made.url, createLogger({ service: 'test', level: 'error', format: 'json' }));
      opened.push(database);
      return database;
    },
  };
}

/** Moves the clock of a service's database, from which all of its SQL takes the time. */
export async function setTime(database: Database, now: string): Promise<void> {
  await database.write(
    `CREATE OR REPLACE FUNCTION pfq_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT timestamptz '${now}' $$`,
    [],
  );
}

async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
