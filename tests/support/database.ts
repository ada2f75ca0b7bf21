import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import type { TestContext } from 'node:test';
import { createLogger } from '@pfq/kit/log';
import { openDatabase } from '@pfq/kit/postgres';
import type { Database } from '@pfq/kit/postgres';
import pg from 'pg';

export type TestDatabase = {
  readonly name: string;
  /** Where the new database is; the role may do everything in it. */
  readonly url: string;
  /** Ends every connection and lets none in, as if the server had stopped. */
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>;
};

/** Of what a new database is a copy: an empty one, or another of ours to which nobody is connected. */
type Origin = { readonly copyOf?: Pick<TestDatabase, 'name'> };

/** A database of its own for one test file, on the server of TEST_POSTGRES_URL. */
export async function createTestDatabase({ copyOf = { name: 'template1' } }: Origin = {}): Promise<TestDatabase> {
  const server = process.env['TEST_POSTGRES_URL'];
  if (!server) throw new Error('TEST_POSTGRES_URL is not set: `npm test` starts a PostgreSQL and sets it');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const run = (statement: string) => runOnServer(server, statement);
  // A copy of the files takes a fraction of the time that writing it all to the log first does.
  await run(`CREATE DATABASE ${name} TEMPLATE ${copyOf.name} STRATEGY file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    name,
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

/** A database of its own for one test, removed after it, and after all that the test stops. */
export async function makeDatabase(t: TestContext, origin: Origin = {}): Promise<OpenableDatabase> {
  const made = await createTestDatabase(origin);
  const opened: Database[] = [];
  const remove = async () => {
    await Promise.all(opened.map((database) => database.close()));
    await made.drop();
  };
  // Hooks run in the order in which they were registered, so this one goes to the end once it is its turn.
  t.after(() => t.after(remove));
  return {
    ...made,
    open() {
      const database = openDatabase(made.url, createLogger({ service: 'test', level: 'error', format: 'json' }));
      opened.push(database);
      return database;
    },
  };
}

/**
 * Gives each test of a file a database as `makeDatabase` does, but as a copy of one that is prepared once, before the first:
 * migrations take far longer than a copy.
 */
export function databasesPreparedBy(prepare: (url: string) => Promise<void>) {
  let prepared: Promise<TestDatabase> | undefined;
  after(async () => (await prepared)?.drop());
  const prepareOnce = async () => {
    const made = await createTestDatabase();
    await prepare(made.url);
    return made;
  };
  return async (t: TestContext): Promise<OpenableDatabase> =>
    makeDatabase(t, { copyOf: await (prepared ??= prepareOnce()) });
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
