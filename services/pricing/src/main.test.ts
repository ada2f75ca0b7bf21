import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import type { TestContext } from 'node:test';
import { createClient } from '@connectrpc/connect';
import { callerHeaders } from '@pfq/kit/caller';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { PricingService } from '@pfq/proto/pricing/v1/pricing_pb';
import { failsWith } from '../../../tests/support/failures.ts';
import { createTestDatabase } from '../../../tests/support/database.ts';
import type { TestDatabase } from '../../../tests/support/database.ts';
import { PRICED_AT, workedExample } from './examples.test-support.ts';

let database: TestDatabase;

before(async () => {
  database = await createTestDatabase();
});

after(() => database.drop());

/** The service in a process of its own, ended with the test; `logged` waits for the log line with that message. */
function run(context: TestContext, environment: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env: environment });
  context.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const logged = async (message: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const { value, done } = await lines.next();
      assert.ok(!done, `the service ended without saying "${message}"`);
      const line: Record<string, unknown> = JSON.parse(value);
      if (line['msg'] === message) return line;
    }
  };
  return { child, logged };
}

test('the process serves what its environment says, logs why prices cannot be had, and ends on SIGTERM', async (context) => {
  const { child, logged } = run(context, {
    DATABASE_URL: database.url,
    LISTEN_HOST: '127.0.0.1',
    MIGRATE_ON_START: 'true',
    OPERATOR_TOKEN: 'operator-token-of-the-pricing-tests',
    RPC_PORT: '0',
  });
  const { port } = await logged('listening');
  const transport = createRpcTransport(`grpc://127.0.0.1:${String(port)}`, null);
  const pricing = createClient(PricingService, transport);
  const headers = callerHeaders({ requestId: 'req_of_this_test' });
  await failsWith(pricing.priceDeal({ deal: workedExample(), pricedAt: PRICED_AT }, { headers }), {
    code: 'SERVICE_UNAVAILABLE',
  });
  const line = await logged('prices cannot be had');
  assert.equal(line['request_id'], 'req_of_this_test');
  assert.match(JSON.stringify(line['err']), /no rate sheet has been loaded/);

  transport.close();
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});
