import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as application from '@pfq/application/domain/application';
import { AM_BEST_RATINGS } from '@pfq/pricing/domain/am-best';
import { COVERAGE_TYPES } from '@pfq/proto/coverage-types';
import { fieldsBelow, schemaNamed } from './documented-fields.ts';

/** Words that the OpenAPI document names and another service has lists of: schema, field, list. */
const WORDS: readonly (readonly [schema: string, field: string, known: readonly string[]])[] = [
  ['Application', 'status', application.STATUSES],
  ['Application', 'created_via', application.CREATED_VIA],
  ['Application', 'pricing.selected_by', application.SELECTED_BY],
  ['Application', 'policies[].carrier.match', application.CARRIER_MATCHES],
  ['Application', 'policies[].document_type', application.DOCUMENT_TYPES],
  ['Application', 'requirements.blocking[].code', application.BLOCKING_CODES],
  ['Quote', 'policies[].carrier.am_best.rating', AM_BEST_RATINGS],
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
