import type { Deal } from '../deal.ts';
import type { PricedDeal } from '../priced-deal.ts';
import type { ReferenceData } from '../reference.ts';
import { judgeEligibility } from './eligibility.ts';
import { measureDeal, type DealFigures } from './figures.ts';
import { buildGrid, recommendOption } from './grid.ts';
import { listAssumptions, listBindingIssues, listWarnings } from './remarks.ts';

export function priceDealWithEngine1(deal: Deal, reference: ReferenceData): PricedDeal {
  const figures = measureDeal(deal, reference);
  const facts = { deal, figures, reference };
  const eligibility = judgeEligibility(facts);
  const eligible = eligibility.status === 'eligible';
  const options = eligible ? buildGrid(figures, reference) : [];
  const issues = listBindingIssues(facts);
  return {
    totals: toTotals(figures),
    policies: figures.policies.map((policy) => ({
      total: policy.total,
      minimumEarnedBasisPoints: policy.minimumEarnedBasisPoints,
      amBest: { rating: policy.rating, source: policy.ratingAssumed ? 'assumed' : 'am_best' },
    })),
    eligibility,
    assumptions: listAssumptions(facts),
    warnings: listWarnings(facts),
    bindingReadiness: { ready: eligible && issues.length === 0, issues },
    recommendedOptionId: recommendOption(options, reference.settings)?.id ?? null,
    options,
  };
}

function toTotals(figures: DealFigures): PricedDeal['totals'] {
  return {
    premium: figures.premium,
    taxesAndFees: figures.taxesAndFees,
    total: figures.total,
    weightedMinimumEarnedBasisPoints: figures.weightedMinimumEarnedBasisPoints,
    financingStartDate: figures.effectiveDate,
  };
}
