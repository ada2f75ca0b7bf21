import type { RequestListener } from 'node:http';
import type { DependencyState, HealthReport, HealthState } from './health.ts';
import { serveHttp } from './http.ts';
import type { HttpServer } from './http.ts';
import { STOP_MS } from './stop-times.ts';

type OperationsOptions = {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly service: string;
  readonly report: () => HealthReport;
  readonly metricsPage: RequestListener | null;
};

/** The answer to each is 200 where it holds, else 503. */
const PROBES: Readonly<Record<string, (state: HealthState) => boolean>> = {
  // That it is answered at all is what it tells: a process whose event loop stands still answers nothing.
  '/livez': () => true,
  '/startupz': (state) => state !== 'starting',
  '/readyz': (state) => state === 'ready',
};

/**
 * The listener for those who run the service, never for the public: `/livez`, `/startupz` and `/readyz` answer 200 or 503 with
 * a JSON object that says why, `/metrics` is for Prometheus.
 */
export function serveOperations({ report, service, metricsPage, ...listener }: OperationsOptions): Promise<HttpServer> {
  const handler: RequestListener = (request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    if (path === '/metrics' && metricsPage) return metricsPage(request, response);
    const { state, dependencies } = report();
    const isGood = PROBES[path];
    const body = isGood ? { service, state, dependencies: dependencies.map(toShown) } : { error: 'not found' };
    response.setHeader('Content-Type', 'application/json').setHeader('Cache-Control', 'no-store');
    response.writeHead(!isGood ? 404 : isGood(state) ? 200 : 503).end(`${JSON.stringify(body)}\n`);
  };
  // Whoever asks is after this very process: another connection would lead to no other.
  return serveHttp({ handler, drainMs: STOP_MS.operations, connectionAgeMs: null, ...listener });
}

function toShown({ name, isVital, isUp, reason }: DependencyState): object {
  return { name, vital: isVital, up: isUp, reason };
}
