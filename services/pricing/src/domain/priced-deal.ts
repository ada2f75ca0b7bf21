import type { Cents } from '@pfq/kit/money';
import type { AmBestRating } from './am-best.ts';

/** What pricing answers. The same deal under the same reference data and engine gives the same answer for ever. */
export type PricedDeal = {
  readonly totals: Totals;
  /** In the order of the deal's policies. */
  readonly policies: readonly PricedPolicy[];
  readonly eligibility: Eligibility;
  readonly assumptions: readonly Remark[];
  readonly warnings: readonly Remark[];
  readonly bindingReadiness: { readonly ready: boolean; readonly issues: readonly Remark[] };
  /** Null for an ineligible deal. */
  readonly recommendedOptionId: string | null;
  /** By down payment, then term; empty for an ineligible deal. */
  readonly options: readonly Option[];
};

/** Something to say about one field of the request; `param` is its path. */
export type Remark = { readonly code: string; readonly param: string; readonly message: string };

export type Totals = {
  readonly premium: Cents;
  readonly taxesAndFees: Cents;
  readonly total: Cents;
  readonly weightedMinimumEarnedBasisPoints: number;
  readonly financingStartDate: string;
};

export type PricedPolicy = {
  readonly total: Cents;
  readonly minimumEarnedBasisPoints: number;
  readonly amBest: { readonly rating: AmBestRating; readonly source: 'am_best' | 'assumed' };
};

export type Eligibility = {
  readonly status: 'eligible' | 'ineligible';
  readonly checks: readonly Check[];
  /** One for every failed check, in the same order. */
  readonly reasons: readonly Remark[];
};

export type CheckCode =
  | 'INPUT_VALID'
  | 'INSURED_STATE'
  | 'PREMIUM_MIN'
  | 'PREMIUM_MAX'
  | 'AM_BEST_MIN'
  | 'ISSUER'
  | 'COVERAGE'
  | 'POLICY_BACKDATE'
  | 'DATE_UNIFORMITY'
  | 'POLICY_TERM'
  | 'MINIMUM_EARNED_MAX';

/** `limit`, `actual` and `basis` are texts for people, left out where they do not apply. */
export type Check = {
  readonly code: CheckCode;
  readonly passed: boolean;
  readonly limit?: string;
  readonly actual?: string;
  readonly basis?: 'am_best' | 'partially_assumed' | 'assumed';
};

export type Option = {
  /** `opt_<down payment percent>_<term months>` */
  readonly id: string;
  readonly downPaymentBasisPoints: number;
  readonly termMonths: number;
  readonly aprBasisPoints: number;
  readonly downPayment: Cents;
  readonly amountFinanced: Cents;
  readonly monthlyPayment: Cents;
  readonly financeCharge: Cents;
  readonly totalOfPayments: Cents;
  readonly totalCost: Cents;
  readonly spreadClamped: boolean;
  /** The annual rate that the payment was computed from, and the gap that was part of it: not public. */
  readonly rateBasisPoints: number;
  readonly collateralGapBasisPoints: number;
};
