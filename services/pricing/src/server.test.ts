import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { equals } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { DeclinedKind } from '@pfq/proto/pricing/v1/admin_pb';
import { PricedDealSchema } from '@pfq/proto/pricing/v1/pricing_pb';
import type { PriceDealResponse } from '@pfq/proto/pricing/v1/pricing_pb';
import { failsWith } from '../../../tests/support/failures.ts';
import { createTestDatabase } from '../../../tests/support/database.ts';
import type { TestDatabase } from '../../../tests/support/database.ts';
import { DEFAULT_SETTINGS, formatSettings } from './domain/settings-text.ts';
import { A_MINUS_CARRIER, flatSheet, PRICED_AT, workedExample } from './examples.test-support.ts';
import { AS_OPERATOR, readAudit, startPricing } from './running-pricing.test-support.ts';
import type { RunningPricing } from './running-pricing.test-support.ts';

const DEFAULT_JSON = formatSettings(DEFAULT_SETTINGS);

let database: TestDatabase;
let replicas: readonly [RunningPricing, RunningPricing];

beforeEach(async () => {
  database = await createTestDatabase();
  replicas = await Promise.all([startPricing(database.url), startPricing(database.url)]);
});

afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await database.drop();
});

async function price(replica: RunningPricing, pricedAt = PRICED_AT): Promise<PriceDealResponse> {
  return replica.pricing.priceDeal({ deal: workedExample(), pricedAt });
}

async function loadReferenceData({ admin }: RunningPricing): Promise<void> {
  await admin.loadCarriers({ carriers: [A_MINUS_CARRIER] }, AS_OPERATOR);
  await admin.loadRateSheet({ json: flatSheet('0.0400') }, AS_OPERATOR);
}

const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 30 };

test('two replicas that start at once on an empty database both serve the default settings, as version 1', async () => {
  for (const { admin } of replicas) {
    const { version, json } = await admin.getSettings({}, AS_OPERATOR);
    assert.equal(version, 1);
    assert.equal(json, DEFAULT_JSON);
  }
  assert.deepEqual(await readAudit(database.url), [
    { actor: 'release', action: 'settings.begin', target: 'settings 1' },
  ]);
});

test('without a rate sheet there are no prices, and loading one heals every replica without a restart', async () => {
  for (const replica of replicas) await failsWith(price(replica), UNAVAILABLE);
  await failsWith(replicas[0].admin.getRateSheet({}, AS_OPERATOR), { code: 'NOT_FOUND', message: /pfq rates load/ });
  const json = `${flatSheet('0.0400')}\r\n `;
  assert.equal((await replicas[0].admin.loadRateSheet({ json }, AS_OPERATOR)).version, 1);
  for (const replica of replicas) {
    assert.equal((await price(replica)).pricedUnder?.rateSheetVersion, 1);
    assert.equal((await replica.admin.getRateSheet({}, AS_OPERATOR)).json, json);
  }
});

test('a rate sheet past its age gives no new prices, while what it priced can still be priced again', async () => {
  await loadReferenceData(replicas[0]);
  const { priced, pricedUnder } = await price(replicas[0]);
  const tooLate = timestampFromDate(new Date('2026-12-07T00:00:00.001Z'));
  await failsWith(price(replicas[0], tooLate), UNAVAILABLE);
  assert.ok(priced && pricedUnder);
  const again = await replicas[0].pricing.repriceDeal({ deal: workedExample(), pricedUnder });
  assert.ok(again.priced && equals(PricedDealSchema, again.priced, priced));
});

test('the worked example comes over the wire to the cent', async () => {
  await loadReferenceData(replicas[0]);
  const { priced, pricedUnder } = await price(replicas[1]);
  assert.ok(priced && pricedUnder);
  assert.equal(priced.recommendedOptionId, 'opt_25_10');
  assert.equal(priced.options.length, 30);
  assert.deepEqual(
    { ...priced.options.find(({ id }) => id === 'opt_25_10') },
    {
      $typeName: 'pfq.pricing.v1.Option',
      id: 'opt_25_10',
      downPaymentBasisPoints: 2500,
      termMonths: 10,
      aprBasisPoints: 986,
      downPayment: '5000.00',
      amountFinanced: '15000.00',
      monthlyPayment: '1568.62',
      financeCharge: '686.20',
      totalOfPayments: '15686.20',
      totalCost: '20686.20',
      spreadClamped: false,
    },
  );
  assert.deepEqual(
    { ...priced.totals },
    {
      $typeName: 'pfq.pricing.v1.Totals',
      premium: '20000.00',
      taxesAndFees: '0.00',
      total: '20000.00',
      weightedMinimumEarnedBasisPoints: 2500,
      financingStartDate: '2026-12-01',
    },
  );
  assert.equal(priced.eligibility?.eligible, true);
  assert.equal(priced.eligibility.checks.length, 11);
  assert.equal(priced.readyToBind, true);
  assert.deepEqual(
    { ...priced.policies[0] },
    {
      $typeName: 'pfq.pricing.v1.PricedPolicy',
      total: '20000.00',
      minimumEarnedBasisPoints: 2500,
      rating: 'A-',
      ratingAssumed: false,
    },
  );
  assert.deepEqual(
    { ...pricedUnder },
    {
      $typeName: 'pfq.pricing.v1.PricedUnder',
      engineVersion: '1',
      rateSheetVersion: 1,
      settingsVersion: 1,
      carrierDirectoryVersion: 1,
      declinedListVersion: 0,
      coverageListVersion: '1',
    },
  );
});

