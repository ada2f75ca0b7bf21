import pg from 'pg';
import { pino } from 'pino';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { until } from '../../../tests/support/until.ts';
import { openDatabase } from './postgres.ts';
import type { Statements } from './postgres.ts';

export const INSERT = 'INSERT INTO notes (id, text) VALUES ($1, $2) RETURNING id';
export const SLEEP = 'SELECT pg_sleep($1)';

/** More than anything that is waited for takes. */
export const SECONDS = 3_000;

const OTHERS_RUNNING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
  AND state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%' || $1 || '%'`;

/** A database of its own with a table of notes, and `behind`: a second way in, for what happens behind the pool's back. */
export async function openScene() {
  const server = await createTestDatabase();
  const behind = new pg.Client({ connectionString: server.url });
  await behind.connect();
  await behind.query('CREATE TABLE notes (id integer PRIMARY KEY, text text NOT NULL, day date)');
  const logged: Array<{ level: number; msg: string }> = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const database = openDatabase(server.url, logger);
  let lastId = 0;

  async function untilRunning(part: string): Promise<void> {
    await until(async () => (await behind.query(OTHERS_RUNNING, [part])).rowCount === 1, SECONDS);
  }
  return {
    url: server.url,
    behind,
    logger,
    logged,
    database,
    nextId: () => (lastId += 1),
    exists: async (id: number) => (await behind.query('SELECT 1 FROM notes WHERE id = $1', [id])).rowCount === 1,
    /** Until one connection of the pool, and only one, is running a statement that contains `part`. */
    untilRunning,
    endBackendRunning: async (part: string) => {
      await untilRunning(part);
      await behind.query(`SELECT pg_terminate_backend(pid) FROM (${OTHERS_RUNNING}) AS others`, [part]);
    },
    /** Ends the session that `query` runs in, and does not wait until that has been noticed. */
    endBackendOf: async (query: Statements['query']) => {
      const [row] = await query<{ pid: number }>('SELECT pg_backend_pid() AS pid', []);
      await behind.query('SELECT pg_terminate_backend($1)', [row?.pid]);
    },
    close: async () => {
      await database.close();
      await behind.end();
      await server.drop();
    },
  };
}
