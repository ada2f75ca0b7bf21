import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
import { buildCarrierDirectory, findCarrier, findCarriers, normalizeCarrierName } from './carriers.ts';
import type { CarrierReference } from './deal.ts';
import { buildDeclinedList, isIssuerDeclined } from './declined.ts';

const DIRECTORY = buildCarrierDirectory([
  entry({ name: 'Plains & Prairie Mutual', naicCode: '11111', amBestId: '000001', rating: 'A++' }),
  entry({ name: 'St. Élan Fire', naicCode: '22222', amBestId: '000002', rating: 'A' }),
  entry({ name: 'Twin Rivers', naicCode: '33333', rating: 'A-' }),
  entry({ name: 'TWIN RIVERS', naicCode: '44444', rating: 'B' }),
  entry({ name: 'Blank Rating', naicCode: ' ', amBestId: '', rating: ' ' }),
]);

const LOOKUPS: readonly { name: string; carrier: Partial<CarrierReference>; found: string | null }[] = [
  {
    name: 'by AM Best id first',
    carrier: { amBestId: '000001', naicCode: '22222', name: 'Twin Rivers' },
    found: '11111',
  },
  {
    name: 'by NAIC code before the name',
    carrier: { naicCode: '22222', name: 'Plains and Prairie Mutual' },
    found: '22222',
  },
  { name: 'past an id that finds nothing', carrier: { amBestId: '999999', naicCode: '22222' }, found: '22222' },
  {
    name: 'past two codes that find nothing',
    carrier: { amBestId: '999999', naicCode: '99999', name: 'plains and prairie mutual' },
    found: '11111',
  },
  { name: 'with "&" read as "and"', carrier: { name: 'Plains and Prairie Mutual' }, found: '11111' },
  { name: 'with "&" between letters', carrier: { name: 'Plains&Prairie Mutual' }, found: '11111' },
  { name: 'whatever case, punctuation and spaces', carrier: { name: '  ST ÉLAN,   FIRE. ' }, found: '22222' },
  { name: 'with accents composed or not', carrier: { name: 'St Élan Fire' }, found: '22222' },
  { name: 'in full-width letters', carrier: { name: 'Ｓt Élan Ｆire' }, found: '22222' },
  { name: 'not where two carriers share the name', carrier: { name: 'Twin Rivers' }, found: null },
  {
    name: 'where two share the name but the code tells',
    carrier: { name: 'Twin Rivers', naicCode: '44444' },
    found: '44444',
  },
  { name: 'not by part of a name', carrier: { name: 'Plains' }, found: null },
  { name: 'not by punctuation alone', carrier: { name: '...' }, found: null },
  { name: 'not by blank codes', carrier: { name: 'x', naicCode: '', amBestId: ' ' }, found: null },
];
for (const { name, carrier, found } of LOOKUPS) {
  test(`a carrier is found ${name}`, () => {
    const hit = findCarrier(DIRECTORY, { name: 'Nobody', naicCode: null, amBestId: null, ...carrier });
    assert.equal(hit?.naicCode ?? null, found);
  });
}

test('blank codes and ratings count as absent', () => {
  const hit = findCarrier(DIRECTORY, { name: 'blank rating', naicCode: null, amBestId: null });
  assert.deepEqual(hit, { name: 'Blank Rating', naicCode: null, amBestId: null, rating: null });
});

test('the operator finds carriers by part of the name', () => {
  assert.deepEqual(
    findCarriers(DIRECTORY, 'rivers').map(({ naicCode }) => naicCode),
    ['33333', '44444'],
  );
  assert.deepEqual(findCarriers(DIRECTORY, 'no such'), []);
});

const NORMALIZED = [
  ['A.I.G.', 'aig'],
  ['Co-operative Mutual', 'cooperative mutual'],
  ["Farmers' \t Own", 'farmers own'],
  ['STRASSE', 'strasse'],
  ['Straße', 'strasse'],
  ['ﬁre', 'fire'],
  ['Straẞe', 'strasse'],
  ['ΟΔΟΣ-Α', 'οδοσα'],
  ['ΟΔΟΣ', 'οδοσ'],
] as const;
for (const [name, normalized] of NORMALIZED) {
  test(`"${name}" matches as "${normalized}"`, () => assert.equal(normalizeCarrierName(name), normalized));
}

test('a directory with faults is refused with all of them', () => {
  const refused = () =>
    buildCarrierDirectory([
      entry({ name: ' . ', naicCode: '1234' }),
      entry({ name: 'One', naicCode: '55555', amBestId: '1', rating: 'A+++' }),
      entry({ name: 'Two', naicCode: '55555', amBestId: '1', rating: 'a-' }),
    ]);
  assert.throws(refused, (error) => {
    assert.ok(error instanceof ServiceError);
    const details = error.details.map(({ code, param }) => `${code} ${param}`);
    assert.deepEqual(details, [
      'REQUIRED carriers[0].name',
      'INVALID_FORMAT carriers[0].naic_code',
      'INVALID_VALUE carriers[1].rating',
      'INVALID_VALUE carriers[2].rating',
      'INVALID_VALUE carriers[2].am_best_id',
      'INVALID_VALUE carriers[2].naic_code',
    ]);
    return error.code === 'VALIDATION_FAILED';
  });
});

const DECLINED = buildDeclinedList({ issuers: ['PLAINS and Prairie mutual', 'Gone Co.'], coverages: [] });
const ISSUERS = [
  { name: 'Plains & Prairie Mutual', naicCode: null, declined: true },
  { name: 'Some Trade Name', naicCode: '11111', declined: true },
  { name: 'GONE CO', naicCode: null, declined: true },
  { name: 'Twin Rivers', naicCode: '33333', declined: false },
  { name: 'Gone', naicCode: null, declined: false },
];
for (const { name, naicCode, declined } of ISSUERS) {
  test(`${name} with NAIC code ${naicCode} is ${declined ? 'declined' : 'taken'}`, () => {
    const found = findCarrier(DIRECTORY, { name, naicCode, amBestId: null });
    assert.equal(isIssuerDeclined(DECLINED, { name, found }), declined);
  });
}

test('an issuer that could name no one is not declined but refused', () => {
  assert.throws(() => buildDeclinedList({ issuers: ['Gone', ' - '], coverages: [] }), /issuers\[1\] must be/);
});

function entry(fields: { name: string; naicCode?: string; amBestId?: string; rating?: string }) {
  return { naicCode: null, amBestId: null, rating: null, ...fields };
}
