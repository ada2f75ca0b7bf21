import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { readOrCreateSecrets } from '@pfq/local/local-folder';
import { findFreePort } from '@pfq/local/ports';
import { exampleBody } from '../support/examples.ts';
import { liftLimits } from '../support/limits.ts';
import { startStack, stackFolder } from '../support/stack.ts';
import type { RunningStack } from '../support/stack.ts';

/** Medians over the rounds; `ratio` is the median of each round's rate of the services over that of the monolith. */
export type PostBench = { readonly services: Load; readonly monolith: Load; readonly ratio: number };
type Load = { readonly requestsPerSecond: number; readonly medianMs: number };

/** Four processes take longer than one to be compiled hot. */
const WARM_UP_ROUNDS = 3;
const ROUNDS = 7;
const ROUND_SECONDS = 3;
const CONNECTIONS = 16;

/** Posts the same quotes to the stack and to a monolith on the same databases, in turns within one run. */
export async function benchPosts(): Promise<PostBench> {
  const { folder, remove } = stackFolder();
  process.env['LOG_LEVEL'] = 'warn';
  const stack = await startStack(folder);
  await liftLimits(stack);
  const monolith = await startMonolith(stack);
  try {
    const urls = { services: `${stack.file.gateway_url}/v1/quotes`, monolith: `${monolith.url}/v1/quotes` };
    const loads = { services: [] as Load[], monolith: [] as Load[] };
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
      for (const url of Object.values(urls)) await load(url, stack);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      loads.services.push(await load(urls.services, stack));
      loads.monolith.push(await load(urls.monolith, stack));
    }
    const ratios = loads.services.map(
      (one, round) => one.requestsPerSecond / (loads.monolith[round]?.requestsPerSecond ?? 0),
    );
    return { services: medianLoad(loads.services), monolith: medianLoad(loads.monolith), ratio: median(ratios) };
  } finally {
    monolith.stop();
    await stack.stop();
    remove();
  }
}

export function describePostBench({ services, monolith, ratio }: PostBench): string {
  const line = (name: string, { requestsPerSecond, medianMs }: Load) =>
    `  ${name.padEnd(10)} ${requestsPerSecond.toFixed(0).padStart(6)} requests/s, median ${medianMs.toFixed(1)} ms`;
  return [
    `POST /v1/quotes, ${CONNECTIONS} connections:`,
    line('services', services),
    line('monolith', monolith),
    `  ratio ${ratio.toFixed(2)} (services / monolith)`,
  ].join('\n');
}

async function load(url: string, stack: RunningStack): Promise<Load> {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { authorization: `Bearer ${stack.file.keys.test}`, 'content-type': 'application/json' },
    body: exampleBody('roofing-contractor'),
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
  });
  if (result.non2xx + result.errors + result.timeouts > 0) throw new Error(`${url} refused ${result.non2xx} requests`);
  return { requestsPerSecond: result.requests.average, medianMs: result.latency.p50 };
}

async function startMonolith(stack: RunningStack): Promise<{ readonly url: string; readonly stop: () => void }> {
  const port = await findFreePort();
  const child = fork(fileURLToPath(import.meta.resolve('./monolith.ts')), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const database = (name: string) => {
    const url = new URL(stack.file.postgres_url);
    url.pathname = `/${name}`;
    return url.href;
  };
  const { keyPepper } = readOrCreateSecrets(stack.folder);
  const [gatewayUrl, pricingUrl, quoteStoreUrl] = [database('gateway'), database('pricing'), database('quote_store')];
  child.send({ port, gatewayUrl, pricingUrl, quoteStoreUrl, keyPepper });
  const [message] = await once(child, 'message');
  if (message !== 'ready') throw new Error('the monolith did not start');
  return { url: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

function medianLoad(loads: readonly Load[]): Load {
  return {
    requestsPerSecond: median(loads.map(({ requestsPerSecond }) => requestsPerSecond)),
    medianMs: median(loads.map(({ medianMs }) => medianMs)),
  };
}

function median(values: readonly number[]): number {
  const middle = values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('there was no round');
  return middle;
}