const DECLINED = [
  { kind: DeclinedKind.ISSUER, value: 'example MINUS insurance company', check: 'ISSUER' },
  { kind: DeclinedKind.COVERAGE, value: 'general_liability', check: 'COVERAGE' },
];

for (const { kind, value, check } of DECLINED) {
  test(`declining "${value}" binds the next quote of every replica, and so does taking it back`, async () => {
    await loadReferenceData(replicas[0]);
    const failedChecks = async (replica: RunningPricing) => {
      const { priced } = await price(replica);
      return priced?.eligibility?.checks.filter(({ passed }) => !passed).map(({ code }) => code);
    };
    const change = (declined: boolean) => replicas[0].admin.changeDeclined({ kind, value, declined }, AS_OPERATOR);
    const { version, issuers, coverages } = await change(true);
    assert.equal(version, 1);
    assert.deepEqual([...issuers, ...coverages], [value]);
    for (const replica of replicas) assert.deepEqual(await failedChecks(replica), [check]);
    assert.equal((await change(false)).version, 2);
    for (const replica of replicas) assert.deepEqual(await failedChecks(replica), []);
    await failsWith(change(false), { code: 'NOT_FOUND' });
  });
}

test('a deal is priced again to the same answer after everything that priced it has changed', async () => {
  const [changed, other] = replicas;
  await loadReferenceData(changed);
  const { priced, pricedUnder } = await price(changed);
  assert.ok(priced && pricedUnder);

  await changed.admin.loadRateSheet({ json: flatSheet('0.0600') }, AS_OPERATOR);
  await changed.admin.setSettings(
    { json: DEFAULT_JSON.replace('"base_margin": 0.04', '"base_margin": 0.05') },
    AS_OPERATOR,
  );
  await changed.admin.loadCarriers({ carriers: [{ ...A_MINUS_CARRIER, rating: 'B' }] }, AS_OPERATOR);
  const flood = { kind: DeclinedKind.COVERAGE, value: 'general_liability', declined: true };
  await changed.admin.changeDeclined(flood, AS_OPERATOR);

  const anew = await price(other);
  assert.deepEqual(
    { ...anew.pricedUnder },
    {
      ...pricedUnder,
      rateSheetVersion: 2,
      settingsVersion: 2,
      carrierDirectoryVersion: 2,
      declinedListVersion: 1,
    },
  );
  assert.ok(anew.priced && !equals(PricedDealSchema, anew.priced, priced));
  for (const replica of replicas) {
    const again = await replica.pricing.repriceDeal({ deal: workedExample(), pricedUnder });
    assert.ok(again.priced && equals(PricedDealSchema, again.priced, priced));
  }
});

const UNKNOWN_VERSIONS = [
  { change: { engineVersion: '0' }, message: /no pricing engine of version "0"/ },
  { change: { rateSheetVersion: 9 }, message: /no rate sheet 9/ },
  { change: { settingsVersion: 9 }, message: /no pricing settings 9/ },
  { change: { carrierDirectoryVersion: 9 }, message: /no carrier directory 9/ },
  { change: { declinedListVersion: 9 }, message: /no declined list 9/ },
  { change: { coverageListVersion: '0' }, message: /no coverage list 0/ },
];

test('a deal cannot be priced again under versions that nobody has, and the answer says which', async () => {
  await loadReferenceData(replicas[0]);
  const { pricedUnder } = await price(replicas[0]);
  assert.ok(pricedUnder);
  for (const { change, message } of UNKNOWN_VERSIONS) {
    const repriced = replicas[0].pricing.repriceDeal({
      deal: workedExample(),
      pricedUnder: { ...pricedUnder, ...change },
    });
    await failsWith(repriced, { code: 'NOT_FOUND', message });
  }
});

test('a deal that breaks the contract is refused with every problem', async () => {
  await loadReferenceData(replicas[0]);
  const broken = { ...workedExample(), today: 'yesterday', policies: [] };
  const details = [
    { code: 'INVALID_FORMAT', param: 'today', message: 'today must be a real date as YYYY-MM-DD.' },
    { code: 'TOO_FEW', param: 'policies', message: 'Send 1 to 25 policies.' },
  ];
  const { pricing } = replicas[0];
  await failsWith(pricing.priceDeal({ deal: broken, pricedAt: PRICED_AT }), { code: 'VALIDATION_FAILED', details });
  await failsWith(pricing.repriceDeal({ deal: broken }), { code: 'VALIDATION_FAILED', details });
  await failsWith(pricing.priceDeal({ deal: workedExample() }), { code: 'VALIDATION_FAILED', param: 'priced_at' });
  await failsWith(pricing.repriceDeal({ deal: workedExample() }), { code: 'VALIDATION_FAILED', param: 'priced_under' });
});

test('while the database is away everything is SERVICE_UNAVAILABLE, and afterwards all is as before', async () => {
  await loadReferenceData(replicas[0]);
  const earlier = await price(replicas[0]);
  assert.ok(earlier.priced && earlier.pricedUnder);
  const { pricedUnder } = earlier;

  await database.refuseConnections();
  const { pricing, admin } = replicas[0];
  await failsWith(price(replicas[0]), UNAVAILABLE);
  await failsWith(admin.getSettings({}, AS_OPERATOR), UNAVAILABLE);
  await failsWith(admin.loadRateSheet({ json: flatSheet('0.05') }, AS_OPERATOR), UNAVAILABLE);
  await failsWith(price(replicas[1]), UNAVAILABLE);

  await database.acceptConnections();
  for (const replica of replicas) assert.deepEqual(await price(replica), earlier);
  const again = await pricing.repriceDeal({ deal: workedExample(), pricedUnder });
  assert.ok(again.priced && equals(PricedDealSchema, again.priced, earlier.priced));
});
