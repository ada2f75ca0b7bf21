import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { endsWithin } from './ends-within.ts';
import { unavailable } from './errors.ts';
import type { Logger } from './log.ts';
import { isConnectionLoss, isStandby, withFateOpen, withNothingStored } from './postgres-failures.ts';
import { statementName } from './postgres-statement-name.ts';
import { observePool, placeOf, tracedStatement, tracedWait } from './postgres-telemetry.ts';
import type { Place } from './postgres-telemetry.ts';
import { STOP_MS } from './stop-times.ts';

export type Row = Record<string, unknown>;

/** Runs statements of one connection; rows come back as plain objects with the names of the SELECT list. */
export type Statements = { readonly query: <R extends Row>(sql: string, values: readonly unknown[]) => Promise<R[]> };

/** One PostgreSQL database behind a pool. */
export type Database = {
  /** For statements that change nothing: any failure of the connection is SERVICE_UNAVAILABLE. */
  readonly read: Statements['query'];
  /** For one statement that changes something: throws OutcomeUnknownError where it may or may not have been carried out. */
  readonly write: Statements['query'];
  /** Commits what `work` did, or nothing where it throws. Throws OutcomeUnknownError only once COMMIT was sent. */
  transaction<T>(work: (statements: Statements) => Promise<T>): Promise<T>;
  /** Lets statements under way finish for two seconds, then drops their connections. */
  close(): Promise<void>;
};

type Source = { readonly pool: pg.Pool; readonly place: Place; readonly logger: Logger };
type Session = Omit<Source, 'pool'> & { readonly client: pg.PoolClient; isLost: boolean };

/** The name of its connections in metrics. */
const POOL = 'requests';
const USUAL_POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 2_000;
/** A connection is made in many turns of the event loop, which a busy process has few of: so some are kept for a burst. */
const LEAST_KEPT = 2;
const IDLE_MS = 60_000;
const STATEMENT_TIMEOUT_MS = 5_000;
/**
 * Of a connection on which every statement is a quick one. Longer than the server's own limit, so that a statement past its
 * time is as a rule undone by the server, which then says so.
 */
export const QUICK_STATEMENTS = { answerMs: STATEMENT_TIMEOUT_MS + 1_000 };
const FAREWELL_MS = 1_000;
const KEEPALIVE_AFTER_MS = 4_000;
/** A host that is gone without a word is noticed by PostgreSQL after ten seconds, not after its two hours. */
const NOTICE_SOON = 'SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3';
/** Longer than a statement of ours takes, and less than stopping may take after all the rest. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** A date is a day, not an instant: it stays the text YYYY-MM-DD. */
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

/** Of at most `poolSize` connections, ten where it is not said otherwise. */
export function openDatabase(
  url: string,
  logger: Logger,
  { poolSize = USUAL_POOL_SIZE }: { readonly poolSize?: number } = {},
): Database {
  const pool = new Pool(url, { size: poolSize, idleInTransactionMs: IDLE_IN_TRANSACTION_TIMEOUT_MS, logger });
  const forget = observePool(pool, POOL);
  const source = { pool, place: placeOf(url), logger };
  return {
    read: (sql, values) => withSession(source, (session) => read(session, sql, values)),
    write: (sql, values) => withSession(source, (session) => write(session, sql, values)),
    transaction: (work) => withSession(source, (session) => inTransaction(session, work)),
    async close() {
      forget();
      await pool.close();
    },
  };
}

type PoolOptions = { readonly size: number; readonly idleInTransactionMs?: number; readonly logger: Logger };

/** Connections for quick statements, whose losses are logged and whose end does not wait for a server that is silent. */
export class Pool extends pg.Pool {
  readonly #sockets: Set<Socket>;

  constructor(url: string, { size, idleInTransactionMs, logger }: PoolOptions) {
    const sockets = new Set<Socket>();
    super({
      connectionString: url,
      max: size,
      min: Math.min(LEAST_KEPT, size),
      idleTimeoutMillis: IDLE_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: QUICK_STATEMENTS.answerMs,
      ...(idleInTransactionMs !== undefined && { idle_in_transaction_session_timeout: idleInTransactionMs }),
      keepAlive: true,
      stream: () => openSocket(sockets),
    });
    this.#sockets = sockets;
    logLosses(this, logger);
  }

  /** Lets statements under way finish for two seconds, then drops their connections. */
  async close(): Promise<void> {
    if (await endsWithin(STOP_MS.databases, this.end())) return;
    for (const socket of this.#sockets) socket.destroy();
  }
}

function openSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  return socket.once('close', () => sockets.delete(socket));
}

/**
 * The driver hangs the whole connection on these errors, so only their text is logged. Where nobody listens, they end the
 * process: the pool listens for connections that are idle, and nobody for one between two statements.
 */
