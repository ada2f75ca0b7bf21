import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { createLogger } from '@pfq/kit/log';
import { serveRpc } from '@pfq/kit/rpc/server';
import { isServing } from '@pfq/local/grpc-health';
import { HostedQuoteService } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import { until } from '../../../tests/support/until.ts';
import { formIn, ORIGIN, SECRET, storeOf } from './running-hosted-page.test-support.ts';
import { start } from './server.ts';

const OPERATOR_TOKEN = 'operator-token-of-the-hosted-page-tests';
const QUIET = {
  logLevel: 'error',
  logFormat: 'json',
  listenHost: '127.0.0.1',
  rpcTlsDir: null,
  connectionAgeMs: 300_000,
  operatorToken: OPERATOR_TOKEN,
} as const;

type Store = ReturnType<typeof storeOf>['service'];

/** The service as it runs in production, on free ports, with a quote store of the test behind real gRPC. */
async function startService(t: TestContext, store: Store) {
  const behind = await serveRpc({
    routes: (router) => router.service(HostedQuoteService, store),
    host: '127.0.0.1',
    port: 0,
    operatorToken: OPERATOR_TOKEN,
    logger: createLogger({ service: 'quote-store', level: 'error', format: 'json' }),
    tls: null,
    connectionAgeMs: null,
  });
  const service = await start({
    ...QUIET,
    httpPort: 0,
    rpcPort: 0,
    hostedBaseUrl: ORIGIN,
    quoteStoreUrl: `grpc://127.0.0.1:${behind.port}`,
    reviewSecrets: [SECRET],
    trustedProxies: 0,
    requestTimeoutMs: 5_000,
  });
  t.after(async () => {
    await service.stop();
    await behind.stop();
  });
  return { service, url: `http://127.0.0.1:${service.httpPort}` };
}

test('an insured chooses, reviews and confirms over real sockets', async (t) => {
  const store = storeOf();
  const { url } = await startService(t, store.service);
  const path = `${url}/q/${store.token}`;
  assert.equal((await fetch(path)).status, 200);
  const form = formIn({ body: await (await fetch(`${path}/review?option=opt_20_9`)).text() });
  const body = new URLSearchParams({ ...form, confirmed: 'yes' });
  const sent = await fetch(`${path}/interest`, { method: 'POST', body, headers: { origin: ORIGIN } });
  assert.equal(sent.status, 200);
  assert.equal(new URL(sent.url).search, '?sent=opt_20_9&lang=en');
  assert.equal(store.asked.length, 1);
});

test('a stop lets a response that is under way be stored and answered', async (t) => {
  const store = storeOf();
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const { service, url } = await startService(t, {
    ...store.service,
    async expressInterest(asked, context) {
      reached.resolve();
      await goOn.promise;
      return store.service.expressInterest(asked, context);
    },
  });
  const path = `/q/${store.token}`;
  const form = formIn({ body: await (await fetch(`${url}${path}/review?option=opt_20_9`)).text() });
  const asking = request(`${url}${path}/interest`, {
    method: 'POST',
    headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
  });
  asking.end(new URLSearchParams({ ...form, confirmed: 'yes' }).toString());
  await reached.promise;
  const stopping = service.stop();
  await until(() => isRefused(`${url}${path}`), 3_000);
  goOn.resolve();
  const [answer] = await once(asking, 'response');
  assert.equal(answer.statusCode, 303);
  assert.equal(await text(answer), '');
  await stopping;
  assert.equal(store.asked.length, 1);
});

/** Nobody new is let in. */
function isRefused(url: string): Promise<boolean> {
  return fetch(url).then(
    () => false,
    () => true,
  );
}

test('its health is told over gRPC', async (t) => {
  const { service } = await startService(t, storeOf().service);
  assert.ok(await isServing({ host: '127.0.0.1', port: service.port }));
});
