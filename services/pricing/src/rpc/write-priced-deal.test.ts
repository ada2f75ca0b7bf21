import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { PricedDealSchema } from '@pfq/proto/pricing/v1/pricing_pb';
import { makeDeal, makePolicy, makeReference } from '../domain/deals.test-support.ts';
import { priceDealWithEngine1 } from '../domain/engine-1/price-deal.ts';
import { writePricedDeal } from './write-priced-deal.ts';

const INSURED = { state: 'OK', line1: null, city: null, postalCode: null };
const OPEN = makePolicy({ auditable: null, coverages: [{ type: 'windstorm' }] });

const DEALS = [
  { name: 'an eligible deal', deal: makeDeal([OPEN]) },
  { name: 'an ineligible deal', deal: makeDeal([OPEN], { insured: INSURED }) },
];
for (const { name, deal } of DEALS) {
  test(`the price of ${name} arrives as it was written`, () => {
    const written = writePricedDeal(priceDealWithEngine1(deal, makeReference()));
    const arrived = fromBinary(PricedDealSchema, toBinary(PricedDealSchema, written));
    assert.deepEqual(arrived, written);
    assert.ok(arrived.assumptions.length > 0 && arrived.warnings.length > 0);
  });
}

test('what does not apply is left out', () => {
  const priced = priceDealWithEngine1(makeDeal([OPEN], { insured: INSURED }), makeReference());
  const { eligibility, recommendedOptionId, options } = writePricedDeal(priced);
  const $typeName = 'pfq.pricing.v1.Check';
  assert.deepEqual(eligibility?.checks.slice(0, 2), [
    { $typeName, code: 'INPUT_VALID', passed: true },
    { $typeName, code: 'INSURED_STATE', passed: false, limit: 'TX', actual: 'OK' },
  ]);
  assert.deepEqual({ recommendedOptionId, options }, { recommendedOptionId: undefined, options: [] });
});
