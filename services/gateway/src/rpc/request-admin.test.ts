import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { makeDatabase } from '../../../../tests/support/database.ts';
import { failsWith } from '../../../../tests/support/failures.ts';
import { openRelay } from '../../../../tests/support/relay.ts';
import { until } from '../../../../tests/support/until.ts';
import type { Answered } from '../running-gateway.test-support.ts';
import { AS_DANA, AS_STRANGER, makeAgency, makeKey, startWholeGateway } from '../whole-gateway.test-support.ts';

const SECONDS = 10_000;
/** No statement that is not answered ends before. */
const STATEMENT_MS = 5_000;
const UNKNOWN = `req_${'0'.repeat(22)}`;

async function startWithKey(t: TestContext, { requestLogDays = 30 } = {}) {
  const made = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: made.url, requestLogDays });
  const agencyId = await makeAgency(gateway, 'ana@a.example');
  const key = await makeKey(gateway, { agencyId, brokerEmail: 'ana@a.example' });
  const show = (requestId: string) => gateway.requests.showRequest({ requestId }, AS_DANA);
  /** Once it is written, a moment after its answer. */
  const shown = async ({ headers }: Pick<Answered, 'headers'>) => {
    const requestId = String(headers['request-id']);
    await until(() => show(requestId).then(Boolean, () => false), SECONDS);
    return show(requestId);
  };
  return { made, gateway, agencyId, key, show, shown };
}

test('the operator sees of a request what became of it, and nothing of what it said', async (t) => {
  const { gateway, agencyId, key, shown } = await startWithKey(t);
  const before = new Date();
  const answer = await gateway.ask('POST', '/v1/quotes?secret=1', {
    key: key.secret,
    headers: { 'idempotency-key': 'a key of the caller' },
    body: '{"insured":{"name":"Hill Country Roofing"}}',
  });
  const found = await shown(answer);
  const { request } = found;
  assert.ok(request?.receivedAt);
  assert.ok(Math.abs(timestampDate(request.receivedAt).getTime() - before.getTime()) < SECONDS);
  assert.partialDeepStrictEqual(request, {
    requestId: answer.headers['request-id'],
    method: 'POST',
    path: '/v1/quotes',
    route: '/v1/quotes',
    status: 422,
    errorCode: 'VALIDATION_FAILED',
    agencyId,
    mode: Mode.TEST,
    keyId: key.id,
    apiVersion: '2026-09-23',
    hasIdempotencyKey: true,
  });
  assert.equal(request.quoteId, undefined);
  assert.equal(request.replayOf, undefined);
  assert.ok(request.durationUs > 0n);
  const text = JSON.stringify(found, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
  for (const secret of [key.secret, 'a key of the caller', 'Hill Country', 'secret=1'])
    assert.ok(!text.includes(secret));
});

test('a request of nobody is kept too, with all that may be absent left out', async (t) => {
  const { gateway, shown } = await startWithKey(t);
  const { request } = await shown(await gateway.ask('GET', '/v1/whoami', { key: 'none' }));
  assert.partialDeepStrictEqual(request, { status: 401, errorCode: 'INVALID_API_KEY', mode: Mode.UNSPECIFIED });
  for (const absent of ['agencyId', 'keyId', 'quoteId', 'replayOf'] as const)
    assert.equal(request?.[absent], undefined);
});

test('an id under which nothing is kept is told with how long requests are kept, and where else to look', async (t) => {
  const { show } = await startWithKey(t, { requestLogDays: 7 });
  for (const id of [UNKNOWN, 'req_cut', '', 'qte_0']) {
    await failsWith(show(id), { code: 'NOT_FOUND', message: /kept for 7 days.*hosted page.*logs/ });
  }
});

test('a gateway that keeps requests for no days keeps none and says so', async (t) => {
  const { made, gateway, key, show } = await startWithKey(t, { requestLogDays: 0 });
  const answer = await gateway.ask('GET', '/v1/whoami', { key: key.secret });
  await gateway.ask('GET', '/v1/whoami', { key: key.secret });
  const id = String(answer.headers['request-id']);
  await failsWith(show(id), { code: 'NOT_FOUND', message: /keeps no requests \(REQUEST_LOG_DAYS is 0\)/ });
  await gateway.stop();
  assert.deepEqual(await made.open().read('SELECT request_id FROM requests', []), []);
});

test('nobody but the operator is shown a request', async (t) => {
  const { gateway } = await startWithKey(t);
  await failsWith(gateway.requests.showRequest({ requestId: UNKNOWN }, AS_STRANGER), { code: 'INVALID_API_KEY' });
});

test('what was answered before the gateway stopped is kept', async (t) => {
  const { made, gateway, key } = await startWithKey(t);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => gateway.ask('GET', '/v1/whoami', { key: key.secret })),
  );
  await gateway.stop();
  const rows = await made.open().read<{ id: string }>('SELECT request_id AS id FROM requests', []);
  const kept = new Set(rows.map(({ id }) => id));
  assert.deepEqual(
    answers.filter(({ headers }) => !kept.has(String(headers['request-id']))),
    [],
  );
});

test('while the database is away requests are answered as ever, and kept once it is back', async (t) => {
  const { made, gateway, key, shown } = await startWithKey(t);
  await made.refuseConnections();
  const refused = await gateway.ask('GET', '/v1/whoami', { key: key.secret });
  const elsewhere = await gateway.ask('GET', '/elsewhere', { key: key.secret });
  const mistyped = await gateway.ask('GET', '/v1/whoami', { key: 'none' });
  assert.deepEqual([refused.status, elsewhere.status, mistyped.status], [503, 404, 401]);
  await made.acceptConnections();
  for (const [answer, status] of [
    [refused, 503],
    [elsewhere, 404],
    [mistyped, 401],
  ] as const) {
    assert.equal((await shown(answer)).request?.status, status);
  }
});

test('while the database gives no sign of life, what needs none of it is answered at once, and kept once it is back', async (t) => {
  const { url } = await makeDatabase(t);
  const { hostname: host, port } = new URL(url);
  const relay = await openRelay({ host, port: Number(port) });
  t.after(() => t.after(() => relay.close()));
  const behind = new URL(url);
  behind.port = String(relay.port);
  const gateway = await startWholeGateway(t, { databaseUrl: behind.href });
  relay.fallSilent();
  const startedMs = performance.now();
  const answers: Answered[] = [];
  for (let round = 0; round < 20; round += 1) answers.push(await gateway.ask('GET', '/elsewhere', { key: 'none' }));
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs < STATEMENT_MS, `${tookMs} ms`);
  relay.acceptConnections();
  await until(async () => {
    const shown = answers.map(({ headers }) =>
      gateway.requests.showRequest({ requestId: String(headers['request-id']) }, AS_DANA),
    );
    return (await Promise.allSettled(shown)).every(({ status }) => status === 'fulfilled');
  }, SECONDS);
});

test('changes are read back from the audit log, newest first', async (t) => {
  const { gateway, key } = await startWithKey(t);
  await gateway.admin.revokeKey({ keyId: key.id }, AS_DANA);
  const { entries } = await gateway.audit.listEntries({ limit: 2 }, AS_DANA);
  assert.deepEqual(
    entries.map(({ actor, action, target }) => [actor, action, target]),
    [
      ['dana@lender.example', 'key.revoke', key.id],
      ['dana@lender.example', 'key.create', key.id],
    ],
  );
});
