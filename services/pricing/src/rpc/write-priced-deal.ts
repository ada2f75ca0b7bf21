import type { MessageInitShape } from '@bufbuild/protobuf';
import { formatMoney } from '@pfq/kit/money';
import type { OptionSchema, PricedDealSchema } from '@pfq/proto/pricing/v1/pricing_pb';
import type { Option, PricedDeal, PricedPolicy } from '../domain/priced-deal.ts';

export function writePricedDeal(priced: PricedDeal): MessageInitShape<typeof PricedDealSchema> {
  const { totals, eligibility, bindingReadiness, recommendedOptionId } = priced;
  return {
    totals: {
      premium: formatMoney(totals.premium),
      taxesAndFees: formatMoney(totals.taxesAndFees),
      total: formatMoney(totals.total),
      weightedMinimumEarnedBasisPoints: totals.weightedMinimumEarnedBasisPoints,
      financingStartDate: totals.financingStartDate,
    },
    policies: priced.policies.map(writePolicy),
    eligibility: {
      eligible: eligibility.status === 'eligible',
      checks: [...eligibility.checks],
      reasons: [...eligibility.reasons],
    },
    assumptions: [...priced.assumptions],
    warnings: [...priced.warnings],
    bindingIssues: [...bindingReadiness.issues],
    readyToBind: bindingReadiness.ready,
    ...(recommendedOptionId !== null && { recommendedOptionId }),
    options: priced.options.map(writeOption),
  };
}

function writePolicy({ total, minimumEarnedBasisPoints, amBest }: PricedPolicy) {
  return {
    total: formatMoney(total),
    minimumEarnedBasisPoints,
    rating: amBest.rating,
    ratingAssumed: amBest.source === 'assumed',
  };
}

function writeOption(option: Option): MessageInitShape<typeof OptionSchema> {
  return {
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
