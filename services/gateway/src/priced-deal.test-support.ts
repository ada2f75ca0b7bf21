import { create } from '@bufbuild/protobuf';
import { PricedUnderSchema } from '@pfq/proto/pricing/v1/deal_pb';
import { PricedDealSchema } from '@pfq/proto/pricing/v1/pricing_pb';
import type { PricedDeal } from '@pfq/proto/pricing/v1/pricing_pb';

export const PRICED_UNDER = create(PricedUnderSchema, { engineVersion: '1', rateSheetVersion: 1, settingsVersion: 2 });

/** An eligible price with one option; amounts are made up. */
export function pricedDeal(policies = 1): PricedDeal {
  return create(PricedDealSchema, {
    totals: {
      premium: '12000.00',
      taxesAndFees: '250.00',
      total: '12250.00',
      weightedMinimumEarnedBasisPoints: 2_500,
      financingStartDate: '2027-01-01',
    },
    policies: Array.from({ length: policies }, () => ({
      total: '12250.00',
      minimumEarnedBasisPoints: 2_500,
      rating: 'A',
      ratingAssumed: false,
    })),
    eligibility: {
      eligible: true,
      checks: [
        { code: 'INPUT_VALID', passed: true },
        { code: 'AM_BEST_MIN', passed: true, limit: 'A-', actual: 'A', basis: 'am_best' },
      ],
    },
    assumptions: [
      { code: 'EARNED_ASSUMED', param: 'policies[0].taxes_and_fees[0].earned', message: 'Taken as earned.' },
    ],
    bindingIssues: [{ code: 'QUOTE_ONLY_DOCUMENT', param: 'policies[0].document_type', message: 'Still a quote.' }],
    recommendedOptionId: 'opt_25_9',
    options: [
      {
        id: 'opt_25_9',
        downPaymentBasisPoints: 2_500,
        termMonths: 9,
        aprBasisPoints: 1_104,
        downPayment: '3062.50',
        amountFinanced: '9187.50',
        monthlyPayment: '1068.57',
        financeCharge: '429.63',
        totalOfPayments: '9617.13',
        totalCost: '12679.63',
        spreadClamped: true,
      },
    ],
  });
}