function logLosses(pool: pg.Pool, logger: Logger): void {
  pool.on('error', ({ message }) => logger.warn({ reason: message }, 'an idle database connection was lost'));
  pool.on('connect', (client) => {
    client.on('error', ({ message }) => logger.debug({ reason: message }, 'a database connection was lost'));
  });
}

export type Connection = pg.ClientBase;
export type PoolConnection = pg.PoolClient;

type Limits = {
  /** A statement that is not answered within this time fails; where it is absent it may take as long as it likes. */
  readonly answerMs?: number;
};

/**
 * Work on one connection of its own, closed when the work is over. Either end notices soon that the other is gone without a
 * word.
 */
export async function withConnection<T>(
  url: string,
  work: (client: Connection) => Promise<T>,
  limits: Limits = {},
): Promise<T> {
  const connection = makeClient(url, limits);
  try {
    await connection.connect();
    return await work(connection.client);
  } finally {
    await connection.end();
  }
}

/** A connection of its own; `drop` ends it without a farewell. */
export function makeClient(url: string, { answerMs }: Limits) {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: url,
    stream: () => socket,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS,
  });
  // The statement under way fails with it; between statements the next one does.
  client.on('error', () => {});
  return {
    client,
    async connect() {
      await client.connect();
      await client.query(NOTICE_SOON);
    },
    drop: () => void socket.destroy(),
    /** Where nobody hears the farewell, it is not waited for. */
    async end() {
      await Promise.race([client.end().catch(() => {}), wait(FAREWELL_MS, undefined, { ref: false })]);
      socket.destroy();
    },
  };
}

/** Statements on such a connection to `url`, as parts of what is going on. */
export function statementsOn(client: Connection, url: string): Statements {
  const place = placeOf(url);
  return {
    query: async <R extends Row>(sql: string, values: readonly unknown[]) => {
      const { rows } = await tracedStatement(place, sql, () => client.query<R>(sql, [...values]));
      return rows;
    },
  };
}

/** A connection that was lost is thrown away; any other goes back into the pool. */
async function withSession<T>({ pool, place, logger }: Source, work: (session: Session) => Promise<T>): Promise<T> {
  const client = await tracedWait(pool, { name: POOL, take: () => pool.connect() }).catch((error: unknown) => {
    throw unavailable(error);
  });
  const session: Session = { client, place, logger, isLost: false };
  try {
    return await work(session);
  } finally {
    client.release(session.isLost);
  }
}

async function read<R extends Row>(session: Session, sql: string, values: readonly unknown[]): Promise<R[]> {
  try {
    return await run<R>(session, sql, values);
  } catch (error) {
    throw withNothingStored(error);
  }
}

async function write<R extends Row>(session: Session, sql: string, values: readonly unknown[]): Promise<R[]> {
  try {
    return await run<R>(session, sql, values);
  } catch (error) {
    throw withFateOpen(error);
  }
}

async function inTransaction<T>(session: Session, work: (statements: Statements) => Promise<T>): Promise<T> {
  let result: T;
  try {
    await control(session, 'BEGIN');
    result = await work({ query: (sql, values) => run(session, sql, values) });
  } catch (error) {
    await rollBack(session, error);
    throw withNothingStored(error);
  }
  try {
    const { command } = await control(session, 'COMMIT');
    // PostgreSQL answers COMMIT with ROLLBACK, and no error, where a statement had failed.
    if (command !== 'COMMIT') throw new Error('nothing was committed: the work went on after a failed statement');
    return result;
  } catch (error) {
    session.isLost = isConnectionLoss(error);
    throw withFateOpen(error);
  }
}

/** Where even that fails the connection is thrown away, and the server rolls back by itself. */
async function rollBack(session: Session, reason: unknown): Promise<void> {
  session.isLost ||= isConnectionLoss(reason);
  if (session.isLost) return;
  try {
    await control(session, 'ROLLBACK');
  } catch (error) {
    session.isLost = true;
    session.logger.warn({ err: error }, 'a transaction could not be rolled back, so its connection was closed');
  }
}

function control({ client, place }: Session, sql: 'BEGIN' | 'COMMIT' | 'ROLLBACK') {
  return tracedStatement(place, sql, () => client.query(sql));
}

async function run<R extends Row>(session: Session, sql: string, values: readonly unknown[]): Promise<R[]> {
  const { client, place } = session;
  const statement = { name: statementName(sql), text: sql, values: [...values] };
  try {
    const { rows } = await tracedStatement(place, sql, () => client.query<R>(statement));
    return rows;
  } catch (error) {
    session.isLost ||= isConnectionLoss(error) || isStandby(error);
    throw error;
  }
}
