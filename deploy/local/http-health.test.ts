import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { answers } from './http-health.ts';
import { findFreePort, LOCAL_HOST } from './ports.ts';

test('a server answers where it says 200, and neither with another status nor where there is none', async (t) => {
  const server = createServer(({ url }, response) => response.writeHead(url === '/health' ? 200 : 302).end('ok'));
  server.listen(0, LOCAL_HOST);
  await once(server, 'listening');
  t.after(() => server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const url = `http://${LOCAL_HOST}:${address.port}`;
  assert.equal(await answers(`${url}/health`), true);
  assert.equal(await answers(`${url}/elsewhere`), false);
  assert.equal(await answers(`http://${LOCAL_HOST}:${await findFreePort()}/health`), false);
});
