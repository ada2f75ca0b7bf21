import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
import { writeSettings } from './deals.test-support.ts';
import { refuseContradictions } from './settings-contradictions.ts';
import { DEFAULT_SETTINGS, parseSettings } from './settings-text.ts';

test('the default settings may stand together', () =>
  assert.doesNotThrow(() => refuseContradictions(DEFAULT_SETTINGS)));

type Case = { readonly name: string; readonly changes: Readonly<Record<string, unknown>> };

const BY_ONE_PERCENT = { center_down_payment_max: 0.2, down_payment_steps: [-0.01, 0] };
const ONLY_A_MONTH = { longest_term_months: 1, center_down_payment_max: 0.2, down_payment_steps: [0] };

const ACCEPTED: readonly Case[] = [
  { name: 'a floor that is the ceiling', changes: { spread_min: 0.09 } },
  { name: 'a legal cap that is the floor', changes: { legal_cap: 0.03 } },
  { name: 'a legal cap of 36 %', changes: { legal_cap: 0.36 } },
  { name: 'a minimum that is the maximum', changes: { premium_min: '175000.00' } },
  { name: 'a minimum of 600.00', changes: { premium_min: '600.00' } },
  { name: 'a minimum of 600.00 at the lowest floor', changes: { premium_min: '600.00', spread_min: 0.01 } },
  { name: 'a longest term of 13 months', changes: { longest_term_months: 13 } },
  { name: 'a longest term of 24 months and a legal cap of all', changes: { longest_term_months: 24, legal_cap: 1 } },
  { name: 'one down payment and one term', changes: { down_payment_steps: [0], term_count: 1 } },
  { name: 'down payments one percent apart', changes: { premium_min: '100.00', ...BY_ONE_PERCENT } },
  { name: 'down payments from nothing on', changes: { down_payment_steps: [-0.2, 0.14] } },
  { name: 'a minimum rating of B++ with its add-on', changes: lowerMinimum({ 'B++': 0.01 }) },
  // 80 % of 5.00 at 3 % for a month is a cent.
  { name: 'a smallest loan that bears a cent a payment', changes: { premium_min: '5.00', ...ONLY_A_MONTH } },
];
for (const { name, changes } of ACCEPTED) {
  test(`settings with ${name} are accepted`, () => assert.deepEqual(refusals(changes), []));
}

const REFUSED: readonly (Case & { readonly expected: readonly string[] })[] = [
  { name: 'a ceiling below the floor', changes: { spread_max: 0.0299 }, expected: ['INVALID_VALUE spread_max'] },
  { name: 'a legal cap below the floor', changes: { legal_cap: 0.02 }, expected: ['INVALID_VALUE legal_cap'] },
  { name: 'limits crossed', changes: { premium_max: '4499.99' }, expected: ['INVALID_VALUE premium_max'] },
  {
    name: 'an assumed rating that is not financed',
    changes: { assumed_am_best_rating: 'B++' },
    expected: ['INVALID_VALUE assumed_am_best_rating'],
  },
  {
    name: 'a financed rating without an add-on',
    changes: lowerMinimum({}),
    expected: ['INVALID_VALUE rating_add_ons'],
  },
  {
    name: 'a better rating that costs more',
    changes: { rating_add_ons: { 'A++': 0.001, 'A+': 0, A: 0, 'A-': 0.0025 } },
    expected: ['INVALID_VALUE rating_add_ons'],
  },
  {
    name: 'steps that do not rise',
    changes: { down_payment_steps: [0, 0] },
    expected: ['INVALID_VALUE down_payment_steps'],
  },
  {
    name: 'down payments below nothing',
    changes: { down_payment_steps: [-0.21, 0] },
    expected: ['INVALID_VALUE down_payment_steps'],
  },
  {
    name: 'down payments of everything',
    changes: { down_payment_steps: [0, 0.15] },
    expected: ['INVALID_VALUE down_payment_steps'],
  },
  {
    name: 'a middle that crosses',
    changes: { center_down_payment_max: 0.19 },
    expected: ['INVALID_VALUE center_down_payment_max'],
  },
  {
    name: 'loans so small that rounding eats the charge',
    changes: { premium_min: '100.00' },
    expected: ['OUT_OF_RANGE premium_min'],
  },
  {
    name: 'a smallest loan that bears less than a cent a payment',
    changes: { premium_min: '4.99', ...ONLY_A_MONTH },
    expected: ['OUT_OF_RANGE premium_min'],
  },
  {
    name: 'several contradictions, all told at once',
    changes: { premium_max: '1.00', spread_max: 0.02, legal_cap: 0.02 },
    expected: ['INVALID_VALUE premium_max', 'INVALID_VALUE spread_max', 'INVALID_VALUE legal_cap'],
  },
];
for (const { name, changes, expected } of REFUSED) {
  test(`settings with ${name} are refused`, () => assert.deepEqual(refusals(changes), expected));
}

test('a premium_min that is too low is refused with what would be financed and what to change', () => {
  const settings = parseSettings(writeSettings({ premium_min: '100.00' }));
  assert.throws(() => refuseContradictions(settings), {
    message:
      'premium_min is too low: as little as 5.00 could be financed, and over 2 months rounding could take the whole finance charge. Raise premium_min, or lower the highest down payment.',
  });
});

function lowerMinimum(addOns: Readonly<Record<string, number>>) {
  const highest = { 'A++': -0.005, 'A+': -0.0025, A: 0, 'A-': 0.0025 };
  return { minimum_am_best_rating: 'B++', rating_add_ons: { ...highest, ...addOns } };
}

function refusals(changes: Readonly<Record<string, unknown>>): string[] {
  try {
    refuseContradictions(parseSettings(writeSettings(changes)));
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    assert.equal(error.code, 'VALIDATION_FAILED');
    return error.details.map(({ code, param }) => `${code} ${param}`);
  }
}
