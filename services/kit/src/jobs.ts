import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger as WorkerLogger, runMigrations, runTaskList } from 'graphile-worker';
import type { JobHelpers, TaskList, WorkerEvents, Task as WorkerTask } from 'graphile-worker';
import { attemptOf, keepPresence } from './jobs-presence.ts';
import type { Presence } from './jobs-presence.ts';
import { retryDelayMs } from './jobs-retry.ts';
import type { RetryBounds } from './jobs-retry.ts';
import { observeQueue } from './jobs-telemetry.ts';
import type { Logger } from './log.ts';
import { observePool, placeOf, tracedStatement } from './postgres-telemetry.ts';
import { WorkerPool } from './jobs-pool.ts';
import type { Row, Statements } from './postgres.ts';
import { count } from './telemetry/metrics.ts';
import { errorTypeOf, inSpan, SpanKind } from './telemetry/spans.ts';
import { JOBS_STOP_MS } from './stop-times.ts';

export type Job = {
  /** One of those that `startJobs` is given. */
  readonly task: string;
  /** For the task. Kept as JSON and readable by operators: ids, no personal data. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Within its task, for one payload: a job that waits already under this key is that job. */
  readonly key: string;
  /** 0 where it is absent. */
  readonly delayMs?: number;
  /** The trace that it is part of; one of its own where there is none. */
  readonly traceparent?: string | null;
  /** Where it does again what an earlier job did not get done: when that was first wanted. */
  readonly since?: Date;
};

/** Throwing puts the job back with a delay, for ever. `number` counts from 1. May run again although it succeeded. */
export type Task = (payload: unknown, attempt: { readonly number: number }) => Promise<void>;

type JobsOptions = {
  readonly databaseUrl: string;
  readonly tasks: Readonly<Record<string, Task>>;
  /** How many run at once in this process. */
  readonly concurrency: number;
  readonly retry: RetryBounds;
  readonly logger: Logger;
};

/** What is kept with a job. */
type Envelope = {
  readonly payload: Job['payload'];
  readonly failures: number;
  readonly traceparent?: string;
  /** When the job was first added, where it was added again: RFC 3339. */
  readonly since?: string | Date;
};

const POLL_MS = 2_000;
const CONNECT_PATIENCE_MS = 15_000;
const RESTART_MS = 1_000;
const WARN_AGAIN_MS = 60_000;
/** All that fits: an attempt that a killed process leaves unfinished counts, and no job is ever given up. */
const MOST_ATTEMPTS = 32_767;
const MOST_TRIES_TO_ADD = 10;
/** For the connection that listens, and for one that records what is done. */
const MORE_CONNECTIONS = 2;

/**
 * Makes the tables of the job queue or brings them up to date; several processes may do it at once. A database that is slow to
 * take its connection, as a busy one is, has some seconds for it.
 */
export async function migrateJobs(databaseUrl: string, logger: Logger): Promise<void> {
  const pgPool = new WorkerPool(databaseUrl, { size: 1, logger });
  pgPool.isPatient = true;
  const patience = setTimeout(() => (pgPool.isPatient = false), CONNECT_PATIENCE_MS);
  try {
    await runMigrations({ pgPool, logger: toWorkerLogger(logger) });
  } finally {
    clearTimeout(patience);
    await pgPool.close();
  }
}

/** By the unique key of jobs. */
const ADD = `
  SELECT id FROM graphile_worker.add_job($1::text, $2::json, run_at => now() + $3 * interval '1 millisecond',
    job_key => $4, max_attempts => ${MOST_ATTEMPTS})`;

/** Adds a job with the caller's transaction; it starts within milliseconds of the commit, or of its delay within seconds. */
export async function addJob(query: Statements['query'], job: Job): Promise<void> {
  const { task, payload, key, delayMs = 0, traceparent, since } = job;
  const envelope = { payload, failures: 0, ...(traceparent && { traceparent }), ...(since && { since }) };
  await add(query, { task, key: `${task}:${key}`, envelope, delayMs });
}

type Adding = {
  readonly task: string;
  readonly key: string | null;
  readonly envelope: Envelope;
  readonly delayMs: number;
};

/** A job of the same key that a worker takes at this very moment is neither replaced nor added to, and nothing comes back. */
async function add(query: Statements['query'], { task, key, envelope, delayMs }: Adding): Promise<void> {
  const values = [task, JSON.stringify(envelope), Math.round(delayMs), key];
  for (let tries = 0; tries < MOST_TRIES_TO_ADD; tries += 1) {
    const [job] = await query<{ id: string | null }>(ADD, values);
    if (job && job.id !== null) return;
  }
  throw new Error(`the job ${key} could not be added`);
}

/** Runs jobs until `stop`, which lets those under way finish for eight seconds and then leaves them to other processes. */
export async function startJobs(options: JobsOptions): Promise<{ stop(): Promise<void> }> {
  const { logger } = options;
  const stopping = new AbortController();
  const ended = keepRunning();
  const forget = observeQueue(options.databaseUrl, Object.keys(options.tasks));
  return {
    async stop() {
      forget();
      stopping.abort();
      const inTime = await Promise.race([ended.then(() => true), wait(JOBS_STOP_MS, false, { ref: false })]);
      if (!inTime) logger.warn('jobs were still under way after eight seconds and are left to other processes');
    },
  };

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await work(options, stopping.signal);
      } catch (error) {
        logger.error({ err: error }, 'the job queue stopped; it starts again');
      }
      if (!stopping.signal.aborted) await wait(RESTART_MS);
    }
  }
}

