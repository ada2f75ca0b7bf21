import { pino } from 'pino';
import type { Logger } from 'pino';
import { describeError } from './log-error.ts';
import { prettyLines } from './log-pretty.ts';
import { redact } from './redact.ts';
import { currentIds } from './telemetry/spans.ts';

export type { Logger } from 'pino';

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
  return format === 'json' ? pino(options) : pino(options, prettyLines(pino.destination({ sync: true })));
}

function redactText(reason: unknown): unknown {
  return typeof reason === 'string' ? redact(reason) : reason;
}
