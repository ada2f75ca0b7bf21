import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import PostalMime from 'postal-mime';
import { exampleBody } from '../support/examples.ts';
import { startLoad } from '../support/replicas-load.ts';
import { startReplicas } from '../support/replicas.ts';
import type { Replicas, ServiceName } from '../support/replicas.ts';
import { startSmtp } from '../support/smtp.ts';
import type { ScriptedSmtp } from '../support/smtp.ts';
import { sql } from '../support/sql.ts';
import type { WithDatabases } from '../support/sql.ts';
import { stackFolder } from '../support/stack.ts';
import { until } from '../support/until.ts';

const CALLERS = 4;
/** How much must be done between one restart and the next, so that each of them meets traffic. */
const DONE_BETWEEN = 15;
/** Far more than it takes, unless nothing goes on any more. */
const PATIENCE_MS = 60_000;

/** Each list in its order, all lists at once: who calls is restarted while those who are called are. */
const ORDERS: readonly (readonly ServiceName[])[] = [
  ['gateway'],
  ['hosted-page'],
  ['pricing', 'quote-store', 'application', 'notification'],
];

describe('a rolling restart of two replicas of every service, under load', () => {
  const { folder, remove } = stackFolder();
  let smtp: ScriptedSmtp;
  let running: Replicas | undefined;
  before(async () => {
    smtp = await startSmtp();
    running = await startReplicas(folder, smtp.port);
  });
  after(async () => {
    await running?.stop();
    await smtp.stop();
    remove();
  });

  it('fails no request, stops every process in time, and tells every broker once', async () => {
    assert.ok(running);
    const { gatewayUrl, keys, restart, given, errors, file } = running;
    const load = startLoad({ gatewayUrl, keys, body: exampleBody('roofing-contractor'), callers: CALLERS });
    const untilMoreIsDone = () => {
      const wanted = load.done() + DONE_BETWEEN;
      return until(() => load.done() >= wanted, PATIENCE_MS);
    };
    const endings: string[] = [];
    const restartAll = async (services: readonly ServiceName[]) => {
      for (const service of services) {
        for (const replica of [0, 1]) {
          await untilMoreIsDone();
          endings.push(`${service} ${await restart(service, replica)}`);
        }
      }
    };
    await Promise.all(ORDERS.map(restartAll));
    await untilMoreIsDone();
    await load.stop();

    assert.deepEqual(load.failures, []);
    assert.deepEqual(errors, []);
    assert.deepEqual(
      endings.filter((ending) => !ending.endsWith('exit code 0')),
      [],
    );
    const idle = ORDERS.flat().filter((service) => given(service).includes(0));
    assert.deepEqual(idle, []);
    assert.ok(load.interested.length >= 12, `${load.interested.length} interests`);
    await until(async () => (await countJobs({ file })) === 0, PATIENCE_MS);
    assert.deepEqual((await quotesToldOf(smtp)).sort(), load.interested.toSorted());
  });
});

/** Those that are not done: telling of a response, sending an email, recording what came of it. */
async function countJobs(databases: WithDatabases): Promise<number> {
  const counts = ['quote_store', 'notification'].map(async (database) => {
    const [row] = await sql(databases, database, 'SELECT count(*)::integer AS jobs FROM graphile_worker.jobs');
    return Number(row?.['jobs']);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** The quote that each mail is about. */
function quotesToldOf({ received }: ScriptedSmtp): Promise<string[]> {
  return Promise.all(
    received.map(async ({ raw }) => /qte_\w{22}/.exec((await PostalMime.parse(raw)).text ?? '')?.[0] ?? 'no quote'),
  );
}
