import type { Interest } from './interest.ts';

/** An interest in which every field is filled. */
export const INTEREST: Interest = {
  quoteId: 'qte_0Uz3kQ9aXbcdefghijklmn',
  clientReferenceId: 'HCR-2026-0117',
  insuredName: 'Hill Country Roofing LLC',
  agencyName: 'Lone Star Insurance Agency',
  brokerName: 'Dana Reyes',
  option: {
    optionId: 'opt_20_9',
    downPaymentBasisPoints: 2000,
    termMonths: 9,
    aprBasisPoints: 1692,
    downPayment: '2913.75',
    amountFinanced: '11655.00',
    monthlyPayment: '1389.57',
    financeCharge: '851.13',
    totalOfPayments: '12506.13',
    totalCost: '15419.88',
  },
  note: 'Can we start on December 1?\n\nPlease call me after 3 pm.',
  submittedAt: new Date('2026-11-21T20:07:25Z'),
};
