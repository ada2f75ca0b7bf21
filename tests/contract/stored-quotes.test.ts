import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { changed, fullRequest } from '@pfq/gateway/requests/sample-request.test-support';
import { errorOf, outcomeOf } from '@pfq/gateway/running-gateway.test-support';
import { AS_DANA, AS_STRANGER, makeAgency, makeKey, startWholeGateway } from '@pfq/gateway/whole-gateway.test-support';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { KeyType } from '@pfq/proto/gateway/v1/admin_pb';
import { failsWith } from '../support/failures.ts';
import { makeDatabases, startPricing, startStore } from './services-of-gateway.ts';

const BODY = JSON.stringify(changed(fullRequest(), 'broker_email'));
const UNKNOWN_ID = `qte_${'0'.repeat(22)}`;

/** The gateway, pricing that makes figures up, and the real quote store, with one test quote of ana@a.example. */
async function startAll(t: TestContext, repriced?: { apr: number }) {
  const [gatewayDatabase, storeDatabase] = await makeDatabases(t);
  const quoteStore = await startStore(t, storeDatabase.url);
  const pricing = await startPricing(t, repriced);
  const gateway = await startWholeGateway(t, { databaseUrl: gatewayDatabase.url, pricing, quoteStore });
  const agencyId = await makeAgency(gateway, 'ana@a.example', 'ben@a.example');
  const { secret: key } = await makeKey(gateway, { agencyId, brokerEmail: 'ana@a.example' });
  const created = await gateway.ask('POST', '/v1/quotes', { key, body: BODY });
  assert.equal(created.status, 201, created.body);
  const id = /"id":"(qte_\w+)"/.exec(created.body)?.[1] ?? '';
  return { gateway, agencyId, key, created, id, quotes: storeDatabase.open() };
}

test('a quote is read back byte for byte but for its hosted link', async (t) => {
  const { gateway, key, created, id } = await startAll(t);
  const read = await gateway.ask('GET', `/v1/quotes/${id}`, { key });
  assert.equal(read.status, 200);
  assert.equal(read.body, created.body.replace(/"hosted_url":"[^"]+"/, '"hosted_url":null'));
});

test('a quote of another agency, mode or broker, an unknown and a malformed id are one and the same 404', async (t) => {
  const { gateway, agencyId, key, id } = await startAll(t);
  const other = await makeAgency(gateway, 'ana@a.example');
  const ana = { agencyId, brokerEmail: 'ana@a.example' };
  const owner = await makeKey(gateway, { ...ana, type: KeyType.BROKER });
  const colleague = await makeKey(gateway, { agencyId, brokerEmail: 'ben@a.example' });
  const hiddenFrom = [
    await makeKey(gateway, { agencyId: other, brokerEmail: 'ana@a.example' }),
    await makeKey(gateway, { ...ana, mode: Mode.LIVE }),
    await makeKey(gateway, { agencyId, brokerEmail: 'ben@a.example', type: KeyType.BROKER }),
  ];
  for (const { secret } of [owner, colleague]) {
    assert.equal((await gateway.ask('GET', `/v1/quotes/${id}`, { key: secret })).status, 200);
  }
  const noIds = [
    UNKNOWN_ID,
    id.toLowerCase(),
    id.slice(0, -1),
    `${id}%00`,
    '%00',
    '%F0%9F%98%80',
    '..%2f',
    `qte_${'x'.repeat(10_000)}`,
    "'%20OR%201=1--",
  ];
  const answers = await Promise.all([
    ...hiddenFrom.map(({ secret }) => gateway.ask('GET', `/v1/quotes/${id}`, { key: secret })),
    ...noIds.map((noId) => gateway.ask('GET', `/v1/quotes/${noId}`, { key })),
  ]);
  for (const answer of answers) assert.equal(outcomeOf(answer), '404 NOT_FOUND');
  const bodies = answers.map((answer) => answer.body.replace(String(errorOf(answer)['request_id']), ''));
  assert.equal(new Set(bodies).size, 1);
});

test('the operator sees any quote as its agency would, and where it came from', async (t) => {
  const { gateway, agencyId, key, id } = await startAll(t);
  const read = await gateway.ask('GET', `/v1/quotes/${id}`, { key });
  const { json } = await gateway.quotes.showQuote({ quoteId: id }, AS_DANA);
  const shown: unknown = JSON.parse(json);
  assert.deepEqual(shown, {
    ...JSON.parse(read.body),
    agency_id: agencyId,
    priced_under: {
      engine_version: '1',
      rate_sheet_version: 1,
      settings_version: 2,
      carrier_directory_version: 0,
      declined_list_version: 0,
      coverage_list_version: '',
    },
  });
  for (const quoteId of [UNKNOWN_ID, '', 'x\0']) {
    await failsWith(gateway.quotes.showQuote({ quoteId }, AS_DANA), { code: 'NOT_FOUND' });
    await failsWith(gateway.quotes.verifyQuote({ quoteId }, AS_DANA), { code: 'NOT_FOUND' });
  }
  await failsWith(gateway.quotes.showQuote({ quoteId: id }, AS_STRANGER), { code: 'INVALID_API_KEY' });
});

test('a stored quote that prices the same is verified', async (t) => {
  const { gateway, id } = await startAll(t);
  const { match, differences } = await gateway.quotes.verifyQuote({ quoteId: id }, AS_DANA);
  assert.deepEqual([match, differences], [true, []]);
});

test('a price that no longer comes out the same is told by its path', async (t) => {
  const { gateway, id } = await startAll(t, { apr: 1_105 });
  const { match, differences } = await gateway.quotes.verifyQuote({ quoteId: id }, AS_DANA);
  assert.equal(match, false);
  assert.partialDeepStrictEqual(differences, [{ param: 'options[0].apr', stored: '0.1104', repriced: '0.1105' }]);
});

const TAMPERINGS: readonly (readonly [column: string, from: string, to: string, param: string])[] = [
  ['priced_members', '"apr":0.1104', '"apr":0.0904', 'options[0].apr'],
  ['priced_members', '"options":', '"options" :', ''],
  ['priced_members', '"options":[', '"options":', ''],
  ['request_members', '"total":"12250.00"', '"total":"10.00"', 'policies[0].total'],
  ['request_members', '"source":"am_best"', '"source":"assumed"', 'policies[0].carrier.am_best.source'],
  ['request_members', '"policies":', '', ''],
  ['request_members', '"policies":', '"recommended_option_id":"opt_15_5","policies":', ''],
];
for (const [column, from, to, param] of TAMPERINGS) {
  test(`${from} turned into ${to || 'nothing'} behind the store's back is told as a difference`, async (t) => {
    const { gateway, id, quotes } = await startAll(t);
    const tamper = `UPDATE quotes SET ${column} = convert_to(replace(convert_from(${column}, 'UTF8'), $1, $2), 'UTF8') RETURNING id`;
    assert.equal((await quotes.write(tamper, [from, to])).length, 1);
    const { match, differences } = await gateway.quotes.verifyQuote({ quoteId: id }, AS_DANA);
    assert.equal(match, false);
    assert.deepEqual(
      differences.map((difference) => difference.param),
      [param],
    );
  });
}
