import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
import { createLogger } from '@pfq/kit/log';
import { migrate } from '@pfq/kit/migrate';
import { openDatabase } from '@pfq/kit/postgres';
import type { Database } from '@pfq/kit/postgres';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import type { TestDatabase } from '../../../../tests/support/database.ts';
import { refuseContradictions } from '../domain/settings-contradictions.ts';
import { DEFAULT_SETTINGS, formatSettings } from '../domain/settings-text.ts';
import { flatSheet } from '../examples.test-support.ts';
import { postgresPricingStore } from './postgres.ts';
import { openReferenceLibrary } from './reference-library.ts';
import type { ReferenceLibrary } from './reference-library.ts';
import type { PricingStore } from './store.ts';

const logger = createLogger({ service: 'pricing', level: 'fatal', format: 'json' });
const LIST = { version: '1', verifyMinimumEarned: ['flood'] };
const NOON = Date.parse('2026-12-01T12:00:00Z');

let server: TestDatabase;
let database: Database;
let store: PricingStore;
let library: ReferenceLibrary;

before(async () => {
  server = await createTestDatabase();
  await migrate({ databaseUrl: server.url, dir: join(import.meta.dirname, '../../migrations'), logger });
  database = openDatabase(server.url, logger);
  store = postgresPricingStore(database);
  await store.recordCoverageList(LIST);
  library = openReferenceLibrary(store, LIST.version);
});

after(async () => {
  await database.close();
  await server.drop();
});

function settingsWith(field: string, json: string): string {
  const lines = formatSettings(DEFAULT_SETTINGS).split('\n');
  return lines.map((line) => line.replace(new RegExp(`^(  "${field}": ).*?(,?)$`), `$1${json}$2`)).join('\n');
}

async function refusesWith(cause: RegExp, pricedAtMs = NOON): Promise<void> {
  await assert.rejects(library.current(pricedAtMs), (error: unknown) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'SERVICE_UNAVAILABLE');
    assert.equal(error.retryAfterSeconds, 30);
    assert.ok(error.cause instanceof Error);
    assert.match(error.cause.message, cause);
    assert.doesNotMatch(error.message, cause);
    return true;
  });
}

test('without a rate sheet there are no prices', async () => {
  await store.addSettings(formatSettings(DEFAULT_SETTINGS), 'dana');
  await refusesWith(/no rate sheet/);
});

test('without settings there are no prices', async () => {
  await store.addRateSheet({ json: flatSheet('0.04'), asOf: '2026-11-30' }, 'dana');
  await database.write('UPDATE current_versions SET settings = NULL', []);
  await refusesWith(/no pricing settings/);
  await database.write('UPDATE current_versions SET settings = 1', []);
});

const AGES = [
  { maxDays: '7', pricedAt: '2026-12-07T00:00:00.000Z', usable: true },
  { maxDays: '7', pricedAt: '2026-12-07T00:00:00.001Z', usable: false },
  { maxDays: '1', pricedAt: '2026-12-01T00:00:00.000Z', usable: true },
  { maxDays: '1', pricedAt: '2026-12-01T00:00:00.001Z', usable: false },
  { maxDays: '7', pricedAt: '2026-11-29T00:00:00.000Z', usable: true },
  { maxDays: 'null', pricedAt: '2099-01-01T00:00:00.000Z', usable: true },
];

for (const { maxDays, pricedAt, usable } of AGES) {
  const verdict = usable ? 'prices' : 'no longer prices';
  test(`at most ${maxDays} days old, a sheet of 2026-11-30 ${verdict} at ${pricedAt}`, async () => {
    await store.addRateSheet({ json: flatSheet('0.04', '2026-11-30'), asOf: '2026-11-30' }, 'dana');
    await store.addSettings(settingsWith('rate_sheet_max_age_days', maxDays), 'dana');
    const pricedAtMs = Date.parse(pricedAt);
    if (!usable) return refusesWith(/rate sheet \d+ of 2026-11-30 is more than \d days old/, pricedAtMs);
    const { reference, versions } = await library.current(pricedAtMs);
    assert.equal(reference.rateSheet.asOf, '2026-11-30');
    assert.deepEqual(versions, { ...(await store.readCurrentVersions()), coverageList: '1' });
  });
}

const UNUSABLE = [
  { name: 'not JSON', json: '{ "base_margin": ', cause: /settings \d+ on file cannot be used/ },
  { name: 'incomplete', json: '{ "base_margin": 0.04 }', cause: /cannot be used.*premium_min/ },
  { name: 'without a legal cap', json: settingsWith('legal_cap', 'null'), cause: /cannot be used.*legal_cap/ },
];

for (const { name, json, cause } of UNUSABLE) {
  test(`settings on file that are ${name} give no prices, and the next good ones give them again`, async () => {
    await store.addSettings(json, 'dana');
    await refusesWith(cause);
    await refusesWith(cause);
    await store.addSettings(formatSettings(DEFAULT_SETTINGS), 'dana');
    await library.current(NOON);
  });
}

test('settings on file that could not be set today still price', async () => {
  await store.addSettings(settingsWith('premium_min', '"1.00"'), 'dana');
  const { reference, versions } = await library.current(NOON);
  assert.equal(reference.settings.premiumMin, 100n);
  assert.throws(() => refuseContradictions(reference.settings), { param: 'premium_min' });
  assert.deepEqual(await openReferenceLibrary(store, LIST.version).recorded(versions), reference);
  await store.addSettings(formatSettings(DEFAULT_SETTINGS), 'dana');
});

test('a change binds the next price at once, and what was recorded stays as it was', async () => {
  const earlier = await library.current(NOON);
  await store.addRateSheet({ json: flatSheet('0.05'), asOf: '2026-11-30' }, 'dana');
  await store.addSettings(settingsWith('base_margin', '0.05'), 'dana');
  await store.addCarriers([{ name: 'One', naicCode: null, amBestId: null, rating: 'A' }], 'dana');
  await store.changeDeclined({ list: 'coverages', value: 'flood', declined: true }, 'dana');
  const later = await library.current(NOON);
  assert.notDeepEqual(later.reference.rateSheet, earlier.reference.rateSheet);
  assert.notDeepEqual(later.reference.settings.baseMargin, earlier.reference.settings.baseMargin);
  assert.equal(later.reference.carriers.entries.length, 1);
  assert.ok(later.reference.declined.coverages.has('flood'));
  for (const { reference, versions } of [earlier, later]) {
    assert.deepEqual(await library.recorded(versions), reference);
    assert.deepEqual(await openReferenceLibrary(store, LIST.version).recorded(versions), reference);
  }
});

const MISSING = [
  { part: 'rateSheet', version: 4711, message: /no rate sheet 4711 on file/ },
  { part: 'settings', version: 4711, message: /no pricing settings 4711 on file/ },
  { part: 'carrierDirectory', version: 4711, message: /no carrier directory 4711 on file/ },
  { part: 'declinedList', version: 4711, message: /no declined list 4711 on file/ },
  { part: 'coverageList', version: '4711', message: /no coverage list 4711 on file/ },
];

for (const { part, version, message } of MISSING) {
  test(`a recorded ${part} that is not on file is NOT_FOUND`, async () => {
    const { versions } = await library.current(NOON);
    await assert.rejects(library.recorded({ ...versions, [part]: version }), { code: 'NOT_FOUND', message });
  });
}
