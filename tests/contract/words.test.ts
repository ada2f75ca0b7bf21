import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as application from '@pfq/application/domain/application';
import { ERROR_EXAMPLES } from '@pfq/gateway/openapi/error-examples';
import { AM_BEST_RATINGS } from '@pfq/pricing/domain/am-best';
import { makeDeal, makeReference } from '@pfq/pricing/domain/deals.test-support';
import { ENGINE_VERSION, findEngine } from '@pfq/pricing/domain/engines';
import { COVERAGE_TYPES } from '@pfq/proto/coverage-types';
import { requireUnexpired } from '@pfq/quote-store/domain/quote';
import { fieldsBelow, schemaNamed } from './documented-fields.ts';

/** Every check that the engine of new deals makes, in its order: a deal gets them all. */
const CHECKS = findEngine(ENGINE_VERSION)?.(makeDeal(), makeReference()).eligibility.checks ?? [];
const CHECK_CODES = CHECKS.map(({ code }) => code);

/** Words that the OpenAPI document names and another service has lists of: schema, field, list. */
const WORDS: readonly (readonly [schema: string, field: string, known: readonly string[]])[] = [
  ['Application', 'status', application.STATUSES],
  ['Application', 'created_via', application.CREATED_VIA],
  ['Application', 'pricing.selected_by', application.SELECTED_BY],
  ['Application', 'policies[].carrier.match', application.CARRIER_MATCHES],
  ['Application', 'policies[].document_type', application.DOCUMENT_TYPES],
  ['Application', 'requirements.blocking[].code', application.BLOCKING_CODES],
  ['Quote', 'policies[].carrier.am_best.rating', AM_BEST_RATINGS],
  ['Quote', 'eligibility.checks[].code', CHECK_CODES],
  ['Quote', 'eligibility.reasons[].code', CHECK_CODES],
  ['CoverageTypeList', 'data[].flags[]', [...new Set(COVERAGE_TYPES.flatMap(({ flags }) => flags))]],
];

describe('the OpenAPI document names exactly the words that a service takes or gives for', () => {
  for (const [schema, field, known] of WORDS) {
    it(`${field} of ${schema}`, () => {
      const documented = fieldsBelow(schemaNamed(schema)).find(({ path }) => path === field);
      assert.deepEqual(documented?.schema['x-extensible-enum'], known);
    });
  }
});

it('the documentation shows QUOTE_EXPIRED in the words of the quote store', () => {
  const expiresAt = new Date('2026-12-21T05:02:47.287Z');
  const shown = ERROR_EXAMPLES.QUOTE_EXPIRED?.message;
  assert.throws(() => requireUnexpired({ expiresAt, readAt: expiresAt }), { code: 'QUOTE_EXPIRED', message: shown });
});
