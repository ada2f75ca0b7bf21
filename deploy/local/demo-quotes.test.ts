import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test, type TestContext } from 'node:test';
import { makeDemoQuotes } from './demo-quotes.ts';
import { writeWhole } from './local-folder.ts';
import { LOCAL_HOST } from './ports.ts';

const DAY_MS = 86_400_000;
const KEYS = { test: 'pfq_test_t', live: 'pfq_live_l', broker_test: '', broker_live: '' };
const DEMO = { agency_id: 'agy_1', has_applications: true };

const folder = mkdtempSync(path.join(tmpdir(), 'pfq-demo-quotes-'));
beforeEach(() => writeWhole(path.join(folder, 'demo.json'), DEMO));
after(() => rmSync(folder, { recursive: true }));

/** An API whose quotes live for `lifetimeMs` and whose hosted links lead somewhere, unless they are taken away. */
async function startFakeApi(t: TestContext, { lifetimeMs = 30 * DAY_MS } = {}) {
  const links = new Set<string>();
  const asked: string[] = [];
  const state = { links, asked, refusesLive: false, status: 'active' };
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/v1/quotes/')) {
      return response.writeHead(200).end(JSON.stringify({ status: state.status }));
    }
    if (request.method === 'GET') return response.writeHead(links.has(request.url ?? '') ? 200 : 404).end();
    const key = request.headers.authorization ?? '';
    asked.push(key);
    if (state.refusesLive && key.includes('live')) {
      return response.writeHead(403).end('{"error":{"message":"API access is not switched on."}}');
    }
    const link = `/q/${asked.length}`;
    links.add(link);
    const expires_at = new Date(Date.now() + lifetimeMs).toISOString();
    return response.writeHead(201, { 'Request-Id': `req_${asked.length}` }).end(
      JSON.stringify({
        id: `qte_${asked.length}`,
        hosted_url: `http://pay.example${link}`,
        expires_at,
        status: 'active',
      }),
    );
  });
  server.listen(0, LOCAL_HOST);
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const url = `http://${LOCAL_HOST}:${address.port}`;
  const said: string[] = [];
  const make = () =>
    makeDemoQuotes({ folder, keys: KEYS, gatewayUrl: url, hostedUrl: url, say: (line) => said.push(line) });
  return { make, state, said, url };
}

test('one quote of each mode is made once, kept beside the demo agency, and shown with its link', async (t) => {
  const { make, state, url } = await startFakeApi(t);
  const made = await make();
  assert.deepEqual(state.asked.toSorted(), ['Bearer pfq_live_l', 'Bearer pfq_test_t']);
  assert.deepEqual(Object.keys(made.live ?? {}), ['id', 'hosted_url', 'request_id']);
  const again = await make();
  assert.equal(state.asked.length, 2);
  for (const mode of ['test', 'live'] as const) {
    assert.equal(again[mode]?.id, made[mode]?.id);
    assert.equal(again[mode]?.request_id, made[mode]?.request_id);
    const { pathname } = new URL(made[mode]?.hosted_url ?? '');
    assert.equal(again[mode]?.hosted_url, url + pathname, 'where the page is now');
  }
  const kept = JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8'));
  assert.deepEqual({ ...kept, ...DEMO }, kept);
});

test('a quote that has expired is made anew', async (t) => {
  const { make, state } = await startFakeApi(t, { lifetimeMs: -1 });
  await make();
  assert.match((await make()).live?.id ?? '', /^qte_/);
  assert.equal(state.asked.length, 4);
});

test('a quote that has a response is made anew, so that there is always one to choose from', async (t) => {
  const { make, state } = await startFakeApi(t);
  const made = await make();
  state.status = 'interested';
  assert.notEqual((await make()).live?.id, made.live?.id);
  assert.equal(state.asked.length, 4);
});

test('a quote whose link leads nowhere is made anew, and the other stays', async (t) => {
  const { make, state } = await startFakeApi(t);
  const made = await make();
  state.links.delete(new URL(made.live?.hosted_url ?? '').pathname);
  const again = await make();
  assert.equal(again.test?.id, made.test?.id);
  assert.notEqual(again.live?.id, made.live?.id);
  assert.deepEqual(state.asked.slice(2), ['Bearer pfq_live_l']);
});

test('where the API refuses one, a line says why, and the stack starts without it', async (t) => {
  const { make, state, said } = await startFakeApi(t);
  state.refusesLive = true;
  const made = await make();
  assert.equal(made.live, null);
  assert.match(made.test?.id ?? '', /^qte_/);
  assert.deepEqual(said, ['there is no live demo quote: 403 API access is not switched on.']);
  state.refusesLive = false;
  const again = await make();
  assert.equal(again.test?.id, made.test?.id);
  assert.match(again.live?.id ?? '', /^qte_/);
});
