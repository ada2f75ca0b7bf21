import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { makeGate } from '@pfq/gateway/keyed-writes.test-support';
import { DOCS_URL, HOSTED_URL, outcomeOf } from '@pfq/gateway/running-gateway.test-support';
import type { Answered } from '@pfq/gateway/running-gateway.test-support';
import { ANSWER_SECRET, KEY_PEPPER, QUIET } from '@pfq/gateway/whole-gateway.test-support';
import type { Database } from '@pfq/kit/postgres';
import { isServing } from '@pfq/local/grpc-health';
import { findFreePort } from '@pfq/local/ports';
import { BODY, countQuotes, startKeyedGateways } from '../contract/keyed-gateways.ts';
import { until } from '../support/until.ts';

const ENTRY = path.resolve(import.meta.dirname, '../../services/gateway/src/main.ts');
const HOST = '127.0.0.1';
const SECONDS = 10_000;
const TWO_MINUTES_LATER = '2026-11-20T12:02:00.000Z';
const OVER_TWO_MINUTES_LATER = '2026-11-20T12:02:00.001Z';
const IN_PROGRESS = '409 IDEMPOTENCY_REQUEST_IN_PROGRESS';
const RECORD_LOST = '500 IDEMPOTENCY_RECORD_LOST';

type Parts = Awaited<ReturnType<typeof startKeyedGateways>>['parts'];

/** One more gateway, as a process of its own. */
async function startProcess(t: TestContext, { databaseUrl, pricing, quoteStore }: Parts) {
  const [httpPort, rpcPort] = [await findFreePort(), await findFreePort()];
  const env = {
    LISTEN_HOST: HOST,
    HTTP_PORT: String(httpPort),
    RPC_PORT: String(rpcPort),
    OPERATIONS_PORT: '0',
    OPERATOR_TOKEN: QUIET.operatorToken,
    LOG_LEVEL: 'error',
    DATABASE_URL: databaseUrl,
    PRICING_URL: `grpc://${HOST}:${pricing}`,
    QUOTE_STORE_URL: `grpc://${HOST}:${quoteStore}`,
    APPLICATION_URL: `grpc://${HOST}:1`,
    HOSTED_BASE_URL: HOSTED_URL,
    API_BASE_URL: 'https://api.example',
    DOCS_URL,
    SERVE_DOCS: 'false',
    KEY_PEPPER,
    ANSWER_SECRETS: ANSWER_SECRET,
  };
  const child = spawn(process.execPath, [ENTRY], { env, stdio: 'inherit' });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  t.after(kill);
  await until(async () => child.exitCode !== null || isServing({ host: HOST, port: rpcPort }), SECONDS);
  assert.equal(child.exitCode, null, 'it serves');
  return {
    kill,
    pause: () => child.kill('SIGSTOP'),
    goOn: () => child.kill('SIGCONT'),
    /** The same request as the scene's `post` sends; null where the connection breaks before there is an answer. */
    async post(apiKey: string): Promise<Answered | null> {
      const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': 'k' };
      try {
        const answer = await fetch(`http://${HOST}:${httpPort}/v1/quotes`, { method: 'POST', headers, body: BODY });
        return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
      } catch {
        return null;
      }
    },
  };
}

/** Holds a lock in a database, from when it returns until `release`. */
async function holdLock(database: Database, statement: string): Promise<{ release(): Promise<void> }> {
  const gate = makeGate();
  const holding = database.transaction(async ({ query }) => {
    await query(statement, []);
    await gate.pass();
  });
  await gate.reached;
  return {
    async release() {
      gate.open();
      await holding;
    },
  };
}

const WAITING = "wait_event_type = 'Lock' AND datname = current_database()";

function untilWaiting(database: Database): Promise<void> {
  const count = `SELECT pid FROM pg_stat_activity WHERE ${WAITING}`;
  return until(async () => (await database.read(count, [])).length > 0, SECONDS);
}

