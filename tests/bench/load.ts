import autocannon from 'autocannon';
import { exampleBody } from '../support/examples.ts';

export type Load = { readonly requestsPerSecond: number; readonly medianMs: number };

export const CONNECTIONS = 16;

type Target = { readonly url: string; readonly key: string };
/** How long, or how often. */
type Extent = { readonly duration: number } | { readonly amount: number };

/** Posts the same quote again and again. Throws where one is refused. */
export async function load({ url, key }: Target, extent: Extent): Promise<Load> {
  const startedMs = performance.now();
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: exampleBody('roofing-contractor'),
    connections: CONNECTIONS,
    ...extent,
  });
  if (result.non2xx + result.errors + result.timeouts > 0) throw new Error(`${url} refused ${result.non2xx} requests`);
  const seconds = (performance.now() - startedMs) / 1_000;
  return { requestsPerSecond: result.requests.total / seconds, medianMs: result.latency.p50 };
}

export function medianLoad(loads: readonly Load[]): Load {
  return {
    requestsPerSecond: median(loads.map(({ requestsPerSecond }) => requestsPerSecond)),
    medianMs: median(loads.map(({ medianMs }) => medianMs)),
  };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const found = values.toSorted((one, other) => one - other)[Math.floor(values.length * share)];
  if (found === undefined) throw new Error('there was no round');
  return found;
}

export function describeLoad(name: string, { requestsPerSecond, medianMs }: Load): string {
  return `  ${name.padEnd(12)} ${requestsPerSecond.toFixed(0).padStart(6)} requests/s, median ${medianMs.toFixed(1)} ms`;
}
