import { formatMoney } from '@pfq/kit/money';
import type { Deal, Policy } from '../deal.ts';
import { formatPercent } from '../decimal-text.ts';
import type { Remark } from '../priced-deal.ts';
import type { ReferenceData } from '../reference.ts';
import type { DealFigures, PolicyFigures } from './figures.ts';

type Facts = { readonly deal: Deal; readonly figures: DealFigures; readonly reference: ReferenceData };
type PolicyFacts = { readonly policy: Policy; readonly figures: PolicyFigures; readonly param: string };

/** What was assumed for want of better knowledge: one entry per occurrence, in policy order. */
export function listAssumptions(facts: Facts): Remark[] {
  return eachPolicy(facts).flatMap((policyFacts) => [
    ...assumeNoFees(policyFacts),
    ...assumeEarnedFees(policyFacts),
    ...convertMinimumEarned(policyFacts),
    ...assumeAuditable(policyFacts),
    ...assumeRating(policyFacts),
  ]);
}

/** Coverages whose minimum earned premium is often higher than quoted. */
export function listWarnings({ deal, reference }: Facts): Remark[] {
  return deal.policies.flatMap(({ coverages }, index) =>
    coverages.flatMap(({ type }, position) => {
      if (!reference.verifyMinimumEarnedCoverages.has(type)) return [];
      const message = `Policies with ${type} often earn more at once than quoted. Verify the minimum earned premium with the carrier.`;
      return [{ code: 'VERIFY_MINIMUM_EARNED', param: `policies[${index}].coverages[${position}].type`, message }];
    }),
  );
}

/** What is still missing before the deal can bind. It never stops quoting. */
export function listBindingIssues(facts: Facts): Remark[] {
  return [
    ...findMissingAddress(facts.deal),
    ...eachPolicy(facts).flatMap((policyFacts) => [
      ...findDocumentIssue(policyFacts),
      ...findMissingPolicyNumber(policyFacts),
      ...findUnresolvedRating(policyFacts),
    ]),
  ];
}

function eachPolicy({ deal, figures }: Facts): PolicyFacts[] {
  return figures.policies.flatMap((policyFigures, index) => {
    const policy = deal.policies[index];
    return policy === undefined ? [] : [{ policy, figures: policyFigures, param: `policies[${index}]` }];
  });
}

function assumeNoFees({ policy, param }: PolicyFacts): Remark[] {
  if (policy.fees.length > 0) return [];
  const message = `No taxes or fees were sent, so only the premium of ${formatMoney(policy.premium)} is financed. Send them if there are any.`;
  return [{ code: 'TAXES_AND_FEES_NOT_PROVIDED', param: `${param}.taxes_and_fees`, message }];
}

function assumeEarnedFees({ policy, param }: PolicyFacts): Remark[] {
  return policy.fees.flatMap((fee, index) => {
    if (fee.earned !== null) return [];
    const message = `The fee of ${formatMoney(fee.amount)} is taken as earned. Send earned: false if it is refunded on cancellation.`;
    return [{ code: 'EARNED_ASSUMED', param: `${param}.taxes_and_fees[${index}].earned`, message }];
  });
}

function convertMinimumEarned({ policy, figures, param }: PolicyFacts): Remark[] {
  const { minimumEarned, premium } = policy;
  if (minimumEarned.kind === 'rate') return [];
  const message = `The minimum earned amount of ${formatMoney(minimumEarned.amount)} is ${formatPercent(figures.minimumEarnedBasisPoints)} of the premium of ${formatMoney(premium)}, rounded up to 0.01 %.`;
  return [{ code: 'MINIMUM_EARNED_CONVERTED', param: `${param}.minimum_earned.amount`, message }];
}

function assumeAuditable({ policy, param }: PolicyFacts): Remark[] {
  if (policy.auditable !== null) return [];
  const message = 'The policy is taken as auditable. Send auditable: false if its premium is final.';
  return [{ code: 'AUDITABLE_ASSUMED', param: `${param}.auditable`, message }];
}

function assumeRating({ policy, figures, param }: PolicyFacts): Remark[] {
  if (!figures.ratingAssumed) return [];
  const message = `The AM Best rating of ${policy.carrier.name} could not be verified; ${figures.rating} is assumed. Send naic_code or am_best_id to help find it.`;
  return [{ code: 'AM_BEST_UNVERIFIED', param: `${param}.carrier`, message }];
}

function findMissingAddress({ insured }: Deal): Remark[] {
  const parts = { line1: insured.line1, city: insured.city, postal_code: insured.postalCode };
  const missing = Object.entries(parts).flatMap(([name, text]) => (isBlank(text) ? [name] : []));
  const [first] = missing;
  if (first === undefined) return [];
  const message = `The full address of the insured is needed to bind; still missing: ${missing.join(', ')}.`;
  return [{ code: 'INSURED_ADDRESS_INCOMPLETE', param: `insured.address.${first}`, message }];
}

function findDocumentIssue({ policy, param: policyParam }: PolicyFacts): Remark[] {
  const param = `${policyParam}.document_type`;
  if (policy.documentType === null) {
    const message =
      'Say whether the document at hand is a quote, a binder or the policy; to bind, a binder or policy is needed.';
    return [{ code: 'DOCUMENT_TYPE_MISSING', param, message }];
  }
  if (policy.documentType !== 'quote') return [];
  const message = 'The policy document is still a quote. A binder or the policy is needed to bind.';
  return [{ code: 'QUOTE_ONLY_DOCUMENT', param, message }];
}

function findMissingPolicyNumber({ policy, param }: PolicyFacts): Remark[] {
  if (!isBlank(policy.policyNumber)) return [];
  const message = 'The policy number is needed to bind.';
  return [{ code: 'POLICY_NUMBER_MISSING', param: `${param}.policy_number`, message }];
}

function findUnresolvedRating({ policy, figures, param }: PolicyFacts): Remark[] {
  if (!figures.ratingAssumed) return [];
  const message = `The AM Best rating of ${policy.carrier.name} must be known to bind. Send naic_code or am_best_id, or ask the lender to look it up.`;
  return [{ code: 'AM_BEST_UNRESOLVED', param: `${param}.carrier`, message }];
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === '';
}