describe('a gateway process that ends between claim and answer', () => {
  it('leaves its key in progress for two minutes, then lost, and no quote ever appears: killed before it stores', async (t) => {
    const gate = makeGate();
    const { parts, apiKey, other, quotes, moveTo, post } = await startKeyedGateways(t, { before: gate.pass });
    const gateway = await startProcess(t, parts);
    const asked = gateway.post(apiKey);
    await gate.reached;
    await gateway.kill();
    assert.equal(await asked, null);
    gate.open();
    for (const by of [undefined, other]) assert.equal(outcomeOf(await post({ ...(by && { by }) })), IN_PROGRESS);
    await moveTo(TWO_MINUTES_LATER);
    assert.equal(outcomeOf(await post()), IN_PROGRESS);
    await moveTo(OVER_TWO_MINUTES_LATER);
    for (const by of [other, undefined]) assert.equal(outcomeOf(await post({ ...(by && { by }) })), RECORD_LOST);
    assert.equal(await countQuotes(quotes), 0);
    assert.equal((await post({ key: 'new' })).status, 201);
    assert.equal(await countQuotes(quotes), 1);
  });

  it('does not make a quote late: paused until its key is lost, it comes back and is refused', async (t) => {
    const gate = makeGate();
    const { parts, apiKey, quotes, moveTo, post } = await startKeyedGateways(t, { before: gate.pass });
    const gateway = await startProcess(t, parts);
    const asked = gateway.post(apiKey);
    await gate.reached;
    gateway.pause();
    gate.open();
    await moveTo(OVER_TWO_MINUTES_LATER);
    assert.equal(outcomeOf(await post()), RECORD_LOST);
    gateway.goOn();
    const late = await asked;
    assert.ok(late);
    assert.equal(outcomeOf(late), RECORD_LOST);
    assert.equal(outcomeOf(await post()), RECORD_LOST);
    assert.equal(await countQuotes(quotes), 0);
  });

  it('makes no second quote where the first was on its way: what had arrived stays, and the key is lost', async (t) => {
    const { parts, apiKey, quotes, moveTo, post } = await startKeyedGateways(t);
    const gateway = await startProcess(t, parts);
    const lock = await holdLock(quotes, 'LOCK TABLE quotes IN EXCLUSIVE MODE');
    const asked = gateway.post(apiKey);
    await untilWaiting(quotes);
    await gateway.kill();
    assert.equal(await asked, null);
    await lock.release();
    await until(async () => (await countQuotes(quotes)) === 1, 5_000);
    await moveTo(OVER_TWO_MINUTES_LATER);
    for (let count = 0; count < 2; count += 1) assert.equal(outcomeOf(await post()), RECORD_LOST);
    assert.equal(await countQuotes(quotes), 1);
  });

  it('is lost where its answer was not recorded, though its quote is stored', async (t) => {
    const { parts, apiKey, keys, quotes, moveTo, post } = await startKeyedGateways(t);
    const gateway = await startProcess(t, parts);
    const lock = await holdLock(quotes, 'LOCK TABLE quotes IN EXCLUSIVE MODE');
    const asked = gateway.post(apiKey);
    await untilWaiting(quotes);
    const record = await holdLock(keys, 'SELECT key FROM idempotency_keys FOR UPDATE');
    await lock.release();
    await untilWaiting(keys);
    await gateway.kill();
    await keys.read(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${WAITING}`, []);
    await record.release();
    assert.equal(await asked, null);
    assert.equal(await countQuotes(quotes), 1);
    assert.equal(outcomeOf(await post()), IN_PROGRESS);
    await moveTo(OVER_TWO_MINUTES_LATER);
    for (let count = 0; count < 2; count += 1) assert.equal(outcomeOf(await post()), RECORD_LOST);
    assert.equal(await countQuotes(quotes), 1);
  });

  it('is replayed where its answer had reached the database', async (t) => {
    const { parts, apiKey, keys, quotes, post } = await startKeyedGateways(t);
    const gateway = await startProcess(t, parts);
    const lock = await holdLock(quotes, 'LOCK TABLE quotes IN EXCLUSIVE MODE');
    const asked = gateway.post(apiKey);
    await untilWaiting(quotes);
    const record = await holdLock(keys, 'SELECT key FROM idempotency_keys FOR UPDATE');
    await lock.release();
    await untilWaiting(keys);
    await gateway.kill();
    await record.release();
    assert.equal(await asked, null);
    let replay = await post();
    await until(async () => {
      replay = await post();
      return replay.status === 201;
    }, SECONDS);
    assert.equal(replay.headers['idempotent-replayed'], 'true');
    assert.equal(await countQuotes(quotes), 1);
  });
});
