import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
import { writeSettings } from './deals.test-support.ts';
import { formatDecimal } from './decimal-text.ts';
import { SETTINGS, toFieldName } from './settings.ts';
import { DEFAULT_SETTINGS, formatSettings, parseSettings } from './settings-text.ts';

test('settings that are written are read back as they were', () => {
  assert.deepEqual(parseSettings(formatSettings(DEFAULT_SETTINGS)), DEFAULT_SETTINGS);
});

test('the written settings are JSON with fractions as numbers and money as text', () => {
  const written: Record<string, unknown> = JSON.parse(formatSettings(DEFAULT_SETTINGS));
  const { premium_min: premiumMin, legal_cap: legalCap, rating_add_ons: addOns, down_payment_steps: steps } = written;
  assert.deepEqual([premiumMin, legalCap], ['4500.00', 0.18]);
  assert.deepEqual(addOns, { 'A++': -0.005, 'A+': -0.0025, A: 0, 'A-': 0.0025 });
  assert.deepEqual(steps, [-0.1, -0.05, 0, 0.05, 0.1]);
  assert.equal(Object.keys(written).length, Object.keys(SETTINGS).length);
});

test('a decimal that no double can hold is kept exactly', () => {
  const text = formatSettings(DEFAULT_SETTINGS).replace('"base_margin": 0.04', '"base_margin": 0.040000000000000001');
  const settings = parseSettings(text);
  assert.equal(formatDecimal(settings.baseMargin), '0.040000000000000001');
  assert.match(formatSettings(settings), /"base_margin": 0\.040000000000000001,/);
});

for (const name of Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]) {
  const field = toFieldName(name);
  test(`settings without ${field} are refused by that name`, () => {
    const rest: Record<string, unknown> = JSON.parse(writeSettings({}));
    delete rest[field];
    assert.deepEqual(refusals(JSON.stringify(rest)), [`REQUIRED ${field}`]);
  });
  test(`settings whose ${field} is a list of lists are refused by that name`, () => {
    assert.deepEqual(refusals(writeSettings({ [field]: [[]] })), [`INVALID_VALUE ${field}`]);
  });
}

const REFUSED: readonly { name: string; changes: Record<string, unknown>; expected: string[] }[] = [
  { name: 'a clamp floor below 1 %', changes: { spread_min: 0.0099 }, expected: ['INVALID_VALUE spread_min'] },
  { name: 'a legal cap in percent', changes: { legal_cap: 18 }, expected: ['INVALID_VALUE legal_cap'] },
  {
    name: 'a legal cap in parts of basis points',
    changes: { legal_cap: 0.17995 },
    expected: ['INVALID_VALUE legal_cap'],
  },
  { name: 'a null legal cap', changes: { legal_cap: null }, expected: ['INVALID_VALUE legal_cap'] },
  { name: 'money as a number', changes: { premium_min: 4500 }, expected: ['INVALID_VALUE premium_min'] },
  { name: 'a premium of nothing', changes: { premium_min: '0.00' }, expected: ['INVALID_VALUE premium_min'] },
  { name: 'a state by name', changes: { financed_states: ['Texas'] }, expected: ['INVALID_VALUE financed_states'] },
  { name: 'no state at all', changes: { financed_states: [] }, expected: ['INVALID_VALUE financed_states'] },
  {
    name: 'NR as a minimum',
    changes: { minimum_am_best_rating: 'NR' },
    expected: ['INVALID_VALUE minimum_am_best_rating'],
  },
  {
    name: 'an add-on for a rating that does not exist',
    changes: { rating_add_ons: { 'A+++': 0 } },
    expected: ['INVALID_VALUE rating_add_ons'],
  },
  {
    name: 'steps in parts of a percent',
    changes: { down_payment_steps: [0.005] },
    expected: ['INVALID_VALUE down_payment_steps'],
  },
  {
    name: 'more down payments than a grid takes',
    changes: { down_payment_steps: Array.from({ length: 21 }, (_, index) => index / 100) },
    expected: ['INVALID_VALUE down_payment_steps'],
  },
  { name: 'half a month', changes: { months_kept_clear: 1.5 }, expected: ['INVALID_VALUE months_kept_clear'] },
  {
    name: 'no months at all',
    changes: { policy_term_min_months: 0 },
    expected: ['INVALID_VALUE policy_term_min_months'],
  },
  { name: 'a negative gap weight', changes: { gap_weight: -0.1 }, expected: ['INVALID_VALUE gap_weight'] },
  { name: 'a field that is none', changes: { legalcap: 0.18 }, expected: ['UNKNOWN_FIELD legalcap'] },
  {
    name: 'several faults, all told at once in the order of the list',
    changes: { gap_weight: 2, spread_min: 0, premium_max: null, extra: 1 },
    expected: [
      'INVALID_VALUE premium_max',
      'INVALID_VALUE gap_weight',
      'INVALID_VALUE spread_min',
      'UNKNOWN_FIELD extra',
    ],
  },
];
for (const { name, changes, expected } of REFUSED) {
  test(`settings with ${name} are refused`, () => assert.deepEqual(refusals(writeSettings(changes)), expected));
}

test('a refusal says what to send instead', () => {
  const error = catchServiceError(() => parseSettings(writeSettings({ legal_cap: 18 })));
  assert.equal(
    error.message,
    'legal_cap must be a JSON number from 0.01 to 1 with at most 4 decimals (fractions: 0.18 is 18 %).',
  );
});

for (const text of ['[]', 'null', '"settings"', '0']) {
  test(`${text} is no settings`, () => assert.deepEqual(refusals(text), ['INVALID_TYPE undefined']));
}

test('a setting named twice is refused with its line', () => {
  const twice = formatSettings(DEFAULT_SETTINGS).replace('"refund_days"', '"legal_cap": 0.36,\n  "refund_days"');
  const error = catchServiceError(() => parseSettings(twice));
  assert.equal(error.code, 'INVALID_JSON');
  assert.match(error.message, /^Line \d+ names "legal_cap" a second time/);
});

function refusals(text: string): string[] {
  const error = catchServiceError(() => parseSettings(text));
  assert.equal(error.code, 'VALIDATION_FAILED');
  return error.details.map(({ code, param }) => `${code} ${param}`);
}

function catchServiceError(action: () => unknown): ServiceError {
  try {
    action();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new assert.AssertionError({ message: 'nothing was refused' });
}
