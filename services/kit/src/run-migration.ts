import { setTimeout as wait } from 'node:timers/promises';
import { ConfigError, readConfig } from './config.ts';
import type { Config, Settings } from './config.ts';
import { reasonOf } from './health-reason.ts';
import { createLogger, written } from './log.ts';
import type { Logger } from './log.ts';
import { applyMigrations, connectOnce } from './migrate.ts';
import type { SchemaState } from './migrate.ts';
import { isLoginRefusal } from './postgres-failures.ts';
import type { Connection } from './postgres.ts';
import { grantRights, hasRights } from './schema-rights.ts';
import type { migrationSettings } from './schema-settings.ts';

type MigrationSettings = typeof migrationSettings;
type MigrationConfig = Config<MigrationSettings>;

type Program<S extends Settings> = {
  /** Whose schema it is: the name in the log. */
  readonly service: string;
  readonly settings: S;
  /** Rejects with what failed; with a ConfigError where only another configuration helps. */
  readonly migrate: (config: Config<S>, logger: Logger) => Promise<SchemaState>;
};

type Schema = {
  readonly dir: string;
  /** Tables from which the service removes rows; none where it is absent. */
  readonly removesFrom?: readonly string[];
  /** Brings the tables of the job queue up to date, where the service has one. */
  readonly migrateJobs?: (databaseUrl: string, logger: Logger) => Promise<void>;
  readonly logger: Logger;
};

/** EX_CONFIG of sysexits.h. */
const BAD_CONFIG = 78;
const LOOK_EVERY_MS = 500;
const TELL_EVERY_MS = 5_000;

/**
 * The life of a program that brings a schema up to date: it ends with 0 once that is so, or where it is that of a later release,
 * with 78 and a line for each problem of the configuration, and with 1 and one fatal line for anything else. A signal ends it with
 * 1, because it is not done: what it was about is undone by the database.
 */
export async function runMigration<S extends Settings & MigrationSettings>(
  process: NodeJS.Process,
  { service, settings, migrate }: Program<S>,
): Promise<void> {
  let logger: Logger | null = null;
  const fail = async (error: unknown, message: string) => {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.problems.map((problem) => `config: ${problem}`).join('\n')}\n`);
      return process.exit(BAD_CONFIG);
    }
    if (logger) await written(logger);
    logger?.fatal({ err: error }, message);
    if (logger) await written(logger);
    return process.exit(1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void fail(new Error(`${signal} came before the schema was up to date`), 'not migrated'));
  }
  process.on('uncaughtException', (error) => void fail(error, 'a bug ends the process'));
  try {
    const config = readConfig(settings, process.env);
    const { logLevel: level, logFormat: format } = config as MigrationConfig;
    logger = createLogger({ service, level, format });
    const state = await migrate(config, logger);
    if (state === 'current') logger.info('the schema is up to date');
    await written(logger);
    process.exit(0);
  } catch (error) {
    await fail(error, 'not migrated');
  }
}

/**
 * All of a service in PostgreSQL, under one lock: its tables, those of its job queue, and the rights of the role that it uses.
 * Tells whether they are those of a later release already: then nothing of them is changed, and nothing else is to be. Only a role
 * that has no rights at all gets them from an older release too: a restore leaves it so.
 */
export async function migrateDatabase(
  { databaseUrl, serviceRole: role, waitMs }: Pick<MigrationConfig, 'databaseUrl' | 'serviceRole' | 'waitMs'>,
  { dir, removesFrom = [], migrateJobs, logger }: Schema,
): Promise<SchemaState> {
  const connect = () => connectOnce(databaseUrl);
  await untilConnected(connect, { what: 'postgresql', isRefusal: isLoginRefusal, waitMs, logger });
  const finish = async (client: Connection, state: SchemaState) => {
    if (migrateJobs && state === 'current') await migrateJobs(databaseUrl, logger);
    if (role === null) return;
    if (state === 'current' || !(await hasRights(client, role)))
      await grantRights(client, { role, removesFrom, logger });
  };
  return applyMigrations({ databaseUrl, dir, finish, logger });
}

type Waiting = {
  readonly what: string;
  /** Whether it is there and will not have us, so that there is nothing to wait for. */
  readonly isRefusal: (error: unknown) => boolean;
  readonly waitMs: number;
  readonly logger: Pick<Logger, 'warn'>;
};

/**
 * Tries to connect until it succeeds, and says every few seconds what for. Throws an Error with the reason: of a refusal at once,
 * of anything else once the time is over.
 */
export async function untilConnected(
  connect: () => Promise<void>,
  { what, isRefusal, waitMs, logger }: Waiting,
): Promise<void> {
  const startedMs = performance.now();
  let toldMs = -Infinity;
  for (;;) {
    const failure = await connect().then(
      () => null,
      (error: unknown) => ({ error, reason: reasonOf(error) }),
    );
    if (failure === null) return;
    const { error, reason } = failure;
    if (isRefusal(error)) throw new Error(`no connection to ${what}: ${reason}`);
    const waitedMs = performance.now() - startedMs;
    if (waitedMs >= waitMs) throw new Error(`no connection to ${what} within ${waitMs / 1_000} s: ${reason}`);
    if (performance.now() - toldMs >= TELL_EVERY_MS) {
      logger.warn({ dependency: what, reason, waited_s: Math.round(waitedMs / 1_000) }, 'waiting for a dependency');
      toldMs = performance.now();
    }
    await wait(LOOK_EVERY_MS);
  }
}

/** A step that is not waited for. Where it fails, throws an Error that says what is not done, with the reason as its cause. */
export async function doStep(undone: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    throw new Error(undone, { cause: error });
  }
}
