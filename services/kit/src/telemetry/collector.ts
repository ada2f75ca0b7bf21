import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import type { ExportResult } from '@opentelemetry/core';
import type { Dependency } from '../health.ts';
import type { Logger } from '../log.ts';
import { count } from './metrics.ts';

type Exporter<T> = {
  export(items: T, done: (result: ExportResult) => void): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
};

type Signal = 'traces' | 'metrics';

/** Whether the collector takes what it is sent, seen by the exports alone: nothing is asked of it for that. */
export type Collector = {
  readonly dependency: Dependency;
  /** The exporter, whose failures are counted and told once, until all goes well again. */
  watch<T>(signal: Signal, exporter: Exporter<T>): Exporter<T>;
};

const LOOK_EVERY_MS = 5_000;

export function watchCollector(logger: Pick<Logger, 'info' | 'warn'>): Collector {
  /** Why the last export failed, for every signal of which it did. */
  const failing = new Map<Signal, string>();

  function note(signal: Signal, { code, error }: ExportResult): void {
    const wasWell = failing.size === 0;
    if (code === ExportResultCode.SUCCESS) {
      if (failing.delete(signal) && failing.size === 0) logger.info('telemetry is exported again');
      return;
    }
    count('pfq.telemetry.export.failures', {});
    const reason = reasonOf(error);
    failing.set(signal, reason);
    if (wasWell) logger.warn({ signal, reason }, 'telemetry cannot be exported');
  }

  return {
    dependency: {
      name: 'collector',
      isVital: false,
      everyMs: LOOK_EVERY_MS,
      async check() {
        const [failure] = failing;
        if (failure) throw new Error(`${failure[0]} are not taken: ${failure[1]}`);
      },
    },
    watch: (signal, exporter) => ({
      export(items, done) {
        // The timer behind a batch was started by the span that came first, to whose trace none of this belongs.
        context.with(ROOT_CONTEXT, () =>
          exporter.export(items, (result) => {
            note(signal, result);
            done(result);
          }),
        );
      },
      forceFlush: () => exporter.forceFlush(),
      shutdown: () => exporter.shutdown(),
    }),
  };
}

/** Of several addresses that all failed Node tells no message, but a code. */
function reasonOf(error: Error | undefined): string {
  if (!error) return 'unknown';
  const code = 'code' in error ? String(error.code) : error.name;
  return error.message || code;
}
