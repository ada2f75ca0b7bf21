import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeGate } from '@pfq/gateway/keyed-writes.test-support';
import { errorOf, outcomeOf } from '@pfq/gateway/running-gateway.test-support';
import type { Answered } from '@pfq/gateway/running-gateway.test-support';
import { makeAgency, makeKey, startWholeGateway } from '@pfq/gateway/whole-gateway.test-support';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import type { Database } from '@pfq/kit/postgres';
import { until } from '../support/until.ts';
import { ANA, BEN, BODY, countQuotes, startKeyedGateways } from './keyed-gateways.ts';

const IN_PROGRESS = '409 IDEMPOTENCY_REQUEST_IN_PROGRESS';
const RECORD_LOST = '500 IDEMPOTENCY_RECORD_LOST';
const REUSED = '409 IDEMPOTENCY_KEY_REUSED';
const SECONDS = 5_000;
const TWO_MINUTES_LATER = '2026-11-20T12:02:00.000Z';
const OVER_TWO_MINUTES_LATER = '2026-11-20T12:02:00.001Z';

function idOf({ body }: Answered): string {
  return /"id":"(qte_\w+)"/.exec(body)?.[1] ?? assert.fail(body);
}

function isReplay({ headers }: Answered): boolean {
  return headers['idempotent-replayed'] === 'true';
}

function differencesIn(answer: Answered): string {
  assert.equal(outcomeOf(answer), REUSED, answer.body);
  return /with a different (.*?)\./.exec(String(errorOf(answer)['message']))?.[1] ?? '';
}

test('of 64 requests at once under one key, by two API keys through two gateways, one makes a quote; all others wait or replay it', async (t) => {
  const { one, other, newKey, quotes, post } = await startKeyedGateways(t);
  const callers = [await newKey(), await newKey()];
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, index) => {
      const by = index % 2 === 0 ? one : other;
      const as = callers[index % 4 < 2 ? 0 : 1] ?? '';
      return post({ by, as });
    }),
  );
  const created = answers.filter(({ status }) => status === 201);
  const originals = created.filter((answer) => !isReplay(answer));
  assert.equal(originals.length, 1);
  assert.equal(new Set(created.map(({ body }) => body)).size, 1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    assert.equal(outcomeOf(answer), IN_PROGRESS);
    assert.equal(answer.headers['retry-after'], '1');
  }
  assert.equal(new Set(answers.map(({ headers }) => headers['request-id'])).size, 64);
  assert.equal(await countQuotes(quotes), 1);
  for (const by of [one, other]) {
    const replay = await post({ by, as: callers[1] ?? '' });
    assert.ok(isReplay(replay));
    assert.equal(replay.body, originals[0]?.body);
  }
});

test('a new link is issued once under a key, and its replay has the same link', async (t) => {
  const { other, quotes, post } = await startKeyedGateways(t);
  const path = `/v1/quotes/${idOf(await post())}/hosted-link`;
  const fresh = await post({ path, key: 'link', body: '' });
  const replay = await post({ path, key: 'link', body: '', by: other });
  assert.deepEqual([fresh.status, replay.status, isReplay(replay)], [200, 200, true]);
  assert.equal(replay.body, fresh.body);
  const links = await quotes.read('SELECT token_hash FROM hosted_links', []);
  assert.equal(links.length, 2, 'the one of the creation and one more');
});

test('a link and a response are replayed though the quote has a response and has expired meanwhile', async (t) => {
  const { moveTo, post } = await startKeyedGateways(t);
  const id = idOf(await post());
  await moveTo('2026-12-20T11:59:59.999Z');
  const link = { key: 'link', path: `/v1/quotes/${id}/hosted-link`, body: '' };
  const response = {
    key: 'response',
    path: `/v1/test_helpers/quotes/${id}/interest`,
    body: '{"option_id":"opt_25_9"}',
  };
  const made = [await post(link), await post(response)];
  assert.deepEqual(
    made.map(({ status }) => status),
    [200, 200],
  );
  await moveTo('2026-12-20T12:00:00.000Z');
  const replays = [await post(link), await post(response)];
  assert.deepEqual(
    replays.map((replay) => [isReplay(replay), replay.status, replay.body]),
    made.map(({ status, body }) => [true, status, body]),
  );
  assert.equal(outcomeOf(await post({ ...link, key: 'another' })), '409 QUOTE_EXPIRED');
  assert.equal(outcomeOf(await post({ ...response, key: 'another' })), '409 QUOTE_ALREADY_INTERESTED');
});

