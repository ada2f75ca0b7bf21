import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from './log.ts';

type ConnectCallback = Parameters<InstanceType<typeof pg.Pool>['connect']>[0];

const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 5_000;
const RECONNECT_MS = 500;

/** The connections of a queue's workers. */
export class WorkerPool extends pg.Pool {
  /** Whoever asks for a connection while the database is away waits: a job that has ended can then be recorded as done. */
  isPatient = false;

  constructor(databaseUrl: string, { size, logger }: { size: number; logger: Logger }) {
    super({
      connectionString: databaseUrl,
      max: size,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
      keepAlive: true,
    });
    // Where nobody listens, these errors end the process: of connections that are idle, and of those between statements.
    this.on('error', ({ message }) => logger.warn({ reason: message }, 'an idle connection of the job queue was lost'));
    this.on('connect', (client) => {
      client.on('error', ({ message }) => logger.debug({ reason: message }, 'a connection of the job queue was lost'));
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    return callback ? super.connect(callback) : this.#connect();
  }

  async #connect(): Promise<pg.PoolClient> {
    for (;;) {
      try {
        return await super.connect();
      } catch (error) {
        if (!this.isPatient) throw error;
      }
      await wait(RECONNECT_MS, undefined, { ref: false });
    }
  }
}
