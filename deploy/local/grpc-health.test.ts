import { createLogger } from '@pfq/kit/log';
import { serveRpc } from '@pfq/kit/rpc/server';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { isServing } from './grpc-health.ts';
import { findFreePort, LOCAL_HOST } from './ports.ts';

test('a server of the kit is serving until it is stopped', async () => {
  const logger = createLogger({ service: 'test', level: 'error', format: 'json' });
  const server = await serveRpc({
    routes: () => {},
    host: LOCAL_HOST,
    port: 0,
    operatorToken: 'x'.repeat(32),
    logger,
    tls: null,
    connectionAgeMs: null,
  });
  const address = { host: LOCAL_HOST, port: server.port };
  assert.equal(await isServing(address), true);
  await server.stop();
  assert.equal(await isServing(address), false);
});

test('nothing at all, and a server that speaks something else, are not serving', async () => {
  assert.equal(await isServing({ host: LOCAL_HOST, port: await findFreePort() }), false);
  const other = createServer().listen(0, LOCAL_HOST);
  await once(other, 'listening');
  const address = other.address();
  assert.ok(address !== null && typeof address === 'object');
  assert.equal(await isServing({ host: LOCAL_HOST, port: address.port }), false);
  other.close();
});
