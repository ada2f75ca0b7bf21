import autocannon from 'autocannon';
import { exampleBody } from '../support/examples.ts';

export type Load = { readonly requests: number; readonly requestsPerSecond: number; readonly medianMs: number };

export const CONNECTIONS = 16;

type Target = { readonly url: string; readonly key: string; readonly seconds: number };

/** Posts the same quote again and again. Throws where one is refused. */
export async function load({ url, key, seconds }: Target): Promise<Load> {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: exampleBody('roofing-contractor'),
    connections: CONNECTIONS,
    duration: seconds,
  });
  if (result.non2xx + result.errors + result.timeouts > 0) throw new Error(`${url} refused ${result.non2xx} requests`);
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.average,
    medianMs: result.latency.p50,
  };
}

export function medianLoad(loads: readonly Load[]): Load {
  return {
    requests: median(loads.map(({ requests }) => requests)),
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
