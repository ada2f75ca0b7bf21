import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changed, fullRequest, problemsOf } from './sample-request.test-support.ts';
import type { Sendable } from './sample-request.test-support.ts';

const FIRST = 'policies[0]';
const LONG = 'x'.repeat(501);
const PAIRS = Array.from({ length: 21 }, (_, index) => [`k${index}`, 'v']);

/** One row per rule: where something is sent (undefined: left out), and the code it gets there, or "read". */
type Row = readonly [path: string, sent: Sendable | undefined, outcome: string, at?: string];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'broker_email is optional text, never blank': [
    ['broker_email', undefined, 'read'],
    ['broker_email', null, 'read'],
    ['broker_email', 'not an address', 'read'],
    ['broker_email', '', 'INVALID_VALUE'],
    ['broker_email', ' \t', 'INVALID_VALUE'],
    ['broker_email', 7, 'INVALID_TYPE'],
    ['broker_email', 'x'.repeat(255), 'read'],
    ['broker_email', 'x'.repeat(256), 'TOO_LONG'],
  ],
  'client_reference_id is optional text and may be empty': [
    ['client_reference_id', undefined, 'read'],
    ['client_reference_id', null, 'read'],
    ['client_reference_id', '', 'read'],
    ['client_reference_id', 7, 'INVALID_TYPE'],
    ['client_reference_id', '😀'.repeat(255), 'read'],
    ['client_reference_id', '😀'.repeat(256), 'TOO_LONG'],
    ['client_reference_id', 'a\0b', 'INVALID_VALUE'],
    ['client_reference_id', '\ud800', 'INVALID_VALUE'],
  ],
  'metadata is up to 20 pairs of strings': [
    ['metadata', undefined, 'read'],
    ['metadata', null, 'read'],
    ['metadata', {}, 'read'],
    ['metadata', Object.fromEntries(PAIRS.slice(1)), 'read'],
    ['metadata', Object.fromEntries(PAIRS), 'TOO_MANY'],
    ['metadata', [], 'INVALID_TYPE'],
    ['metadata', { key: '' }, 'read'],
    ['metadata', { key: 1 }, 'INVALID_TYPE', 'metadata.key'],
    ['metadata', { key: null }, 'INVALID_TYPE', 'metadata.key'],
    ['metadata', { key: 'x'.repeat(500) }, 'read'],
    ['metadata', { key: LONG }, 'TOO_LONG', 'metadata.key'],
    ['metadata', { key: '\0' }, 'INVALID_VALUE', 'metadata.key'],
    ['metadata', { 'odd key': 1 }, 'INVALID_TYPE', 'metadata["odd key"]'],
    ['metadata', { ['k'.repeat(40)]: '' }, 'read'],
    ['metadata', { ['k'.repeat(41)]: '' }, 'TOO_LONG', `metadata["${'k'.repeat(39)}…"]`],
    ['metadata', { 'a\0': '' }, 'INVALID_VALUE', String.raw`metadata["a\u0000"]`],
    ['metadata', { '\udc00': '' }, 'INVALID_VALUE', String.raw`metadata["\udc00"]`],
    [`${FIRST}.metadata`, { key: 1 }, 'INVALID_TYPE', `${FIRST}.metadata.key`],
    [`${FIRST}.metadata`, Object.fromEntries(PAIRS.slice(1)), 'read'],
    [`${FIRST}.metadata`, Object.fromEntries(PAIRS), 'TOO_MANY'],
  ],
  'insured is a required object': [
    ['insured', undefined, 'REQUIRED'],
    ['insured', null, 'INVALID_TYPE'],
    ['insured', [], 'INVALID_TYPE'],
    ['insured.address', undefined, 'REQUIRED'],
    ['insured.address', 'Austin', 'INVALID_TYPE'],
  ],
  'insured.name is required text of 200 characters': [
    ['insured.name', undefined, 'REQUIRED'],
    ['insured.name', null, 'INVALID_TYPE'],
    ['insured.name', '', 'INVALID_VALUE'],
    ['insured.name', 'é'.repeat(200), 'read'],
    ['insured.name', 'é'.repeat(201), 'TOO_LONG'],
  ],
  'insured.dba, line1 and city are optional text of 200 characters, fein and postal_code of 255': [
    ...['dba', 'address.line1', 'address.city'].flatMap((field): Row[] => [
      [`insured.${field}`, undefined, 'read'],
      [`insured.${field}`, ' ', 'read'],
      [`insured.${field}`, 'x'.repeat(201), 'TOO_LONG'],
    ]),
    ...['fein', 'address.postal_code'].flatMap((field): Row[] => [
      [`insured.${field}`, undefined, 'read'],
      [`insured.${field}`, 'not checked', 'read'],
      [`insured.${field}`, 78701, 'INVALID_TYPE'],
      [`insured.${field}`, 'x'.repeat(256), 'TOO_LONG'],
    ]),
  ],
  'insured.address.state is a USPS code, spelled exactly': [
    ...['OK', 'DC', 'PR', 'GU', 'VI', 'AS', 'MP'].map((code): Row => ['insured.address.state', code, 'read']),
    ...['tx', 'Texas', 'XX', '', 'TX ', 'AE'].map((text): Row => ['insured.address.state', text, 'INVALID_FORMAT']),
    ['insured.address.state', undefined, 'REQUIRED'],
    ['insured.address.state', 48, 'INVALID_TYPE'],
    ['insured.address.state', 'T\0', 'INVALID_VALUE'],
  ],
  'policies is a list of 1 to 25': [
    ['policies', undefined, 'REQUIRED'],
    ['policies', {}, 'INVALID_TYPE'],
    ['policies', [], 'TOO_FEW'],
    ['policies', Array.from({ length: 26 }, () => 'not looked at'), 'TOO_MANY'],
    [FIRST, null, 'INVALID_TYPE'],
  ],
  'premium is money above zero': [
    [`${FIRST}.premium`, undefined, 'REQUIRED'],
    [`${FIRST}.premium`, 12000, 'INVALID_TYPE'],
    [`${FIRST}.premium`, 'raw:1e999', 'INVALID_TYPE'],
    ...['12000', '12000.0', '$12000.00', '12,000.00', '+1.00', '.50', '1234567890.00', '1.00\n', '１.00'].map(
      (text): Row => [`${FIRST}.premium`, text, 'INVALID_FORMAT'],
    ),
    [`${FIRST}.premium`, ' ', 'INVALID_VALUE'],
    [`${FIRST}.premium`, '0.00', 'OUT_OF_RANGE'],
    [`${FIRST}.premium`, '-1.00', 'OUT_OF_RANGE'],
    [`${FIRST}.premium`, '0.01', 'read'],
    [`${FIRST}.premium`, '999999999.99', 'read'],
  ],
  'taxes_and_fees is an optional list of amounts of zero or more': [
    [`${FIRST}.taxes_and_fees`, undefined, 'read'],
    [`${FIRST}.taxes_and_fees`, [], 'read'],
    [`${FIRST}.taxes_and_fees`, '250.00', 'INVALID_TYPE'],
    [`${FIRST}.taxes_and_fees`, Array.from({ length: 100 }, () => ({ amount: '1.00' })), 'read'],
    [`${FIRST}.taxes_and_fees`, Array.from({ length: 101 }, () => ({ amount: '1.00' })), 'TOO_MANY'],
    [`${FIRST}.taxes_and_fees[0].amount`, undefined, 'REQUIRED'],
    [`${FIRST}.taxes_and_fees[0].amount`, '0.00', 'read'],
    [`${FIRST}.taxes_and_fees[0].amount`, '-0.01', 'OUT_OF_RANGE'],
    [`${FIRST}.taxes_and_fees[0].amount`, 250, 'INVALID_TYPE'],
    [`${FIRST}.taxes_and_fees[0].description`, 'x'.repeat(500), 'read'],
    [`${FIRST}.taxes_and_fees[0].description`, LONG, 'TOO_LONG'],
    [`${FIRST}.taxes_and_fees[0].earned`, null, 'read'],
    [`${FIRST}.taxes_and_fees[0].earned`, 'true', 'INVALID_TYPE'],
  ],
  'minimum_earned is exactly one of a rate and an amount': [
    [`${FIRST}.minimum_earned`, undefined, 'REQUIRED'],
    [`${FIRST}.minimum_earned`, 0.25, 'INVALID_TYPE'],
    [`${FIRST}.minimum_earned`, {}, 'EXACTLY_ONE_OF'],
    [`${FIRST}.minimum_earned`, { rate: null, amount: null }, 'EXACTLY_ONE_OF'],
    [`${FIRST}.minimum_earned`, { rate: 0.25, amount: '3000.00' }, 'EXACTLY_ONE_OF'],
    [`${FIRST}.minimum_earned`, { rate: 0.25, amount: null }, 'read'],
    [`${FIRST}.minimum_earned`, { amount: '3000.00' }, 'read'],
  ],
  'minimum_earned.rate is a number from 0 to 1, exactly': [
    ...['0', '-0', '1', '1.000', '0.25', '25e-2', '1e-300'].map((text): Row => [
      `${FIRST}.minimum_earned.rate`,
      `raw:${text}`,
      'read',
    ]),
    ...['25', '1.0000000000000000000001', '-0.01', '1e999', '-1e999', '1e-999'].map((text): Row => [
      `${FIRST}.minimum_earned.rate`,
      `raw:${text}`,
      'OUT_OF_RANGE',
    ]),
    [`${FIRST}.minimum_earned.rate`, '0.25', 'INVALID_TYPE'],
    [`${FIRST}.minimum_earned.rate`, true, 'INVALID_TYPE'],
  ],
  'minimum_earned.amount is between zero and the premium': (
    [
      ['0.00', 'read'],
      ['12000.00', 'read'],
      ['12000.01', 'OUT_OF_RANGE'],
      ['-0.01', 'OUT_OF_RANGE'],
      ['25%', 'INVALID_FORMAT'],
      ['', 'INVALID_VALUE'],
    ] as const
  ).map(([amount, outcome]) => [`${FIRST}.minimum_earned`, { amount }, outcome, `${FIRST}.minimum_earned.amount`]),
  'effective_date and expiration_date are days of the calendar': ['effective_date', 'expiration_date'].flatMap(
    (field) => [
      ...['2028-02-29', '0001-01-01', '9999-12-31', '2000-02-29'].map((day): Row => [`${FIRST}.${field}`, day, 'read']),
      ...['2027-02-29', '1900-02-29', '2027-04-31', '2027-13-01', '2027-00-10', '2027-01-00', '0000-01-01'].map(
        (day): Row => [`${FIRST}.${field}`, day, 'INVALID_FORMAT'],
      ),
      ...['2027-1-1', '01/02/2027', '2027-01-01T00:00:00Z', '2027-01-01 ', '2027-01-01\n', '20270101'].map(
        (day): Row => [`${FIRST}.${field}`, day, 'INVALID_FORMAT'],
      ),
      [`${FIRST}.${field}`, undefined, 'REQUIRED'] as const,
      [`${FIRST}.${field}`, 20270101, 'INVALID_TYPE'] as const,
      [`${FIRST}.${field}`, '', 'INVALID_VALUE'] as const,
    ],
  ),
  'carrier is a name with two optional ids': [
    [`${FIRST}.carrier`, undefined, 'REQUIRED'],
    [`${FIRST}.carrier`, 'Acme', 'INVALID_TYPE'],
    [`${FIRST}.carrier.name`, undefined, 'REQUIRED'],
    [`${FIRST}.carrier.name`, ' ', 'INVALID_VALUE'],
    [`${FIRST}.carrier.name`, 'x'.repeat(201), 'TOO_LONG'],
    [`${FIRST}.carrier.naic_code`, '', 'read'],
    [`${FIRST}.carrier.naic_code`, '1234', 'INVALID_FORMAT'],
    [`${FIRST}.carrier.naic_code`, '１２３４５', 'INVALID_FORMAT'],
    [`${FIRST}.carrier.naic_code`, 12345, 'INVALID_TYPE'],
    [`${FIRST}.carrier.am_best_id`, '', 'read'],
    [`${FIRST}.carrier.am_best_id`, 'x'.repeat(256), 'TOO_LONG'],
  ],
  'coverages is a list of at least one known type': [
    [`${FIRST}.coverages`, undefined, 'REQUIRED'],
    [`${FIRST}.coverages`, [], 'TOO_FEW'],
    [`${FIRST}.coverages`, Array.from({ length: 100 }, () => ({ type: 'other' })), 'read'],
    [`${FIRST}.coverages`, Array.from({ length: 101 }, () => ({ type: 'other' })), 'TOO_MANY'],
    [`${FIRST}.coverages[0]`, 'other', 'INVALID_TYPE'],
    [`${FIRST}.coverages[0].type`, undefined, 'REQUIRED'],
    [`${FIRST}.coverages[0].type`, 'windstorms', 'INVALID_VALUE'],
    [`${FIRST}.coverages[0].type`, 'GL', 'INVALID_VALUE'],
    [`${FIRST}.coverages[0].type`, 'constructor', 'INVALID_VALUE'],
    [`${FIRST}.coverages[0].description`, '', 'read'],
    [`${FIRST}.coverages[0].description`, LONG, 'TOO_LONG'],
  ],
  'auditable is optional and true or false': [
    [`${FIRST}.auditable`, undefined, 'read'],
    [`${FIRST}.auditable`, null, 'read'],
    [`${FIRST}.auditable`, 0, 'INVALID_TYPE'],
  ],
  'document_type is optional and one of three': [
    [`${FIRST}.document_type`, undefined, 'read'],
    [`${FIRST}.document_type`, '', 'read'],
    [`${FIRST}.document_type`, 'quote', 'read'],
    [`${FIRST}.document_type`, 'policy', 'read'],
    [`${FIRST}.document_type`, 'Binder', 'INVALID_VALUE'],
    [`${FIRST}.document_type`, 3, 'INVALID_TYPE'],
  ],
  'policy_number is optional text': [
    [`${FIRST}.policy_number`, '', 'read'],
    [`${FIRST}.policy_number`, 'x'.repeat(256), 'TOO_LONG'],
  ],
  'an unknown field is refused at any level': [
    ['polices', [], 'UNKNOWN_FIELD'],
    ['insured.Name', 'x', 'UNKNOWN_FIELD'],
    [`${FIRST}.taxes_and_fees[0].kind`, null, 'UNKNOWN_FIELD'],
    [`${FIRST}.minimum_earned.percent`, 25, 'UNKNOWN_FIELD'],
    [`${FIRST}.toString`, 1, 'UNKNOWN_FIELD'],
    ['first-name', 1, 'UNKNOWN_FIELD', '["first-name"]'],
  ],
};

for (const [promise, rows] of Object.entries(ROWS)) {
  describe(promise, () => {
    for (const [path, sent, outcome, at = path] of rows) {
      const shown = sent === undefined ? 'left out' : JSON.stringify(sent).slice(0, 50);
      it(`${path}: ${shown} → ${outcome}`, () => {
        const found = problemsOf(changed(fullRequest(), path, sent)).map(({ code, param }) => [code, param]);
        assert.deepEqual(found, outcome === 'read' ? [] : [[outcome, at]]);
      });
    }
  });
}
