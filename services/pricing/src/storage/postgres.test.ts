import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createLogger } from '@pfq/kit/log';
import { migrate } from '@pfq/kit/migrate';
import { openDatabase } from '@pfq/kit/postgres';
import type { Database } from '@pfq/kit/postgres';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import type { TestDatabase } from '../../../../tests/support/database.ts';
import { postgresPricingStore } from './postgres.ts';
import type { PricingStore } from './store.ts';

const logger = createLogger({ service: 'pricing', level: 'error', format: 'json' });

let server: TestDatabase;
let database: Database;
let store: PricingStore;

before(async () => {
  server = await createTestDatabase();
  await migrate({ databaseUrl: server.url, dir: join(import.meta.dirname, '../../migrations'), logger });
  database = openDatabase(server.url, logger);
  store = postgresPricingStore(database);
});

after(async () => {
  await database.close();
  await server.drop();
});

async function readAudit() {
  return database.read('SELECT actor, action, target, details FROM audit_log ORDER BY id', []);
}

test('a fresh database has no version of anything', async () => {
  const none = { rateSheet: 0, settings: 0, carrierDirectory: 0, declinedList: 0 };
  assert.deepEqual(await store.readCurrentVersions(), none);
  assert.equal(await store.readRateSheet(1), null);
  assert.equal(await store.readSettings(1), null);
  assert.equal(await store.readCarriers(1), null);
  assert.equal(await store.readDeclined(1), null);
  assert.equal(await store.readCoverageList('1'), null);
});

test('every change is written to the audit log with its actor and its time', async () => {
  const earlier = (await readAudit()).length;
  await store.addRateSheet({ json: '{}', asOf: '2026-11-20' }, 'dana');
  await store.addSettings('{}', 'dana');
  await store.addCarriers([{ name: 'One', naicCode: null, amBestId: null, rating: null }], 'eli');
  await store.changeDeclined({ list: 'coverages', value: 'flood', declined: true }, 'eli');
  await store.changeDeclined({ list: 'coverages', value: 'flood', declined: false }, 'dana');
  const { rateSheet, settings, carrierDirectory, declinedList } = await store.readCurrentVersions();
  const flood = { list: 'coverages', value: 'flood' };
  assert.deepEqual((await readAudit()).slice(earlier), [
    { actor: 'dana', action: 'rate_sheet.load', target: `rate sheet ${rateSheet}`, details: { as_of: '2026-11-20' } },
    { actor: 'dana', action: 'settings.set', target: `settings ${settings}`, details: {} },
    {
      actor: 'eli',
      action: 'carriers.load',
      target: `carrier directory ${carrierDirectory}`,
      details: { carriers: 1 },
    },
    { actor: 'eli', action: 'decline.add', target: `declined list ${declinedList - 1}`, details: flood },
    { actor: 'dana', action: 'decline.remove', target: `declined list ${declinedList}`, details: flood },
  ]);
  const untimed = await database.read('SELECT id FROM audit_log WHERE at NOT BETWEEN $1 AND pfq_now()', ['2020-01-01']);
  assert.deepEqual(untimed, []);
});

test('reference text comes back character for character', async () => {
  const json = '{"rates" : {"12": 0.04100},\r\n\t"as_of": "2026-11-20", "source": "\\u0000 ß 漢 \u{1F4B5}" }\n';
  assert.equal(await store.readRateSheet(await store.addRateSheet({ json, asOf: '2026-11-20' }, 'dana')), json);
  assert.equal(await store.readSettings(await store.addSettings(json, 'dana')), json);
});

test('carriers come back in the order of the file, with what is not on file still missing', async () => {
  const carriers = [
    { name: 'Zeta, "quoted" {odd}', naicCode: '00001', amBestId: null, rating: 'A++' },
    { name: 'Alpha\\NULL', naicCode: null, amBestId: '000123', rating: null },
    { name: 'NULL', naicCode: null, amBestId: null, rating: 'NR' },
  ];
  assert.deepEqual(await store.readCarriers(await store.addCarriers(carriers, 'dana')), carriers);
});

test('changes made at the same time take their turns: versions have no gap and none is lost', async () => {
  const start = await store.readCurrentVersions();
  const sheets = Array.from({ length: 12 }, (_, index) => ({ json: `{ "n": ${index} }`, asOf: '2026-11-20' }));
  const versions = await Promise.all(sheets.map((sheet) => store.addRateSheet(sheet, 'dana')));
  const expected = sheets.map((_, index) => start.rateSheet + 1 + index);
  assert.deepEqual(
    [...versions].sort((left, right) => left - right),
    expected,
  );
  for (const [index, sheet] of sheets.entries()) {
    assert.equal(await store.readRateSheet(versions[index] ?? 0), sheet.json);
  }
  const values = Array.from({ length: 8 }, (_, index) => `Issuer ${index}`);
  await Promise.all(values.map((value) => store.changeDeclined({ list: 'issuers', value, declined: true }, 'dana')));
  const { declinedList } = await store.readCurrentVersions();
  assert.equal(declinedList, start.declinedList + values.length);
  assert.deepEqual([...((await store.readDeclined(declinedList))?.issuers ?? [])].sort(), values);
});

test('declining twice makes no new version, and removing what is not declined changes nothing', async () => {
  const first = await store.changeDeclined({ list: 'issuers', value: 'Twice Insurance', declined: true }, 'dana');
  const audited = (await readAudit()).length;
  const second = await store.changeDeclined({ list: 'issuers', value: 'TWICE insurance', declined: true }, 'dana');
  assert.deepEqual(second, first);
  const unknown = { list: 'issuers', value: 'Never Declined', declined: false } as const;
  await assert.rejects(store.changeDeclined(unknown, 'dana'), { code: 'NOT_FOUND' });
  assert.equal((await store.readCurrentVersions()).declinedList, first.version);
  assert.equal((await readAudit()).length, audited);
});

test('the first settings are set once, and never over an operator’s', async () => {
  const current = (await store.readCurrentVersions()).settings;
  assert.ok(current > 0);
  await store.recordFirstSettings('{ "late": true }', 'release');
  assert.equal((await store.readCurrentVersions()).settings, current);
});

test('a coverage list is written down once, and a change of it under the same version is refused', async () => {
  const list = { version: 'test', verifyMinimumEarned: ['flood', 'windstorm'] };
  await Promise.all([store.recordCoverageList(list), store.recordCoverageList(list)]);
  assert.deepEqual(await store.readCoverageList('test'), list);
  await assert.rejects(
    store.recordCoverageList({ ...list, verifyMinimumEarned: ['flood'] }),
    /raise coverage_list_version/,
  );
});

const ONLY_ADDED = [
  ['rate_sheets', 'json'],
  ['settings', 'json'],
  ['carrier_directories', 'loaded_at'],
  ['carriers', 'rating'],
  ['declined_lists', 'issuers'],
  ['coverage_lists', 'verify_minimum_earned'],
  ['audit_log', 'actor'],
];

for (const [table, column] of ONLY_ADDED) {
  test(`rows of ${table} can be neither changed nor removed`, async () => {
    const changes = [`UPDATE ${table} SET ${column} = ${column}`, `DELETE FROM ${table}`, `TRUNCATE ${table} CASCADE`];
    for (const sql of changes) await assert.rejects(database.write(sql, []), /only ever added/, sql);
  });
}

test('the current versions can only name versions that are on file', async () => {
  for (const column of ['rate_sheet', 'settings', 'carrier_directory', 'declined_list']) {
    const naming = database.write(`UPDATE current_versions SET ${column} = 999999`, []);
    await assert.rejects(naming, /foreign key constraint/, column);
  }
});
