import { createHash } from 'node:crypto';
import pg from 'pg';
import { OutcomeUnknownError, unavailable } from './errors.ts';
import type { Logger } from './log.ts';

export type Row = Record<string, unknown>;

/** Runs statements of one connection; rows come back as plain objects with the names of the SELECT list. */
export type Statements = { query<R extends Row>(sql: string, values: readonly unknown[]): Promise<R[]> };

/** One PostgreSQL database behind a pool. */
export type Database = {
  /** For statements that change nothing: any failure of the connection is SERVICE_UNAVAILABLE. */
  readonly read: Statements['query'];
  /** For one statement that changes something: throws OutcomeUnknownError where it may or may not have been carried out. */
  readonly write: Statements['query'];
  /** Commits what `work` did, or nothing where it throws. The same errors as `write`. */
  transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 5_000;

/** A date is a day, not an instant: it stays the text YYYY-MM-DD. */
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

export function openDatabase(url: string, logger: Logger): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    keepAlive: true,
  });
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection was lost'));
  return {
    read: (sql, values) => onConnection(pool, (client) => run(client, sql, values), unavailableIfLost),
    write: (sql, values) => onConnection(pool, (client) => run(client, sql, values), unknownIfLost),
    transaction: (work) => onConnection(pool, (client) => inTransaction(client, work), unknownIfLost),
    close: () => pool.end(),
  };
}

type Verdict = (error: unknown) => unknown;

async function onConnection<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  verdict: Verdict,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unavailable(error);
  });
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(isConnectionLoss(error));
    throw verdict(error);
  }
}

async function inTransaction<T>(client: pg.PoolClient, work: (statements: Statements) => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work({ query: (sql, values) => run(client, sql, values) });
    await client.query('COMMIT');
    return result;
  } catch (error) {
    if (!isConnectionLoss(error)) await client.query('ROLLBACK');
    throw error;
  }
}

async function run<R extends Row>(client: pg.PoolClient, sql: string, values: readonly unknown[]): Promise<R[]> {
  const result = await client.query<R>({ name: statementName(sql), text: sql, values: [...values] });
  return result.rows;
}

const names = new Map<string, string>();

/** A short name by which each connection keeps the parsed and planned statement. */
function statementName(sql: string): string {
  const known = names.get(sql);
  if (known) return known;
  const name = createHash('sha256').update(sql).digest('base64url').slice(0, 22);
  names.set(sql, name);
  return name;
}

function unavailableIfLost(error: unknown): unknown {
  return isConnectionLoss(error) || isRefusal(error) ? unavailable(error) : error;
}

function unknownIfLost(error: unknown): unknown {
  if (isConnectionLoss(error)) return new OutcomeUnknownError(error);
  return isRefusal(error) ? unavailable(error) : error;
}

/** The server ended the session, or nothing was heard of it: whether the statement took effect is not known. */
function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return error.severity === 'FATAL' || error.severity === 'PANIC';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isSocketError = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET)/.test(code);
  return (
    isSocketError ||
    /Connection terminated|Query read timeout|Client has encountered a connection error/.test(error.message)
  );
}

/** The server is there and aborted the statement: out of resources, shutting down, or past the statement timeout. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(53|57|58|08|25006)/.test(error.code ?? '');
}
