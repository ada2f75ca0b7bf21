import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  dealsFullOfTies,
  dealsUnderAnySettings,
  dealsUnderDefaultSettings,
  toEngineInput,
} from '../random-deals.test-support.ts';
import { priceByOracle, type OracleAnswer, type OracleCase, type TieKind } from '../oracle.test-support.ts';
import { priceDealWithEngine1 } from './price-deal.ts';

test('every figure of every option is the exact one, under the default settings', () => {
  holdAgainstOracle(dealsUnderDefaultSettings(), 1_000);
});

test('every figure of every option is the exact one, under settings of any kind', () => {
  holdAgainstOracle(dealsUnderAnySettings(), 1_500);
});

test('every tie is rounded half-up: down payments, gaps, rates, payments and APRs on exact halves', () => {
  const ties = holdAgainstOracle(dealsFullOfTies(), 2_500);
  for (const kind of ['down', 'gap', 'rate', 'payment', 'apr'] as const)
    assert.ok(ties[kind] > 10, `${kind}: ${ties[kind]}`);
});

function holdAgainstOracle(samples: fc.Arbitrary<OracleCase>, numRuns: number): Record<TieKind, number> {
  const ties = { down: 0, gap: 0, rate: 0, payment: 0, apr: 0 };
  const compare = fc.property(samples, (sample) => {
    const expected = priceByOracle(sample);
    assert.deepEqual(priceByEngine(sample), { ...expected, ties: null });
    ties.down += expected.ties.down;
    ties.gap += expected.ties.gap;
    ties.rate += expected.ties.rate;
    ties.payment += expected.ties.payment;
    ties.apr += expected.ties.apr;
  });
  fc.assert(compare, { numRuns });
  return ties;
}

/** The engine's answer in the oracle's words. */
function priceByEngine(sample: OracleCase): Omit<OracleAnswer, 'ties'> & { ties: null } {
  const { deal, reference } = toEngineInput(sample);
  const priced = priceDealWithEngine1(deal, reference);
  return {
    weightedMinimumEarned: priced.totals.weightedMinimumEarnedBasisPoints,
    options: priced.options.map((option) => ({
      id: option.id,
      gap: option.collateralGapBasisPoints,
      rate: option.rateBasisPoints,
      clamped: option.spreadClamped,
      down: option.downPayment,
      financed: option.amountFinanced,
      payment: option.monthlyPayment,
      apr: option.aprBasisPoints,
    })),
    recommended: priced.recommendedOptionId ?? '',
    ties: null,
  };
}