/** One life of the workers, until they fail or are stopped. */
async function work({ databaseUrl, concurrency, ...options }: JobsOptions, stopping: AbortSignal): Promise<void> {
  const { logger } = options;
  const pgPool = new WorkerPool(databaseUrl, { size: concurrency + MORE_CONNECTIONS, logger });
  const forget = observePool(pgPool, `jobs ${Object.keys(options.tasks).join(' ')}`);
  const events: WorkerEvents = new EventEmitter();
  const given = new Set<string>();
  const created = Promise.withResolvers<Presence>();
  events.once('pool:create', ({ workerPool }) => {
    created.resolve(keepPresence({ databaseUrl, workerId: workerPool.id, given, logger }));
  });
  events.on('job:start', ({ job }) => void given.add(attemptOf(job)));
  try {
    // Unlike the library's `run`, this leaves the tables as they are: `migrateJobs` alone changes them.
    const workers = runTaskList(
      {
        events,
        concurrency,
        pollInterval: POLL_MS,
        noHandleSignals: true,
        logger: toWorkerLogger(logger),
        // Asked before each look for a job: whoever cannot be seen takes none, because others would take it over.
        forbiddenFlags: async () => {
          await (await created.promise).seen();
          return [];
        },
        // Without a delay these statements are sent once, and where one fails its rejection ends the process.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      },
      toTaskList({ ...options, databaseUrl }),
      pgPool,
    );
    const presence = await created.promise;
    pgPool.isPatient = true;
    const stopped = abortOf(stopping).then(() => {
      pgPool.isPatient = false;
      presence.leave();
      return workers.gracefulShutdown();
    });
    try {
      await Promise.race([workers.promise, stopped]);
    } finally {
      await presence.end();
    }
  } finally {
    pgPool.isPatient = false;
    forget();
    await pgPool.close();
  }
}

type Running = Pick<JobsOptions, 'databaseUrl' | 'tasks' | 'retry' | 'logger'>;

function toTaskList({ tasks, ...running }: Running): TaskList {
  const entries = Object.entries(tasks).map(([name, task]): [string, WorkerTask] => [
    name,
    (given, helpers) => attempt(name, task, { envelope: given as Envelope, helpers, ...running }),
  ]);
  return Object.fromEntries(entries);
}

type Attempt = Omit<Running, 'tasks'> & { readonly envelope: Envelope; readonly helpers: JobHelpers };

/** Runs a job once, as part of its trace, and puts it back where it fails. */
function attempt(name: string, task: Task, { envelope, helpers, databaseUrl, retry, logger }: Attempt): Promise<void> {
  const { payload, failures, traceparent } = envelope;
  const { key, attempts, created_at: createdAt } = helpers.job;
  const number = failures + attempts;
  const attributes = { 'pfq.job.task': name, 'pfq.job.attempt': number };
  return inSpan(`process ${name}`, { kind: SpanKind.CONSUMER, attributes, parent: { traceparent } }, async (span) => {
    try {
      await task(payload, { number });
    } catch (error) {
      span.fail(errorTypeOf(error));
      count('pfq.jobs.failures', { 'pfq.job.task': name });
      const delayMs = retryDelayMs(number, { ...retry, random: Math.random() });
      const about = { task: name, key, attempt: number, retry_in_ms: Math.round(delayMs) };
      logger.warn({ err: error, ...about }, 'a job failed and is tried again');
      const again = { ...envelope, failures: number, since: envelope.since ?? createdAt };
      await add(queryOf(helpers, databaseUrl), { task: name, key, envelope: again, delayMs });
    }
  });
}

function queryOf(helpers: JobHelpers, databaseUrl: string): Statements['query'] {
  const place = placeOf(databaseUrl);
  return async <R extends Row>(sql: string, values: readonly unknown[]) => {
    const { rows } = await tracedStatement(place, sql, () => helpers.query<R>(sql, [...values]));
    return rows;
  };
}

/** At once where it is aborted already. */
function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * Its context is left out: it holds payloads. Its errors are all things that it tries again, several times a second while the
 * database is away, so each is a warning once a minute.
 */
function toWorkerLogger(logger: Logger): WorkerLogger {
  const warnedMs = new Map<string, number>();
  return new WorkerLogger(() => (level, reason) => {
    if (level !== 'error' && level !== 'warning') return logger.debug({ reason }, 'job queue');
    const problem = reason.replaceAll(/\d+/g, '#');
    const lastMs = warnedMs.get(problem);
    const isNews = lastMs === undefined || performance.now() - lastMs > WARN_AGAIN_MS;
    if (isNews) warnedMs.set(problem, performance.now());
    logger[isNews ? 'warn' : 'debug']({ reason }, 'the job queue had a problem');
  });
}
