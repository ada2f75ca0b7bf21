import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readOrCreateSecrets } from '@pfq/local/local-folder';
import { findFreePort } from '@pfq/local/ports';
import { liftLimits } from '../support/limits.ts';
import { startStack, stackFolder } from '../support/stack.ts';
import type { RunningStack } from '../support/stack.ts';
import { CONNECTIONS, describeLoad, load, median, medianLoad } from './load.ts';
import type { Load } from './load.ts';

/** Medians over the rounds; `ratio` is the median of each round's rate of the services over that of the monolith. */
export type PostBench = { readonly services: Load; readonly monolith: Load; readonly ratio: number };

/** Four processes take longer than one to be compiled hot. */
const WARM_UP_ROUNDS = 3;
const ROUNDS = 7;
const ROUND_SECONDS = 3;

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
    const loadOf = (url: string) => load({ url, key: stack.file.keys.test, seconds: ROUND_SECONDS });
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
      for (const url of Object.values(urls)) await loadOf(url);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      loads.services.push(await loadOf(urls.services));
      loads.monolith.push(await loadOf(urls.monolith));
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
  return [
    `POST /v1/quotes, ${CONNECTIONS} connections:`,
    describeLoad('services', services),
    describeLoad('monolith', monolith),
    `  ratio ${ratio.toFixed(2)} (services / monolith)`,
  ].join('\n');
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
