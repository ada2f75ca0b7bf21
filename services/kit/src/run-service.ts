import { inspect } from 'node:util';
import { ConfigError } from './config.ts';
import type { Environment } from './config.ts';

/** A started service. `stop` finishes what is under way, then frees everything. */
export type RunningService = { stop(): Promise<void> };

type Start = (environment: Environment) => Promise<RunningService>;

/** Longer than the ten seconds that listeners give requests under way, shorter than what those wait who stop us. */
const STOP_TIMEOUT_MS = 13_000;
/** EX_CONFIG of sysexits.h. */
const BAD_CONFIG = 78;

/**
 * The life of a service process: start, then stop on the first SIGTERM or SIGINT, even one that came while starting;
 * later ones change nothing. Problems of the configuration are printed a line each and end the process with status 78;
 * any other failure to start or stop is printed with its causes and ends it with 1.
 */
export async function runService(process: NodeJS.Process, start: Start): Promise<void> {
  const signal = firstSignal(process);
  void signal.then(() => endAfter(STOP_TIMEOUT_MS, process));
  try {
    const service = await start(process.env);
    void signal.then(() => stop(service, process));
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.problems.map((problem) => `config: ${problem}`).join('\n')}\n`);
      process.exit(BAD_CONFIG);
    }
    fail(process, `cannot start: ${inspect(error)}`);
  }
}

/** The listeners stay: without one, a second signal would end the process at once and cut off what is under way. */
function firstSignal(process: NodeJS.Process): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('SIGINT', () => resolve());
  });
}

function endAfter(timeoutMs: number, process: NodeJS.Process): void {
  setTimeout(() => fail(process, `not stopped after ${timeoutMs} ms`), timeoutMs);
}

async function stop(service: RunningService, process: NodeJS.Process): Promise<void> {
  try {
    await service.stop();
    process.exit(0);
  } catch (error) {
    fail(process, `cannot stop: ${inspect(error)}`);
  }
}

function fail(process: NodeJS.Process, reason: string): void {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
