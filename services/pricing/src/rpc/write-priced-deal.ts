import { formatMoney } from '@pfq/kit/money';
import type * as wire from '@pfq/proto/pricing/v1/pricing_pb';
import type { Option, PricedDeal, PricedPolicy, Remark } from '../domain/priced-deal.ts';

/** Whole messages rather than initializers: no field can be forgotten, and building a grid's takes half the time. */
export function writePricedDeal(priced: PricedDeal): wire.PricedDeal {
  const { totals, eligibility, bindingReadiness, recommendedOptionId } = priced;
  return {
    $typeName: 'pfq.pricing.v1.PricedDeal',
    totals: {
      $typeName: 'pfq.pricing.v1.Totals',
      premium: formatMoney(totals.premium),
      taxesAndFees: formatMoney(totals.taxesAndFees),
      total: formatMoney(totals.total),
      weightedMinimumEarnedBasisPoints: totals.weightedMinimumEarnedBasisPoints,
      financingStartDate: totals.financingStartDate,
    },
    policies: priced.policies.map(writePolicy),
    eligibility: {
      $typeName: 'pfq.pricing.v1.Eligibility',
      eligible: eligibility.status === 'eligible',
      checks: eligibility.checks.map((check) => ({ $typeName: 'pfq.pricing.v1.Check', ...check })),
      reasons: eligibility.reasons.map(writeNotice),
    },
    assumptions: priced.assumptions.map(writeNotice),
    warnings: priced.warnings.map(writeNotice),
    bindingIssues: bindingReadiness.issues.map(writeNotice),
    readyToBind: bindingReadiness.ready,
    ...(recommendedOptionId !== null && { recommendedOptionId }),
    options: priced.options.map(writeOption),
  };
}

function writePolicy({ total, minimumEarnedBasisPoints, amBest }: PricedPolicy): wire.PricedPolicy {
  return {
    $typeName: 'pfq.pricing.v1.PricedPolicy',
    total: formatMoney(total),
    minimumEarnedBasisPoints,
    rating: amBest.rating,
    ratingAssumed: amBest.source === 'assumed',
  };
}

function writeNotice({ code, param, message }: Remark): wire.Notice {
  return { $typeName: 'pfq.pricing.v1.Notice', code, param, message };
}

function writeOption(option: Option): wire.Option {
  return {
    $typeName: 'pfq.pricing.v1.Option',
    id: option.id,
    downPaymentBasisPoints: option.downPaymentBasisPoints,
    termMonths: option.termMonths,
    aprBasisPoints: option.aprBasisPoints,
    downPayment: formatMoney(option.downPayment),
    amountFinanced: formatMoney(option.amountFinanced),
    monthlyPayment: formatMoney(option.monthlyPayment),
    financeCharge: formatMoney(option.financeCharge),
    totalOfPayments: formatMoney(option.totalOfPayments),
    totalCost: formatMoney(option.totalCost),
    spreadClamped: option.spreadClamped,
  };
}
