import { JsonFault, readJson } from '@pfq/kit/json';
import type { PricedDeal } from '@pfq/proto/pricing/v1/pricing_pb';
import type { Snapshot } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { compareJson, compareValues, memberOf, parse } from '../domain/compare-json.ts';
import type { Difference } from '../domain/compare-json.ts';
import { renderPricedMembers, toPricedPolicy } from '../quotes/quote-object.ts';
import { utf8Text } from '../quotes/stored-quote.ts';

/** Holds what was stored against a new price under the recorded versions: they match where every priced byte does. */
export function compareWithPrice(
  { requestMembers, pricedMembers }: Pick<Snapshot, 'requestMembers' | 'pricedMembers'>,
  priced: PricedDeal,
) {
  const repriced = renderPricedMembers(priced);
  const broken = refuseBrokenObject(`{${utf8Text(requestMembers)},${utf8Text(pricedMembers)}}`);
  if (broken) return { match: false, differences: [broken] };
  const differences = [
    ...comparePolicies(utf8Text(requestMembers), priced),
    ...compareJson(`{${utf8Text(pricedMembers)}}`, `{${repriced}}`),
  ];
  const isSame = Buffer.from(repriced).equals(pricedMembers);
  return { match: isSame && differences.length === 0, differences };
}

/** What is served must be one object that names no member twice: a reader may take the first or the last. */
function refuseBrokenObject(served: string): Difference | null {
  try {
    readJson(Buffer.from(served));
    return null;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return { param: '', stored: JSON.stringify(error.message), repriced: '' };
  }
}

/** Policies stand among the members from the request, so only their priced part can be compared. */
function comparePolicies(requestMembers: string, priced: PricedDeal): Difference[] {
  const stored = memberOf(parse(`{${requestMembers}}`), 'policies');
  const parts = Array.isArray(stored) ? stored.map(pickPriced) : stored;
  return compareValues('policies', parts, priced.policies.map(toPricedPolicy));
}

function pickPriced(policy: unknown) {
  return {
    total: memberOf(policy, 'total'),
    minimum_earned: memberOf(policy, 'minimum_earned'),
    carrier: { am_best: memberOf(memberOf(policy, 'carrier'), 'am_best') },
  };
}
