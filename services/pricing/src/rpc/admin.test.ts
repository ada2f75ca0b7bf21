import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { DeclinedKind, PricingAdminService } from '@pfq/proto/pricing/v1/admin_pb';
import type { DirectoryCarrierSchema } from '@pfq/proto/pricing/v1/admin_pb';
import { failsWith } from '../../../../tests/support/failures.ts';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import type { TestDatabase } from '../../../../tests/support/database.ts';
import { DEFAULT_SETTINGS, formatSettings } from '../domain/settings-text.ts';
import { A_MINUS_CARRIER, flatSheet, PRICED_AT, workedExample } from '../examples.test-support.ts';
import { AS_OPERATOR, AS_STRANGER, readAudit, startPricing } from '../running-pricing.test-support.ts';
import type { RunningPricing } from '../running-pricing.test-support.ts';

const DEFAULT_JSON = formatSettings(DEFAULT_SETTINGS);

let database: TestDatabase;
let service: RunningPricing;
let admin: RunningPricing['admin'];

before(async () => {
  database = await createTestDatabase();
  service = await startPricing(database.url);
  ({ admin } = service);
});

after(async () => {
  await service.stop();
  await database.drop();
});

async function readVersions() {
  return (await service.pricing.priceDeal({ deal: workedExample(), pricedAt: PRICED_AT })).pricedUnder;
}

test('carriers are found by part of their name, NAIC code or AM Best number: at most 50, by name', async () => {
  const find = async (query: string) => {
    const { carriers } = await admin.findCarriers({ query }, AS_OPERATOR);
    return carriers.map(({ name }) => name);
  };
  assert.deepEqual(await find('insurance'), []);
  const numbered = Array.from({ length: 60 }, (_, index) => `Numbered ${String(59 - index).padStart(2, '0')}`);
  const carriers = [
    { name: 'Zeta Insurance', naicCode: '11111', amBestId: '000007', rating: 'A+' },
    { name: 'Alpha & Beta Insurance', naicCode: '22222' },
    ...numbered.map((name) => ({ name })),
  ];
  assert.equal((await admin.loadCarriers({ carriers }, AS_OPERATOR)).carriers, 62);
  assert.deepEqual(await find('INSURANCE'), ['Alpha & Beta Insurance', 'Zeta Insurance']);
  assert.deepEqual(await find('alpha and beta'), ['Alpha & Beta Insurance']);
  assert.deepEqual(await find(' 11111 '), ['Zeta Insurance']);
  assert.deepEqual(await find('000007'), ['Zeta Insurance']);
  assert.deepEqual(await find('nobody'), []);
  assert.deepEqual(await find('numbered'), numbered.toReversed().slice(0, 50));
  const found = await admin.findCarriers({ query: 'beta' }, AS_OPERATOR);
  assert.deepEqual(
    { ...found.carriers[0] },
    {
      $typeName: 'pfq.pricing.v1.DirectoryCarrier',
      name: 'Alpha & Beta Insurance',
      naicCode: '22222',
      amBestId: '',
      rating: '',
    },
  );
});

test('a refused load names every problem, changes nothing and leaves no trace in the audit log', async () => {
  await admin.loadRateSheet({ json: flatSheet('0.0400') }, AS_OPERATOR);
  await admin.loadCarriers({ carriers: [A_MINUS_CARRIER] }, AS_OPERATOR);
  const audit = await readAudit(database.url);
  const versions = await readVersions();

  const loadCarriers = (carriers: MessageInitShape<typeof DirectoryCarrierSchema>[]) =>
    admin.loadCarriers({ carriers }, AS_OPERATOR);
  const decline = (kind: DeclinedKind, value: string) =>
    admin.changeDeclined({ kind, value, declined: true }, AS_OPERATOR);
  const refused: readonly [call: Promise<unknown>, params: readonly string[]][] = [
    [
      admin.loadRateSheet({ json: '{ "as_of": "2026-02-30", "rates": { "1": -0.01, "x": 0.04 } }' }, AS_OPERATOR),
      ['as_of', 'source', 'rates.1', 'rates.x'],
    ],
    [
      admin.setSettings(
        { json: DEFAULT_JSON.replace(/ {2}"legal_cap".*\n/, '').replace('"218.00"', '218') },
        AS_OPERATOR,
      ),
      ['fixed_cost', 'legal_cap'],
    ],
    [admin.setSettings({ json: DEFAULT_JSON.replace('"175000.00"', '"4499.99"') }, AS_OPERATOR), ['premium_max']],
    [
      loadCarriers([{ name: ' ', naicCode: '1', rating: 'Z' }]),
      ['name', 'naic_code', 'rating'].map((f) => `carriers[0].${f}`),
    ],
    [loadCarriers([A_MINUS_CARRIER, { name: 'A\0B' }]), ['carriers[1]']],
    [loadCarriers([]), ['carriers']],
    [decline(DeclinedKind.COVERAGE, 'Flood'), ['value']],
    [decline(DeclinedKind.ISSUER, ' … '), ['value']],
    [decline(DeclinedKind.ISSUER, 'A\0B'), ['value']],
    [decline(DeclinedKind.ISSUER, '22004'), ['value']],
    [decline(DeclinedKind.UNSPECIFIED, 'flood'), ['kind']],
  ];
  for (const [call, params] of refused) {
    await failsWith(call, (error: { code: string; details: readonly { param?: string }[] }) => {
      assert.equal(error.code, 'VALIDATION_FAILED');
      assert.deepEqual(new Set(error.details.map(({ param }) => param)), new Set(params));
      return true;
    });
  }
  await failsWith(admin.loadRateSheet({ json: '{' }, AS_OPERATOR), { code: 'INVALID_JSON' });

  assert.deepEqual(await readVersions(), versions);
  assert.deepEqual(await readAudit(database.url), audit);
});

test('every admin call is refused without the operator token, and changes nothing', async () => {
  const audit = await readAudit(database.url);
  const calls = Object.values(admin);
  assert.equal(calls.length, PricingAdminService.methods.length);
  for (const call of calls) {
    await failsWith(call({}), { code: 'INVALID_API_KEY' });
    await failsWith(call({}, AS_STRANGER), { code: 'INVALID_API_KEY' });
  }
  assert.deepEqual(await readAudit(database.url), audit);
});
