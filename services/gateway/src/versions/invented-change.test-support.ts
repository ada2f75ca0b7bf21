import { JsonNumber, JsonObject } from '../requests/json.ts';
import type { JsonValue } from '../requests/json.ts';
import { changeAt, renameMembers, withMember } from './json-tree.ts';
import type { VersionChange } from './version-change.ts';

/**
 * As if what the service speaks today had come with a later version: before it some fields had other names, and a policy's
 * minimum earned rate was a bare number.
 */
export const INVENTED: VersionChange = {
  version: '2027-06-01',
  summary: 'Minimum earned may be an amount; some fields have clearer names.',
  renamedFields: [
    { place: 'insured', older: 'trade_name', newer: 'dba' },
    { place: 'policies[].taxes_and_fees[]', older: 'kept_on_cancellation', newer: 'earned' },
    { place: '', older: 'page_size', newer: 'limit' },
  ],
  downgradeParam: (param) => param.replace(/^(policies\[\d+\]\.minimum_earned)\.rate$/, '$1'),
  upgradeRequest: (body, endpoint) => (endpoint === 'POST /v1/quotes' ? eachPolicy(body, wrapRate) : body),
  upgradeQuote: (members) => eachPolicy(members, wrapRate),
  downgrade: {
    quote: (quote) => eachPolicy(quote, unwrapRate),
    application: (application) => renameMembers(application, (name) => (name === 'status' ? 'state' : name)),
    whoami: (whoami) => renameMembers(whoami, (name) => (name === 'brokerage' ? 'agency' : name)),
    coverage_type: (coverageType) => renameMembers(coverageType, (name) => (name === 'type' ? 'code' : name)),
  },
};

function eachPolicy(object: JsonObject, change: (rate: JsonValue) => JsonValue): JsonObject {
  const changed = changeAt(object, 'policies[]', (policy) => {
    const earned = policy.members.get('minimum_earned');
    return earned === undefined ? policy : withMember(policy, 'minimum_earned', change(earned));
  });
  return changed instanceof JsonObject ? changed : object;
}

function wrapRate(earned: JsonValue): JsonValue {
  return earned instanceof JsonNumber ? new JsonObject(new Map([['rate', earned]])) : earned;
}

function unwrapRate(earned: JsonValue): JsonValue {
  return (earned instanceof JsonObject && earned.members.get('rate')) || earned;
}
