import { ConfigError } from './config.ts';
import type { Environment } from './config.ts';

/** A started service. `stop` finishes what is under way, then frees everything. */
export type RunningService = { stop(): Promise<void> };

type Start = (environment: Environment) => Promise<RunningService>;

const STOP_TIMEOUT_MS = 20_000;

/**
 * The life of a service process: start, then stop on SIGTERM or SIGINT. Problems of the configuration are printed a
 * line each and end the process with status 78 (EX_CONFIG); any other failure to start with 1.
 */
export async function runService(process: NodeJS.Process, start: Start): Promise<void> {
  try {
    const service = await start(process.env);
    const stop = () => void stopWithin(service, process);
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  } catch (error) {
    if (error instanceof ConfigError) {
      process.stderr.write(`${error.problems.map((problem) => `config: ${problem}`).join('\n')}\n`);
      process.exit(78);
    }
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  }
}

async function stopWithin(service: RunningService, process: NodeJS.Process): Promise<void> {
  const timer = setTimeout(() => process.exit(1), STOP_TIMEOUT_MS);
  await service.stop();
  clearTimeout(timer);
  process.exit(0);
}
