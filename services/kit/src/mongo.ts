import { MongoClient, MongoError, MongoErrorLabel, MongoNetworkError, MongoServerSelectionError } from 'mongodb';
import type { Db, MongoClientOptions } from 'mongodb';
import { endsWithin } from './ends-within.ts';
import { OutcomeUnknownError, unavailable } from './errors.ts';
import type { Dependency } from './health.ts';
import type { Logger } from './log.ts';
import { observeMongo } from './mongo-telemetry.ts';
import { STOP_MS } from './stop-times.ts';

/** Does work with the database that the address names. */
type Run = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** One MongoDB database behind a pool. */
export type MongoDatabase = {
  /** For work that changes nothing: any failure of the connection is SERVICE_UNAVAILABLE. */
  readonly read: Run;
  /** For one operation that changes something: throws OutcomeUnknownError where all or part of it may have been done. */
  readonly write: Run;
  /** Lets work under way finish for two seconds. */
  close(): Promise<void>;
};

const USUAL_POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 2_000;
const OPERATION_TIMEOUT_MS = 5_000;
/** Less than stopping may take after all the rest. */

/** For every operation, so that the server stops what nobody waits for any more. */
export const OPERATION_LIMIT = { maxTimeMS: OPERATION_TIMEOUT_MS } as const;

const CONNECTING = {
  serverSelectionTimeoutMS: CONNECT_TIMEOUT_MS,
  connectTimeoutMS: CONNECT_TIMEOUT_MS,
  // What was answered as stored outlives the server that stored it.
  writeConcern: { w: 'majority' },
} satisfies MongoClientOptions;

const POOLED = {
  ...CONNECTING,
  waitQueueTimeoutMS: CONNECT_TIMEOUT_MS,
  socketTimeoutMS: OPERATION_TIMEOUT_MS,
  // After a second attempt the driver may report that no server was found, as if the first had not been made.
  retryWrites: false,
  // What operations are called in traces and metrics comes from these events, and nothing else of them.
  monitorCommands: true,
} satisfies MongoClientOptions;

/** Whether an address is one of MongoDB. */
export function isMongoUrl(url: string): boolean {
  return /^mongodb(?:\+srv)?:/.test(url);
}

/** Over at most `poolSize` connections to each server, ten where it is not said otherwise. */
export function openMongo(
  url: string,
  logger: Logger,
  { poolSize = USUAL_POOL_SIZE }: { readonly poolSize?: number } = {},
): MongoDatabase {
  const client = new MongoClient(url, { ...POOLED, maxPoolSize: poolSize });
  const stopTelling = observeMongo(client, { poolSize });
  client.on('serverDescriptionChanged', ({ address, previousDescription: was, newDescription: is }) => {
    if (was.type === 'Unknown' || is.type !== 'Unknown') return;
    logger.warn({ server: address, reason: is.error?.message }, 'a MongoDB server was lost');
  });
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;

  async function run<T>(work: (db: Db) => Promise<T>, explain: (error: unknown) => unknown): Promise<T> {
    if (isClosed) throw unavailable(new Error('the database was closed'));
    // Kept to its own end, which comes later than that of a caller who no longer waits for it.
    const working = connectAndDo(client, work);
    const forget = () => underWay.delete(working);
    underWay.add(working);
    working.then(forget, forget);
    try {
      return await withinTime(working);
    } catch (error) {
      throw explain(error);
    }
  }
  return {
    read: (work) => run(work, withNothingStored),
    write: (work) => run(work, withFateOpen),
    async close() {
      isClosed = true;
      const closed = Promise.allSettled(underWay).then(() => client.close());
      // Where the server is silent its sessions end without a farewell, with the process at the latest.
      if (!(await endsWithin(STOP_MS.databases, closed))) client.close().catch(() => {});
      stopTelling();
    },
  };
}

const LOOK_EVERY_MS = 2_000;

/** A service's own database: well where it answers. */
export function mongoDependency(database: Pick<MongoDatabase, 'read'>): Dependency {
  return {
    name: 'mongodb',
    isVital: true,
    everyMs: LOOK_EVERY_MS,
    check: () => database.read(async (db) => void (await db.command({ ping: 1 }))),
  };
}

/** Work of any length on a connection of its own, closed when the work is over. */
export async function withMongo<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const client = new MongoClient(url, CONNECTING);
  try {
    return await work(client.db());
  } finally {
    await client.close();
  }
}

/** Rejects where the database is away, or has not let us in. */
export function pingMongo(url: string): Promise<void> {
  return withinTime(withMongo(url, async (db) => void (await db.command({ ping: 1 }))));
}

/** Whether a failure is none of a server that is away, and so the same whenever we come again: a wrong password, such an address. */
export function isMongoRefusal(error: unknown): boolean {
  const isAway = error instanceof MongoServerSelectionError || isConnectionLoss(error) || isRefusal(error);
  return error instanceof MongoError && !isAway;
}

/** Left to connect by itself, the driver never tries again after a first attempt that found no server. */
async function connectAndDo<T>(client: MongoClient, work: (db: Db) => Promise<T>): Promise<T> {
  await client.connect().catch((error: unknown) => {
    throw unavailable(error);
  });
  return work(client.db());
}

/** What the driver spends on finding a server, waiting for a connection and trying again counts together. */
async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError()), OPERATION_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

class LateError extends Error {
  constructor() {
    super(`MongoDB did not answer within ${OPERATION_TIMEOUT_MS} ms`);
    this.name = 'LateError';
  }
}

/** For a failure that cannot have left anything behind. */
function withNothingStored(error: unknown): unknown {
  return wasNeverSent(error) || isConnectionLoss(error) || isRefusal(error) ? unavailable(error) : error;
}

/** For a failure of what takes effect by itself, and piece by piece: a refusal may have come in the middle. */
function withFateOpen(error: unknown): unknown {
  if (wasNeverSent(error)) return unavailable(error);
  return isConnectionLoss(error) || isRefusal(error) ? new OutcomeUnknownError(error) : error;
}

/** No server was found, or none that lets us in, or no connection was to be had. */
function wasNeverSent(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  const isWithoutConnection = /^Mongo(?:WaitQueueTimeout|PoolCleared)Error$/.test(error.name);
  const isWithoutServer = error instanceof MongoServerSelectionError;
  return isWithoutServer || isWithoutConnection || error.hasErrorLabel(MongoErrorLabel.HandshakeError);
}

function isConnectionLoss(error: unknown): boolean {
  return error instanceof MongoNetworkError || error instanceof LateError;
}

/**
 * Codes with which a server that is there gives up: it cannot reach another (6, 7, 89, 133, 9001), ran out of time (50,
 * 64, 262), is going down or no longer the one that writes (91, 189, 10058, 10107, 11600, 11602, 13435, 13436).
 */
const REFUSALS = new Set([6, 7, 50, 64, 89, 91, 133, 189, 262, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436]);

function isRefusal(error: unknown): boolean {
  return error instanceof MongoError && typeof error.code === 'number' && REFUSALS.has(error.code);
}
