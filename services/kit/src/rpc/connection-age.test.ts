import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../../../tests/support/until.ts';
import { ourTransport, quoteStoreOn, resolveTo, startServer, transportTo } from './rpc.test-support.ts';

const LONGEST_MS = 10_000;
/** The least that can be set. Names are looked up again every two seconds at most. */
const AGE_MS = 1_000;

type Host = '127.0.0.1' | '127.0.0.2' | '127.0.0.3';

/** Replicas on one port, and a client of their name that calls them, writes too, until the test ends. */
async function startReplicas(t: TestContext, { connectionAgeMs }: { connectionAgeMs?: number }) {
  const calls = { '127.0.0.1': 0, '127.0.0.2': 0, '127.0.0.3': 0 };
  const options = connectionAgeMs === undefined ? {} : { connectionAgeMs };
  const start = (host: Host, port: number) => {
    const count = () => {
      calls[host] += 1;
      return {};
    };
    return startServer(t, { createQuote: count, getQuote: count }, { host, port, ...options });
  };
  const hosts: Host[] = ['127.0.0.1', '127.0.0.2'];
  const { port } = await start('127.0.0.1', 0);
  await start('127.0.0.2', port);
  const lookup = resolveTo(t, () => hosts);
  const client = quoteStoreOn(transportTo(t, `grpc://quote-store:${port}`));
  return {
    calls,
    client,
    lookups: () => lookup.mock.callCount(),
    forget: () => Object.assign(calls, { '127.0.0.1': 0, '127.0.0.2': 0, '127.0.0.3': 0 }),
    addReplica: async () => {
      await start('127.0.0.3', port);
      hosts.push('127.0.0.3');
    },
  };
}

/** Four callers that always have a call under way; gives what went wrong. */
function keepCalling(client: ReturnType<typeof quoteStoreOn>) {
  const failures: unknown[] = [];
  const end = new AbortController();
  let made = 0;
  const caller = async () => {
    while (!end.signal.aborted) {
      await (made % 2 === 0 ? client.createQuote({}) : client.getQuote({})).catch((error: unknown) =>
        failures.push(error),
      );
      made += 1;
      await wait(1);
    }
  };
  const callers = Promise.all([caller(), caller(), caller(), caller()]);
  return {
    failures,
    made: () => made,
    async stop() {
      end.abort();
      await callers;
    },
  };
}

test('a replica that is added gets its share of calls once connections have aged, and no call fails', async (t) => {
  const { calls, client, forget, addReplica } = await startReplicas(t, { connectionAgeMs: AGE_MS });
  const load = keepCalling(client);
  await until(() => calls['127.0.0.1'] > 0 && calls['127.0.0.2'] > 0, LONGEST_MS);
  await addReplica();
  await until(() => calls['127.0.0.3'] > 0, LONGEST_MS);
  forget();
  const before = load.made();
  await until(() => load.made() - before > 300, LONGEST_MS);
  await load.stop();
  const counts = Object.values(calls);
  const mean = counts.reduce((sum, one) => sum + one, 0) / counts.length;
  assert.deepEqual(load.failures, []);
  assert.ok(
    counts.every((one) => Math.abs(one - mean) <= mean / 5),
    JSON.stringify(calls),
  );
});

test('while no connection ends, a replica that is added is not seen: that is what the age is for', async (t) => {
  const { calls, client, lookups, addReplica } = await startReplicas(t, {});
  const load = keepCalling(client);
  await until(() => calls['127.0.0.1'] > 0 && calls['127.0.0.2'] > 0, LONGEST_MS);
  const before = lookups();
  await addReplica();
  const made = load.made();
  await until(() => load.made() - made > 300, LONGEST_MS);
  await load.stop();
  assert.deepEqual([calls['127.0.0.3'], lookups() - before], [0, 0]);
});

test('a call that takes longer than its connection may be used is finished', async (t) => {
  const server = await startServer(
    t,
    {
      async createQuote() {
        await wait(400);
        return {};
      },
      getQuote: () => ({}),
    },
    { connectionAgeMs: 100 },
  );
  const client = quoteStoreOn(ourTransport(t, server.port));
  await client.getQuote({});
  await client.createQuote({});
});
