import { create } from '@bufbuild/protobuf';
import { DifferenceSchema } from '@pfq/proto/gateway/v1/admin_pb';
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { usePfq } from '../testing/use-pfq.ts';

const AGENCY = 'agy_0000000000000000000001';
const QUOTE = 'qte_0000000000000000000001';
const TIME = '2026-11-20T09:30:00.000Z';
const PERSON = ['--agency', AGENCY, '--email', 'ana@lonestar.example'];
const NEW_KEY = ['--agency', AGENCY, '--mode', 'test', '--type', 'agency', '--broker', 'a@x.example', '--name', 'n'];

const { fake, folder, pfq } = usePfq();

async function pfqJson(...args: string[]): Promise<unknown> {
  const { exitCode, output, errors } = await pfq(...args, '--json');
  assert.deepEqual({ exitCode, errors }, { exitCode: 0, errors: '' });
  return JSON.parse(output);
}

test('an agency is created, switched and listed', async () => {
  const created = { id: AGENCY, name: 'Lone Star', live_enabled: false, test_enabled: false, created_at: TIME };
  assert.deepEqual(await pfqJson('agency', 'create', '--name', 'Lone Star'), created);
  const live = { ...created, live_enabled: true };
  assert.deepEqual(await pfqJson('agency', 'switch', AGENCY, '--live', 'on'), live);
  const both = await pfqJson('agency', 'switch', AGENCY, '--live', 'off', '--test', 'on');
  assert.deepEqual(both, { ...created, test_enabled: true });
  assert.deepEqual(await pfqJson('agency', 'list'), { object: 'list', data: [both] });
});

test('brokers are created or invited, activated, deactivated and listed', async () => {
  await pfq('agency', 'create', '--name', 'Lone Star');
  const ana = {
    id: 'brk_0000000000000000000001',
    agency_id: AGENCY,
    email: 'ana@lonestar.example',
    name: 'Ana Ruiz',
    status: 'invited',
    created_at: TIME,
  };
  assert.deepEqual(await pfqJson('broker', 'invite', ...PERSON, '--name', 'Ana Ruiz'), ana);
  assert.deepEqual(await pfqJson('broker', 'activate', ...PERSON), { ...ana, status: 'active' });
  const inactive = { ...ana, status: 'inactive' };
  assert.deepEqual(await pfqJson('broker', 'deactivate', ...PERSON), inactive);
  const ben = ['--agency', AGENCY, '--email', 'ben@lonestar.example', '--name', 'Ben'];
  const second = { ...ana, id: 'brk_0000000000000000000002', email: ben[3], name: 'Ben', status: 'active' };
  assert.deepEqual(await pfqJson('broker', 'create', ...ben), second);
  assert.deepEqual(await pfqJson('broker', 'list', '--agency', AGENCY), { object: 'list', data: [inactive, second] });
});

test('a key is shown once, then listed without its secret, and revoked', async () => {
  await pfq('agency', 'create', '--name', 'Lone Star');
  const id = 'key_0000000000000000000001';
  const stored = {
    id,
    agency_id: AGENCY,
    mode: 'test',
    type: 'agency',
    broker_email: 'a@x.example',
    scopes: ['quotes:write', 'quotes:read'],
    name: 'n',
    expires_on: '2028-02-29',
    revoked_at: null,
    created_at: TIME,
  };
  const scopes = ['--scopes', 'quotes:write, quotes:read'];
  const created = await pfqJson('key', 'create', ...NEW_KEY, ...scopes, '--expires', '2028-02-29');
  assert.deepEqual(created, { ...stored, key: `pfq_secret_of_${id}` });
  assert.deepEqual(await pfqJson('key', 'list', '--agency', AGENCY), { object: 'list', data: [stored] });
  assert.deepEqual(await pfqJson('key', 'revoke', id), { ...stored, revoked_at: TIME });
});

test("a key's counters are set to zero, and what they were is told", async () => {
  const id = 'key_0000000000000000000001';
  assert.deepEqual(await pfqJson('counters', 'reset', '--key', id), {
    id,
    requests_this_minute: 7,
    quotes_today: 3,
  });
  const said = `${id} starts from zero: it had made 7 requests this minute and 3 quotes today.\n`;
  assert.equal((await pfq('counters', 'reset', '--key', id)).output, said);
});

test('loading says how much is on its way, in place of which the answer stands', async () => {
  await writeFile(path.join(folder(), 'rates.json'), '{ "rates": { "1": 0.04, "12": 0.041 } }');
  assert.deepEqual((await pfq('rates', 'load', 'rates.json')).progress, ['2 rates are on their way', '']);
  await writeFile(path.join(folder(), 'carriers.csv'), 'name,naic_code,am_best_id,rating\nTestbed,,,A');
  assert.deepEqual((await pfq('carriers', 'load', 'carriers.csv')).progress, ['1 carriers are on their way', '']);
});

