import { sumCents, toCents, type Cents } from '@pfq/kit/money';
import type { AmBestRating } from '../am-best.ts';
import { daysBetween, wholeMonthsBetween } from '../calendar.ts';
import { findCarrier, type CarrierDirectory, type CarrierEntry } from '../carriers.ts';
import type { Deal, Policy } from '../deal.ts';
import { fraction, roundHalfUp } from '../fraction.ts';
import type { ReferenceData } from '../reference.ts';
import { toMinimumEarnedBasisPoints } from './minimum-earned.ts';

/** What the rules need to know of one policy. */
export type PolicyFigures = {
  readonly premium: Cents;
  readonly taxesAndFees: Cents;
  readonly total: Cents;
  /** Premium and refundable fees: what comes back on cancellation while nothing is earned. */
  readonly refundable: Cents;
  readonly minimumEarnedBasisPoints: number;
  readonly carrier: CarrierEntry | null;
  readonly rating: AmBestRating;
  readonly ratingAssumed: boolean;
  readonly auditable: boolean;
  readonly wholeMonths: number;
};

/** What the rules need to know of the deal. Dates are the earliest of the policies', which share them if eligible. */
export type DealFigures = {
  readonly policies: readonly PolicyFigures[];
  readonly premium: Cents;
  readonly taxesAndFees: Cents;
  readonly total: Cents;
  readonly weightedMinimumEarnedBasisPoints: number;
  readonly effectiveDate: string;
  readonly datesAgree: boolean;
  /** Of the shortest policy. */
  readonly wholeMonths: number;
  /** Days from the first policy's effective to its expiration date. */
  readonly policyDays: number;
};

export function measureDeal(deal: Deal, { carriers, settings }: ReferenceData): DealFigures {
  const assumedRating = settings.assumedAmBestRating;
  const policies = deal.policies.map((policy) => measurePolicy(policy, { carriers, assumedRating }));
  const [first] = deal.policies;
  if (first === undefined) throw new RangeError('A deal needs at least one policy.');
  const premium = sumCents(policies.map((policy) => policy.premium));
  const taxesAndFees = sumCents(policies.map((policy) => policy.taxesAndFees));
  return {
    policies,
    premium,
    taxesAndFees,
    total: toCents(premium + taxesAndFees),
    weightedMinimumEarnedBasisPoints: weighMinimumEarned(policies, premium),
    effectiveDate: earliest(deal.policies.map((policy) => policy.effectiveDate)),
    datesAgree: deal.policies.every((policy) => sharesDates(policy, first)),
    wholeMonths: Math.min(...policies.map((policy) => policy.wholeMonths)),
    policyDays: daysBetween(first.effectiveDate, first.expirationDate),
  };
}

type Ratings = { readonly carriers: CarrierDirectory; readonly assumedRating: AmBestRating };

function measurePolicy(policy: Policy, { carriers, assumedRating }: Ratings): PolicyFigures {
  const { premium, fees } = policy;
  const taxesAndFees = sumCents(fees.map((fee) => fee.amount));
  const refundableFees = sumCents(fees.filter((fee) => fee.earned === false).map((fee) => fee.amount));
  const carrier = findCarrier(carriers, policy.carrier);
  const rating = carrier?.rating ?? null;
  return {
    premium,
    taxesAndFees,
    total: toCents(premium + taxesAndFees),
    refundable: toCents(premium + refundableFees),
    minimumEarnedBasisPoints: toMinimumEarnedBasisPoints(policy),
    carrier,
    rating: rating ?? assumedRating,
    ratingAssumed: rating === null,
    auditable: policy.auditable ?? true,
    wholeMonths: wholeMonthsBetween(policy.effectiveDate, policy.expirationDate),
  };
}

function weighMinimumEarned(policies: readonly PolicyFigures[], premium: Cents): number {
  const earned = policies.reduce((sum, policy) => sum + policy.premium * BigInt(policy.minimumEarnedBasisPoints), 0n);
  return Number(roundHalfUp(fraction(earned, premium), 1n));
}

function earliest(dates: readonly string[]): string {
  return dates.reduce((first, date) => (date < first ? date : first));
}

function sharesDates(policy: Policy, first: Policy): boolean {
  return policy.effectiveDate === first.effectiveDate && policy.expirationDate === first.expirationDate;
}
