import { pino } from 'pino';
import type { Logger } from 'pino';

export type { Logger } from 'pino';

type LogOptions = { readonly service: string; readonly level: string; readonly format: 'json' | 'pretty' };

/** JSON lines on standard output, or lines for people where `format` is pretty. */
export function createLogger({ service, level, format }: LogOptions): Logger {
  const base = {
    base: { service },
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (format === 'json') return pino(base);
  return pino({
    ...base,
    formatters: {},
    transport: {
      target: 'pino-pretty',
      options: { colorize: false, ignore: 'pid,hostname,service', singleLine: true, translateTime: 'SYS:HH:MM:ss.l' },
    },
  });
}
