import type { ErrorDetail } from '@pfq/kit/errors';
import { JsonNumber, JsonObject } from '@pfq/kit/json';
import type { JsonValue } from '@pfq/kit/json';
import { changeAt, renameMembers, withMember } from './json-tree.ts';
import type { Place } from './json-tree.ts';
import type { VersionChange } from './version-change.ts';

/**
 * As if what the service speaks today had come with a later version: before it some fields had other names, and a policy's
 * minimum earned rate was a bare number.
 */
export const INVENTED: VersionChange = {
  version: '2027-06-01',
  isIssued: true,
  upgradeRequest(body, endpoint) {
    const renamed = within(body, 'policies[].taxes_and_fees[]', (fee) =>
      renameMembers(fee, swapping('kept_on_cancellation', 'earned')),
    );
    return endpoint === 'POST /v1/quotes' ? eachPolicy(renamed, wrapRate) : renamed;
  },
  upgradeQuery: (query, endpoint) =>
    endpoint === 'GET /v1/applications' ? query.replaceAll(/\w+(?==)/g, swapping('page_size', 'limit')) : query,
  upgradeQuote: (members) =>
    eachPolicy(
      eachAssumption(members, (param) => param.replace(/kept_on_cancellation$/, 'earned')),
      wrapRate,
    ),
  downgrade: {
    quote: (quote) => eachPolicy(eachAssumption(quote, tellOlder), unwrapRate),
    application: (application) => renameMembers(application, swapping('state', 'status')),
    whoami: (whoami) => renameMembers(whoami, swapping('agency', 'brokerage')),
    coverage_type: (coverageType) => renameMembers(coverageType, swapping('code', 'type')),
  },
  downgradeProblem({ code, param, message }): ErrorDetail {
    if (param === undefined) return { code, message };
    const told = tellOlder(param);
    return { code, param: told, message: message.replace(param, () => told) };
  },
};

/** A request's path by the names of the version before; the new name, which that version does not know, stands for the old one. */
function tellOlder(param: string): string {
  return param
    .replace(/^(policies\[\d+\]\.minimum_earned)\.rate$/, '$1')
    .replace(/(?<=^policies\[\d+\]\.taxes_and_fees\[\d+\]\.)\w+$/, swapping('kept_on_cancellation', 'earned'))
    .replace(/^\w+$/, swapping('page_size', 'limit'));
}

function swapping(one: string, other: string): (name: string) => string {
  return (name) => (name === one ? other : name === other ? one : name);
}

function eachAssumption(quote: JsonObject, change: (param: string) => string): JsonObject {
  return within(quote, 'assumptions[]', (assumption) => {
    const param = assumption.members.get('param');
    return typeof param === 'string' ? withMember(assumption, 'param', change(param)) : assumption;
  });
}

function eachPolicy(object: JsonObject, change: (rate: JsonValue) => JsonValue): JsonObject {
  return within(object, 'policies[]', (policy) => {
    const earned = policy.members.get('minimum_earned');
    return earned === undefined ? policy : withMember(policy, 'minimum_earned', change(earned));
  });
}

function within(object: JsonObject, place: Place, change: (object: JsonObject) => JsonValue): JsonObject {
  const changed = changeAt(object, place, change);
  return changed instanceof JsonObject ? changed : object;
}

function wrapRate(earned: JsonValue): JsonValue {
  return earned instanceof JsonNumber ? new JsonObject(new Map([['rate', earned]])) : earned;
}

function unwrapRate(earned: JsonValue): JsonValue {
  return (earned instanceof JsonObject && earned.members.get('rate')) || earned;
}
