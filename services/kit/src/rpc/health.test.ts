import { Client, credentials } from '@grpc/grpc-js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Health, HealthState } from '../health.ts';
import { rpcDependency } from './check-health.ts';
import { ourTransport, quoteStoreOn, startServer } from './rpc.test-support.ts';

const NAMES = ['', 'liveness', 'startup', 'readiness'];

/** A health that is as the test says. */
function healthThatIs(first: HealthState) {
  let state = first;
  const listeners = new Set<(state: HealthState) => void>();
  const health: Pick<Health, 'report' | 'onChange'> = {
    report: () => ({ state, dependencies: [] }),
    onChange(tell) {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
  };
  return {
    health,
    listeners,
    become(next: HealthState) {
      state = next;
      for (const tell of listeners) tell(next);
    },
  };
}

/** The names that are serving. */
async function serving(t: TestContext, port: number): Promise<readonly string[]> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  t.after(() => client.close());
  const answers = await Promise.all(NAMES.map((name) => check(client, name)));
  return NAMES.filter((_, place) => answers[place]);
}

/** grpc.health.v1.HealthCheckRequest: field 1, service. */
function check(client: Client, name: string): Promise<boolean> {
  const asIs = (bytes: Buffer) => bytes;
  const request = Buffer.concat([Buffer.from([0x0a, name.length]), Buffer.from(name)]);
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest('/grpc.health.v1.Health/Check', asIs, asIs, request, (error, answer) =>
      error ? reject(error) : resolve(answer?.[1] === 1),
    );
  });
}

for (const { state, names } of [
  { state: 'starting', names: ['liveness'] },
  { state: 'ready', names: ['', 'liveness', 'startup', 'readiness'] },
  { state: 'unready', names: ['liveness', 'startup'] },
  { state: 'draining', names: ['liveness', 'startup'] },
] as const) {
  test(`a service that is ${state} serves under: ${names.join(', ')}`, async (t) => {
    const one = healthThatIs('starting');
    const { port } = await startServer(t, {}, { health: one.health });
    one.become(state);
    assert.deepEqual(await serving(t, port), names);
  });
}

test('a service that drains still answers calls, until it is stopped', async (t) => {
  const one = healthThatIs('ready');
  const server = await startServer(t, { getQuote: () => ({}) }, { health: one.health });
  one.become('draining');
  await quoteStoreOn(ourTransport(t, server.port)).getQuote({});
  await server.stop();
  assert.equal(one.listeners.size, 0);
});

test('another service is well while it serves, and is asked anew each time', async (t) => {
  const one = healthThatIs('ready');
  const server = await startServer(t, {}, { health: one.health });
  const { name, isVital, check: look } = rpcDependency('pricing', ourTransport(t, server.port));
  assert.deepEqual([name, isVital], ['pricing', false]);
  await look();
  one.become('unready');
  await assert.rejects(look(), /^Error: it answers that it does not serve$/);
  one.become('ready');
  await look();
});

test('another service that is not there is not well, within a second', async (t) => {
  const transport = ourTransport(t, 1);
  const began = performance.now();
  await assert.rejects(transport.check());
  assert.ok(performance.now() - began < 3_000);
});