test('a reused key is told which of path, body and acting broker are different', async (t) => {
  const { newKey, post } = await startKeyedGateways(t);
  const paths = [];
  for (const key of ['first quote', 'second quote']) paths.push(`/v1/quotes/${idOf(await post({ key }))}/hosted-link`);
  const [path = '', otherPath = ''] = paths;
  const ben = await newKey(BEN);
  assert.equal((await post({ path, body: '{}' })).status, 200);
  const told = async (sent: Parameters<typeof post>[0]) => differencesIn(await post(sent));
  assert.equal(await told({ path: otherPath, body: '{}' }), 'path');
  assert.equal(await told({ path, body: '{} ' }), 'body');
  assert.equal(await told({ path: path.replace('/qte_', '/%71te_'), body: '{}' }), 'path');
  assert.equal(await told({ path, body: '{}', as: ben }), 'acting broker');
  assert.equal(await told({ path: otherPath, body: '' }), 'path and body');
  assert.equal(await told({ path: otherPath, body: '{}', as: ben }), 'path and acting broker');
  assert.equal(await told({ path, body: '', as: ben }), 'body and acting broker');
  assert.equal(await told({ body: BODY, as: ben }), 'path, body and acting broker');
  assert.ok(isReplay(await post({ path: `${path}?any=query`, body: '{}' })), 'the query is no part of the path');
});

test('a broker who is named and one who is the default are the same acting broker, but not the same body', async (t) => {
  const { newKey, post } = await startKeyedGateways(t);
  const forBen = BODY.replace('{', `{"broker_email":"${BEN}",`);
  const first = await post({ body: forBen });
  assert.equal(first.status, 201);
  assert.ok(isReplay(await post({ body: forBen, as: await newKey(BEN) })));
  assert.equal(differencesIn(await post({ as: await newKey(BEN) })), 'body');
});

test("agencies and modes do not see each other's keys", async (t) => {
  const { one, agencyId, quotes, post } = await startKeyedGateways(t);
  const strangers = await makeAgency(one, ANA);
  const [stranger, live] = [
    await makeKey(one, { agencyId: strangers, brokerEmail: ANA }),
    await makeKey(one, { agencyId, brokerEmail: ANA, mode: Mode.LIVE }),
  ];
  const ids = [];
  for (const sent of [{}, { as: stranger.secret }, { as: live.secret }]) {
    const made = await post(sent);
    assert.equal(made.status, 201);
    assert.equal(isReplay(made), false);
    ids.push(idOf(made));
  }
  assert.equal(new Set(ids).size, 3);
  assert.equal(await countQuotes(quotes), 3);
});

test('what is refused leaves its key free: 404, 409, 422, 429 and 503', async (t) => {
  const all = await startKeyedGateways(t);
  const { parts, moveTo, keys, post } = all;
  const away = await startWholeGateway(t, { ...parts, pricing: 1 });
  assert.equal(outcomeOf(await post({ by: away })), '503 SERVICE_UNAVAILABLE');
  const created = await post();
  assert.deepEqual([created.status, isReplay(created)], [201, false]);

  const interest = `/v1/test_helpers/quotes/${idOf(created)}/interest`;
  const answer = (optionId: string) => JSON.stringify({ option_id: optionId });
  const none = `/v1/quotes/qte_${'0'.repeat(22)}/hosted-link`;
  const key = 'second';
  assert.equal(outcomeOf(await post({ key, path: none, body: '' })), '404 NOT_FOUND');
  assert.equal(outcomeOf(await post({ key, path: interest, body: '{}' })), '422 VALIDATION_FAILED');
  assert.equal(outcomeOf(await post({ key, path: interest, body: answer('opt_1_1') })), '422 VALIDATION_FAILED');
  await keys.write('UPDATE key_usage SET requests = 60', []);
  assert.equal(outcomeOf(await post({ key, path: interest, body: answer('opt_25_9') })), '429 RATE_LIMITED');
  await keys.write('UPDATE key_usage SET requests = 0', []);
  assert.equal((await post({ key, path: interest, body: answer('opt_25_9') })).status, 200);
  const again = { key: 'third', path: interest, body: answer('opt_25_9') };
  assert.equal(outcomeOf(await post(again)), '409 QUOTE_ALREADY_INTERESTED');
  await moveTo('2026-12-20T12:00:00.000Z');
  const link = { key: 'third', path: `/v1/quotes/${idOf(created)}/hosted-link`, body: '' };
  assert.equal(outcomeOf(await post(link)), '409 QUOTE_EXPIRED');
  const made = await post({ key: 'third' });
  assert.deepEqual([made.status, isReplay(made)], [201, false]);
});

