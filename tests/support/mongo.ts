import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { createLogger } from '@pfq/kit/log';
import { openMongo, withMongo } from '@pfq/kit/mongo';
import type { MongoDatabase } from '@pfq/kit/mongo';
import { openRelay } from './relay.ts';
import type { Switches } from './relay.ts';

const SERVER = process.env['MONGODB_URL'];
const DEFAULT_PORT = 27_017;

/** Why suites that need MongoDB are skipped; false where there is one. */
export const WITHOUT_MONGO = SERVER ? false : 'MONGODB_URL is not set';

export type TestMongo = Switches & {
  /** Where the new, empty database is, by way of a relay that can cut the connection. */
  readonly url: string;
  /** A new connection pool, closed after the test. */
  readonly open: () => MongoDatabase;
  /** The same past the relay, for a look at what happened. */
  readonly openBehind: () => MongoDatabase;
};

/** An empty database of its own for one test on the server of MONGODB_URL, removed after it. */
export async function makeMongo(t: TestContext): Promise<TestMongo> {
  if (!SERVER) throw new Error('MONGODB_URL is not set: skip what needs it where WITHOUT_MONGO says so');
  const target = new URL(SERVER);
  const relay = await openRelay({ host: target.hostname, port: Number(target.port || DEFAULT_PORT) });
  target.pathname = `/test_${randomBytes(8).toString('hex')}`;
  const url = new URL(target);
  url.host = `127.0.0.1:${relay.port}`;
  url.searchParams.set('directConnection', 'true');
  const opened: MongoDatabase[] = [];
  const open = ({ href }: URL) => {
    const database = openMongo(href, createLogger({ service: 'test', level: 'error', format: 'json' }));
    opened.push(database);
    return database;
  };
  t.after(async () => {
    relay.acceptConnections();
    await Promise.all(opened.map((database) => database.close()));
    await withMongo(target.href, (db) => db.dropDatabase());
    relay.close();
  });
  return { ...relay, url: url.href, open: () => open(url), openBehind: () => open(target) };
}