test('a rate sheet is sent as its file has it, and shown so that it can be loaded again', async () => {
  const text = '{ "as_of": "2026-11-20", "source": "desk", "rates": { "12": 0.0410, "1": 0.0400 } }';
  await writeFile(path.join(folder(), 'rates.json'), `\u{FEFF}${text}\n`);
  assert.deepEqual(await pfqJson('rates', 'load', 'rates.json'), { version: 1 });
  assert.deepEqual(fake().state.rateSheets, [`${text}\n`]);
  assert.equal((await pfq('rates', 'show', '--json')).output, `${text}\n`);
  assert.match((await pfq('rates', 'show')).output, /^version +1\nas_of +2026-11-20\nsource +desk\n\nmonths +rate\n/);
});

test('settings are shown so that they can be set again', async () => {
  const { output } = await pfq('settings', 'show', '--json');
  await writeFile(path.join(folder(), 'settings.json'), output);
  assert.deepEqual(await pfqJson('settings', 'set', 'settings.json'), { version: 2 });
  assert.deepEqual(fake().state.settings[1], fake().state.settings[0]);
  assert.match((await pfq('settings', 'show')).output, /^rate_sheet_max_age_days +7$/m);
});

test('a carrier directory is loaded and searched, with null for what is not on file', async () => {
  const lines = ['name,naic_code,am_best_id,rating', 'Testbed One,00001,999901,A++', 'Testbed Two,,,', 'Other,,,NR'];
  await writeFile(path.join(folder(), 'carriers.csv'), lines.join('\n'));
  assert.deepEqual(await pfqJson('carriers', 'load', 'carriers.csv'), { version: 1, carriers: 3 });
  assert.deepEqual(await pfqJson('carriers', 'find', 'testbed'), {
    object: 'list',
    data: [
      { name: 'Testbed One', naic_code: '00001', am_best_id: '999901', rating: 'A++' },
      { name: 'Testbed Two', naic_code: null, am_best_id: null, rating: null },
    ],
  });
  const { exitCode, output } = await pfq('carriers', 'find', 'nobody');
  assert.deepEqual([exitCode, output], [0, 'None.\n']);
});

test('issuers and coverage types are declined and accepted again', async () => {
  const add = ['decline', 'add'];
  assert.deepEqual(await pfqJson(...add, 'issuer', 'Bad Co'), { version: 1, issuers: ['Bad Co'], coverages: [] });
  const both = { version: 1, issuers: ['Bad Co'], coverages: ['flood'] };
  assert.deepEqual(await pfqJson(...add, 'coverage', 'flood'), both);
  const removed = await pfqJson('decline', 'remove', 'issuer', 'Bad Co');
  assert.deepEqual(removed, { ...both, issuers: [] });
});

test('a quote is shown byte for byte to programs and summed up for people', async () => {
  const json =
    `{"id":"${QUOTE}","status":"active","metadata":{"2":"b","1":"a"},"broker":{"email":"a@x.example"},` +
    '"totals":{"total":"20000.00"},"eligibility":{"status":"eligible","reasons":[]},"recommended_option_id":"opt_25_10",' +
    '"options":[{"id":"opt_25_10","apr":0.0986,"monthly_payment":"1568.62"}],"priced_under":{"engine":"1"}}';
  fake().state.quotes.set(QUOTE, { json, differences: [] });
  assert.equal((await pfq('quote', 'show', QUOTE, '--json')).output, `${json}\n`);
  const { output } = await pfq('quote', 'show', QUOTE);
  for (const line of [/^totals\.total +20000\.00$/m, /^opt_25_10 +0\.0986 .*1568\.62/m, /^priced_under\.engine +1$/m]) {
    assert.match(output, line);
  }
});

test('an ineligible quote is shown with its reasons', async () => {
  const reason = { code: 'PREMIUM_MIN', param: 'policies', message: 'The total is below 4500.00.' };
  const json = JSON.stringify({ id: QUOTE, eligibility: { status: 'ineligible', reasons: [reason] }, options: [] });
  fake().state.quotes.set(QUOTE, { json, differences: [] });
  assert.match((await pfq('quote', 'show', QUOTE)).output, /^PREMIUM_MIN +policies +The total is below 4500\.00\.$/m);
});

test('verifying a quote that still comes out the same exits 0', async () => {
  fake().state.quotes.set(QUOTE, { json: '{}', differences: [] });
  assert.deepEqual(await pfqJson('quote', 'verify', QUOTE), { id: QUOTE, match: true, differences: [] });
});

test('verifying a quote that comes out differently prints what differs and exits 1', async () => {
  const difference = { param: 'options[0].apr', stored: '0.1104', repriced: '' };
  fake().state.quotes.set(QUOTE, { json: '{}', differences: [create(DifferenceSchema, difference)] });
  const { exitCode, output, errors } = await pfq('quote', 'verify', QUOTE, '--json');
  assert.deepEqual({ exitCode, errors }, { exitCode: 1, errors: '' });
  const differences = [{ param: 'options[0].apr', stored: 0.1104 }];
  assert.deepEqual(JSON.parse(output), { id: QUOTE, match: false, differences });
  assert.match((await pfq('quote', 'verify', QUOTE)).output, /^options\[0\]\.apr +0\.1104 +–$/m);
});
