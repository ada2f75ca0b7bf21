import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { describeError } from './log-error.ts';
import { prettyLines } from './log-pretty.ts';
import { redact } from './redact.ts';
import { currentIds } from './telemetry/spans.ts';

export type { Logger } from 'pino';

const LONGEST_WRITE_MS = 1_000;

type LogOptions = { readonly service: string; readonly level: string; readonly format: 'json' | 'pretty' };

/**
 * JSON lines on standard output, or lines for people where `format` is pretty, each with the trace it belongs to. Log an
 * error as `err`, with its causes, and the text of one as `reason`: both are redacted.
 */
export function createLogger({ service, level, format }: LogOptions): Logger {
  const options = {
    base: { service },
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => ({ ...currentIds() }),
    serializers: { err: describeError, reason: redactText },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  // Written beside everything else. Of a minimum of nothing nobody could tell when it is written.
  if (format === 'json') return pino(options, pino.destination({ sync: false, minLength: 1 }));
  return pino(options, prettyLines(pino.destination({ sync: true })));
}

/** Waits until every line is written, for a second at most: a fatal one overtakes those that wait, and an exit cuts them off. */
export async function written(logger: Logger): Promise<void> {
  const flushed = new Promise<void>((resolve) => {
    logger.flush(() => resolve());
  });
  await Promise.race([flushed, wait(LONGEST_WRITE_MS, undefined, { ref: false })]);
}

function redactText(reason: unknown): unknown {
  return typeof reason === 'string' ? redact(reason) : reason;
}
