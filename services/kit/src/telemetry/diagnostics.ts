import { diag, DiagLogLevel } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import type { Logger } from '../log.ts';

const MOST_TEXTS = 100;
const MOST_CHARACTERS = 500;

/**
 * What OpenTelemetry says of itself: every text at warn once, whatever its numbers, and at debug from then on. Exports that
 * failed are told by whoever watches the collector.
 */
export function logDiagnostics(logger: Pick<Logger, 'warn' | 'debug'>): void {
  const told = new Set<string>();
  const tell = (message: string, ...details: readonly unknown[]) => {
    const reason = [message, ...details.map(textOf)].join(' ').trim().slice(0, MOST_CHARACTERS);
    const text = reason.replaceAll(/\d+/g, '#');
    if (told.has(text) || told.size >= MOST_TEXTS) return logger.debug({ reason }, 'telemetry');
    told.add(text);
    logger.warn({ reason }, 'telemetry');
  };
  const nothing = () => {};
  const options = { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true };
  diag.setLogger({ error: tell, warn: tell, info: nothing, debug: nothing, verbose: nothing }, options);
  setGlobalErrorHandler((exception) => logger.debug({ reason: textOf(exception) }, 'telemetry'));
}

function textOf(detail: unknown): string {
  if (detail instanceof Error) return `${detail.name}: ${detail.message}`;
  return typeof detail === 'string' ? detail : '';
}
