import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from './postgres.ts';
import type { PoolConnection } from './postgres.ts';

const RECONNECT_MS = 500;

type ConnectCallback = Parameters<Pool['connect']>[0];

/** The connections of a job queue's workers, which want them as a pool of the driver. */
export class WorkerPool extends Pool {
  /** Whoever asks for a connection while the database is away waits: a job that has ended can then be recorded as done. */
  isPatient = false;

  override connect(): Promise<PoolConnection>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolConnection> | void {
    return callback ? super.connect(callback) : this.#connect();
  }

  async #connect(): Promise<PoolConnection> {
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
