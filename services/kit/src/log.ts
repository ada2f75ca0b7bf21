import { pino } from 'pino';
import type { Logger } from 'pino';
import pretty from 'pino-pretty';

export type { Logger } from 'pino';

type LogOptions = { readonly service: string; readonly level: string; readonly format: 'json' | 'pretty' };

/** JSON lines on standard output, or lines for people where `format` is pretty. Log an error as `err`, with its causes. */
export function createLogger({ service, level, format }: LogOptions): Logger {
  const options = {
    base: { service },
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: withoutContents },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (format === 'json') return pino(options);
  return pino(
    options,
    pretty({ colorize: false, ignore: 'service', singleLine: true, sync: true, translateTime: 'SYS:HH:MM:ss.l' }),
  );
}

/**
 * PostgreSQL tells the values of the row that it refused, and they may be anyone's; an RPC's error holds its metadata, and
 * schemas hundreds of lines long.
 */
function withoutContents(error: Error): object {
  const {
    detail: _detail,
    where: _where,
    details: _details,
    metadata: _metadata,
    ...rest
  } = pino.stdSerializers.err(error);
  return rest;
}