test('a request that hangs is in progress for two minutes, then lost on every gateway, and what it sends late is refused', async (t) => {
  const gate = makeGate();
  const { one, other, moveTo, quotes, post } = await startKeyedGateways(t, { before: gate.pass });
  const hanging = post();
  await gate.reached;
  assert.equal(outcomeOf(await post({ by: other })), IN_PROGRESS);
  await moveTo(TWO_MINUTES_LATER);
  assert.equal(outcomeOf(await post({ by: other })), IN_PROGRESS);
  await moveTo(OVER_TWO_MINUTES_LATER);
  const lost = await Promise.all([post({ by: other }), post({ by: one })]);
  for (const answer of lost) {
    assert.equal(outcomeOf(answer), RECORD_LOST);
    assert.deepEqual([answer.headers['retry-after'], isReplay(answer)], [undefined, false]);
  }
  gate.open();
  assert.equal(outcomeOf(await hanging), RECORD_LOST);
  assert.equal(await countQuotes(quotes), 0);
  await moveTo('2026-11-21T11:59:59.999Z');
  assert.equal(outcomeOf(await post()), RECORD_LOST);
  await moveTo('2026-11-21T12:00:00.000Z');
  assert.equal((await post()).status, 201, 'after a day the key is as good as new');
  assert.equal(await countQuotes(quotes), 1);
});

test('a late answer counts where nobody has asked meanwhile', async (t) => {
  const gate = makeGate();
  const { other, moveTo, post } = await startKeyedGateways(t, { before: gate.pass });
  const hanging = post();
  await gate.reached;
  await moveTo('2026-11-20T12:30:00.000Z');
  gate.open();
  const answered = await hanging;
  assert.equal(answered.status, 201);
  assert.equal((await post({ by: other })).body, answered.body);
});

test('a replay is counted like any request, and lasts a day', async (t) => {
  const { moveTo, post } = await startKeyedGateways(t);
  const first = await post();
  const replay = await post();
  const remaining = ({ headers }: Answered) => Number(headers['ratelimit-remaining']);
  assert.equal(remaining(replay), remaining(first) - 1);
  assert.equal(replay.headers['service-version'], first.headers['service-version']);
  await moveTo('2026-11-21T11:59:59.999Z');
  assert.ok(isReplay(await post()));
  await moveTo('2026-11-21T12:00:00.000Z');
  const next = await post();
  assert.deepEqual([next.status, isReplay(next)], [201, false]);
  assert.notEqual(idOf(next), idOf(first));
});

test('expired keys are removed by the gateways themselves', async (t) => {
  const { parts, moveTo, keys, post } = await startKeyedGateways(t);
  await post();
  await post({ key: 'of later' }).then(() => moveTo('2026-11-21T12:00:00.000Z'));
  await post({ key: 'young' });
  await startWholeGateway(t, parts);
  const left = async () =>
    (await keys.read<{ key: string }>('SELECT key FROM idempotency_keys', [])).map(({ key }) => key);
  await until(async () => (await left()).length === 1, SECONDS);
  assert.deepEqual(await left(), ['young']);
});

test('neither link nor token stands in a dump of the databases, in whatever form', async (t) => {
  const { keys, quotes, post } = await startKeyedGateways(t);
  const created = await post();
  const renewed = await post({ key: 'l', path: `/v1/quotes/${idOf(created)}/hosted-link`, body: '' });
  assert.ok(isReplay(await post()));
  const dumps = [await dump(keys), await dump(quotes)];
  assert.ok(dumps[0]?.includes('idempotency_keys') && dumps[1]?.includes('hosted_links'));
  assert.ok(dumps[1]?.includes(idOf(created)), 'the dump shows what is kept');
  for (const answer of [created, renewed]) {
    const [, url = '', token = ''] = /"hosted_url":"([^"]+\/q\/([\w-]+))"/.exec(answer.body) ?? [];
    assert.ok(token.length >= 43);
    const forms = [url, token, ...[Buffer.from(url), Buffer.from(token), Buffer.from(token, 'base64url')].map(toHex)];
    for (const form of forms) for (const text of dumps) assert.ok(!text.includes(form), form);
  }
});

function toHex(bytes: Buffer): string {
  return bytes.toString('hex');
}

/** Every row of every table as text, bytes in hexadecimal. */
async function dump(database: Database): Promise<string> {
  const tables = await database.read<{ name: string }>(
    "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
    [],
  );
  const rows = await Promise.all(
    tables.map(({ name }) => database.read(`SELECT '${name}' AS table_name, kept::text FROM ${name} AS kept`, [])),
  );
  return JSON.stringify(rows);
}
