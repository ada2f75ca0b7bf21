import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { makeDatabase, setTime } from '../../../../tests/support/database.ts';
import { failsWith } from '../../../../tests/support/failures.ts';
import {
  AS_DANA,
  AS_STRANGER,
  KEY_PEPPER,
  makeAgency,
  makeKey,
  readAudit,
  startWholeGateway,
} from '../whole-gateway.test-support.ts';
import { postgresAccessStore } from './postgres-access.ts';

const NOON = '2026-11-20T12:00:30Z';
const NEW_QUOTE = { isNewQuote: true };
const WAVE = 40;

/** An agency with two test keys, at noon, and what is counted for each of them. */
async function startCounting(t: TestContext) {
  const { url, open } = await makeDatabase(t);
  const gateway = await startWholeGateway(t, { databaseUrl: url });
  const agencyId = await makeAgency(gateway, 'ana@a.example');
  const newKey = (mode: Mode = Mode.TEST) => makeKey(gateway, { agencyId, brokerEmail: 'ana@a.example', mode });
  const [key, other] = [await newKey(), await newKey()];
  const database = open();
  await setTime(database, NOON);
  const access = postgresAccessStore(database, KEY_PEPPER);
  /** What a further request finds used, itself included: of the minute, the key's day and the agency's. */
  const countOne = async (secret: string, request = NEW_QUOTE) =>
    (await access.admit(secret, request))?.windows.map(({ used }) => used);
  // In waves, because who waits two seconds for a connection is turned away.
  const countMany = async (secret: string, number: number, request = NEW_QUOTE) => {
    for (let left = number; left > 0; left -= WAVE)
      await Promise.all(Array.from({ length: Math.min(left, WAVE) }, () => countOne(secret, request)));
  };
  const reset = async (keyId: string) => {
    const { requestsThisMinute, quotesToday } = await gateway.requests.resetCounters({ keyId }, AS_DANA);
    return { requestsThisMinute, quotesToday };
  };
  return { gateway, agencyId, newKey, key, other, database, countOne, countMany, reset };
}

test('after a reset the next request of the key is its first, and the agency is left with what its other keys used', async (t) => {
  const { agencyId, key, other, database, countOne, countMany, reset } = await startCounting(t);
  await countMany(key.secret, 205);
  await countMany(key.secret, 3, { isNewQuote: false });
  await countMany(other.secret, 7);
  assert.deepEqual(await reset(key.id), { requestsThisMinute: 208, quotesToday: 205 });
  assert.deepEqual(await countOne(key.secret), [1, 1, 8]);
  assert.deepEqual(await countOne(other.secret), [8, 8, 9]);
  const [last] = (await readAudit(database)).toReversed();
  assert.deepEqual(last, {
    actor: 'dana@lender.example',
    action: 'counters.reset',
    target: key.id,
    details: { agency_id: agencyId, mode: 'test', requests_this_minute: 208, quotes_today: 205 },
  });
});

test('a key over its limits is served again from the moment of the reset', async (t) => {
  const { gateway, key, countMany, reset } = await startCounting(t);
  await countMany(key.secret, 60);
  const ask = async () => (await gateway.ask('GET', '/v1/whoami', { key: key.secret })).status;
  assert.equal(await ask(), 429);
  await reset(key.id);
  assert.equal(await ask(), 200);
});

test('the other mode of the agency keeps its count', async (t) => {
  const { newKey, key, countOne, countMany, reset } = await startCounting(t);
  const live = await newKey(Mode.LIVE);
  await countMany(live.secret, 4);
  await countMany(key.secret, 2);
  await reset(key.id);
  assert.deepEqual(await countOne(live.secret), [5, 5, 5]);
});

test('where nothing is counted a reset tells zeros and leaves no audit row', async (t) => {
  const { key, database, countMany, reset } = await startCounting(t);
  const before = await readAudit(database);
  const nothing = { requestsThisMinute: 0, quotesToday: 0 };
  assert.deepEqual(await reset(key.id), nothing, 'a key that was never used');
  await countMany(key.secret, 3, { isNewQuote: false });
  await setTime(database, '2026-11-20T12:01:00Z');
  assert.deepEqual(await reset(key.id), nothing, 'a minute that is over');
  assert.deepEqual(await readAudit(database), before);
});

test('quotes of yesterday are neither told nor taken off what the agency made today', async (t) => {
  const { key, other, database, countOne, countMany, reset } = await startCounting(t);
  await countMany(key.secret, 5);
  await setTime(database, '2026-11-21T00:00:10Z');
  await countMany(other.secret, 2);
  await countOne(key.secret, { isNewQuote: false });
  assert.deepEqual(await reset(key.id), { requestsThisMinute: 1, quotesToday: 0 });
  assert.deepEqual(await countOne(other.secret), [3, 3, 3]);
});

test('only the operator can reset, and only a key that there is', async (t) => {
  const { gateway, key, countMany, countOne } = await startCounting(t);
  await countMany(key.secret, 2);
  const { requests } = gateway;
  await failsWith(requests.resetCounters({ keyId: key.id }, AS_STRANGER), { code: 'INVALID_API_KEY' });
  for (const keyId of [`key_${'0'.repeat(22)}`, 'nobody', '', key.secret]) {
    await failsWith(requests.resetCounters({ keyId }, AS_DANA), { code: 'NOT_FOUND' });
  }
  assert.deepEqual(await countOne(key.secret), [3, 3, 3]);
});

test('resets among requests that count lose none of them: what was reset and what is left make up all', async (t) => {
  const { key, other, database, countMany, countOne, reset } = await startCounting(t);
  const counting = [countMany(key.secret, 200), countMany(other.secret, 100)];
  const resets = await Promise.all(Array.from({ length: 10 }, () => reset(key.id)));
  await Promise.all(counting);
  const taken = (of: 'requestsThisMinute' | 'quotesToday') => resets.reduce((sum, counts) => sum + counts[of], 0);
  const [minute = 0, ofKey = 0, ofAgency = 0] = (await countOne(key.secret)) ?? [];
  assert.equal(minute + taken('requestsThisMinute'), 201);
  assert.equal(ofKey + taken('quotesToday'), 201);
  assert.equal(ofAgency + taken('quotesToday'), 301);
  const audited = (await readAudit(database)).filter(({ action }) => action === 'counters.reset');
  assert.equal(audited.length, resets.filter(({ requestsThisMinute }) => requestsThisMinute > 0).length);
});
