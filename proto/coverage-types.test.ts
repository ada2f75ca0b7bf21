import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COVERAGE_LIST_VERSION, COVERAGE_TYPES } from './coverage-types.ts';

const TYPES = [
  'general_liability',
  'commercial_property',
  'windstorm',
  'business_owners',
  'commercial_package',
  'commercial_auto',
  'garage',
  'truckers',
  'motor_truck_cargo',
  'workers_compensation',
  'umbrella',
  'excess_liability',
  'professional_liability',
  'medical_malpractice',
  'directors_and_officers',
  'employment_practices',
  'cyber',
  'crime',
  'inland_marine',
  'builders_risk',
  'equipment_breakdown',
  'flood',
  'earthquake',
  'pollution_liability',
  'liquor_liability',
  'other',
];

test('the coverage list has the 26 public types, in order', () => {
  assert.deepEqual(
    COVERAGE_TYPES.map(({ type }) => type),
    TYPES,
  );
});

test('windstorm, builders risk and flood alone are flagged for a look at their minimum earned', () => {
  const flagged = COVERAGE_TYPES.filter(({ flags }) => flags.length > 0);
  assert.deepEqual(
    flagged.map(({ type, flags }) => [type, flags]),
    ['windstorm', 'builders_risk', 'flood'].map((type) => [type, ['verify_minimum_earned']]),
  );
});

test('every type has a name, a definition in one sentence and at least one alias', () => {
  for (const { type, name, definition, aliases } of COVERAGE_TYPES) {
    assert.match(name, /^[A-Z]/, type);
    assert.match(definition, /^[A-Z][^.]*\.$/, type);
    assert.ok(aliases.length > 0, type);
  }
});

test('no name and no alias leads to two types', () => {
  const names = COVERAGE_TYPES.flatMap(({ type, name, aliases }) => [
    ...new Set([type, name, ...aliases].map((text) => text.toLowerCase())),
  ]);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

test('the list says its version', () => {
  assert.equal(COVERAGE_LIST_VERSION, '1');
});
