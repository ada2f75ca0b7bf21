import { setTimeout as wait } from 'node:timers/promises';
import { ConfigError, readConfig } from './config.ts';
import type { Config, Settings } from './config.ts';
import type { Health, HealthState } from './health.ts';
import { waitedFor } from './health-wait.ts';
import { createLogger, written } from './log.ts';
import type { Logger } from './log.ts';
import { serveOperations } from './operations.ts';
import { processSettings } from './service-settings.ts';
import type { serviceSettings } from './service-settings.ts';
import { LONGEST_STOP_MS } from './stop-times.ts';
import { observe } from './telemetry/metrics.ts';
import { startTelemetry } from './telemetry/start.ts';
import type { Telemetry } from './telemetry/start.ts';

/** A started service. `stop` finishes what is under way, then frees everything. */
export type RunningService = { readonly health: Health; stop(): Promise<void> };

type Program<S extends Settings> = {
  /** Its name in logs, traces and metrics. */
  readonly service: string;
  readonly settings: S;
  readonly start: (config: Config<S>) => Promise<RunningService>;
};

type ServiceSettings = Pick<typeof serviceSettings, 'listenHost' | 'logLevel' | 'logFormat'>;

type ProcessConfig = Config<typeof processSettings>;
type StopConfig = Pick<ProcessConfig, 'shutdownDelayMs' | 'shutdownTimeoutMs'>;

/** What lasts as long as the process. */
type Life = { readonly process: NodeJS.Process; readonly logger: Logger; readonly telemetry: Telemetry };

/** EX_CONFIG of sysexits.h. */
const BAD_CONFIG = 78;

/**
 * The life of a service process: telemetry and probes, start, and on the first SIGTERM or SIGINT: not ready, a delay in which
 * that is noticed, stop, telemetry last; later signals change nothing. One that comes while starting ends it at once. Problems
 * of the configuration are printed a line each and end it with status 78; any other failure, and any bug, is logged and ends
 * it with 1.
 */
export async function runService<S extends Settings & ServiceSettings>(
  process: NodeJS.Process,
  { service, settings, start }: Program<S>,
): Promise<void> {
  const signal = firstSignal(process);
  const config = readSettings(process, settings);
  const { listenHost: host, logLevel, logFormat } = config as Config<ServiceSettings>;
  const { operationsPort: port, shutdownDelayMs, shutdownTimeoutMs }: ProcessConfig = config;
  const logger = createLogger({ service, level: logLevel, format: logFormat });
  const telemetry = startTelemetry({ service, config, logger });
  const life: Life = { process, logger, telemetry };
  process.on('uncaughtException', (error) => void fail(life, error, 'a bug ends the process'));
  void signal.then(() => endAfter(shutdownTimeoutMs, life));
  let running: RunningService | null = null;
  // Told from the first moment on; then by the service itself.
  observe('pfq.ready', () => (running ? [] : [{ value: 0, attributes: {} }]));
  try {
    const report = () => running?.health.report() ?? { state: 'starting' as const, dependencies: waitedFor() };
    const operations = await serveOperations({ host, port, service, report, metricsPage: telemetry.metricsPage });
    logger.info({ operations_port: operations.port }, 'starting');
    tellTimeToStop({ shutdownDelayMs, shutdownTimeoutMs }, logger);
    running = await Promise.race([start(config), signal.then(() => null)]);
    if (running === null) {
      logger.info('told to stop while starting');
      return await end(life, 0);
    }
    if (telemetry.dependency) running.health.watch(telemetry.dependency);
    logger.info('started');
    tellReadiness(running.health, logger);
    await signal;
    running.health.beginDraining();
    logger.info({ delay_ms: shutdownDelayMs }, 'stopping');
    await wait(shutdownDelayMs);
    await running.stop();
    await operations.stop();
    logger.info('stopped');
    await end(life, 0);
  } catch (error) {
    await fail(life, error, running ? 'cannot stop' : 'cannot start');
  }
}

function readSettings<S extends Settings>(process: NodeJS.Process, settings: S): Config<S> & ProcessConfig {
  try {
    const config = readConfig({ ...settings, ...processSettings }, process.env) as Config<S> & ProcessConfig;
    const { shutdownDelayMs, shutdownTimeoutMs }: ProcessConfig = config;
    if (shutdownDelayMs >= shutdownTimeoutMs)
      throw new ConfigError(['SHUTDOWN_DELAY_MS must be less than SHUTDOWN_TIMEOUT_MS, which it is a part of']);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.problems.map((problem) => `config: ${problem}`).join('\n')}\n`);
    return process.exit(BAD_CONFIG);
  }
}

/** The listeners stay: without one, a second signal would end the process at once and cut off what is under way. */
function firstSignal(process: NodeJS.Process): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
}

/** When it becomes so; that it was told to stop is said by other lines. */
function tellReadiness(health: Health, logger: Logger): void {
  const tell = (state: HealthState) => {
    if (state === 'ready') logger.info('ready');
    if (state === 'unready') logger.warn('not ready');
  };
  tell(health.report().state);
  health.onChange(tell);
}

/** A stop rarely takes its longest, so this refuses nothing. */
function tellTimeToStop({ shutdownDelayMs, shutdownTimeoutMs }: StopConfig, logger: Logger): void {
  const needed = shutdownDelayMs + LONGEST_STOP_MS;
  if (shutdownTimeoutMs >= needed) return;
  const about = { shutdown_timeout_ms: shutdownTimeoutMs, longest_stop_ms: needed };
  logger.warn(
    about,
    'SHUTDOWN_TIMEOUT_MS may cut off work at a stop: raise it to longest_stop_ms or lower SHUTDOWN_DELAY_MS',
  );
}

function endAfter(timeoutMs: number, { process, logger }: Life): void {
  const cutOff = () => {
    logger.fatal({ timeout_ms: timeoutMs }, 'not stopped in time: what was left is cut off');
    process.exit(1);
  };
  setTimeout(cutOff, timeoutMs).unref();
}

async function fail(life: Life, error: unknown, message: string): Promise<void> {
  await written(life.logger);
  life.logger.fatal({ err: error }, message);
  await end(life, 1);
}

/** Telemetry goes last, so that it tells of all the rest. */
async function end({ process, logger, telemetry }: Life, code: number): Promise<void> {
  await telemetry.stop().catch((error: unknown) => logger.warn({ err: error }, 'telemetry was not sent to its end'));
  await written(logger);
  process.exit(code);
}
