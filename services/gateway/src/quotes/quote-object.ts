import { writeMembers, writePairs } from '@pfq/kit/json-writer';
import type { Eligibility, Notice, Option, PricedDeal, PricedPolicy } from '@pfq/proto/pricing/v1/pricing_pb';
import type { Mode } from '../domain/agency.ts';
import type { QuoteRequest } from '../requests/quote-request.ts';

/** Members of a JSON object as text, without the outer braces. */
type Members = string;

/** The members that can change. */
export type QuoteHead = {
  readonly id: string;
  readonly mode: Mode;
  readonly hostedUrl: string | null;
} & ({ readonly status: 'active' | 'expired' } | { readonly status: 'interested'; readonly interest: Interest });

/** The insured's response, and what became of the broker's notification. */
export type Interest = {
  readonly optionId: string;
  readonly note: string | null;
  readonly submittedAt: Date;
  readonly notification: {
    readonly status: 'skipped' | 'pending' | 'sent' | 'failed';
    /** A public code: why it was skipped or failed. */
    readonly reason: string | null;
    /** An email address; null where nobody is notified. */
    readonly recipient: string | null;
    /** Since when the status holds. */
    readonly at: Date;
  };
};

export type NewQuoteParts = {
  readonly request: QuoteRequest;
  readonly priced: PricedDeal;
  readonly brokerEmail: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** One for each policy, in order. */
  readonly policyIds: readonly string[];
};

/** The public quote: what can change is written anew, what cannot is the stored text. */
export function renderQuote(head: QuoteHead, requestMembers: Members, pricedMembers: Members): string {
  const interest = head.status === 'interested' ? head.interest : null;
  const changeable = {
    id: head.id,
    object: 'quote',
    livemode: head.mode === 'live',
    status: head.status,
    hosted_url: head.hostedUrl,
    selected_option_id: interest && interest.optionId,
    interest: interest && toInterest(interest),
  };
  return `{${writeMembers(changeable)},${requestMembers},${pricedMembers}}`;
}

function toInterest({ optionId, note, submittedAt, notification }: Interest) {
  const { status, reason, recipient, at } = notification;
  const recipients = recipient === null ? [] : [recipient];
  return {
    option_id: optionId,
    note,
    submitted_at: submittedAt,
    broker_notification: { status, reason, recipient, recipients, at },
  };
}

/** The constant members that come from the request, `client_reference_id` to `policies`. */
export function renderRequestMembers(parts: NewQuoteParts): Members {
  const { request, brokerEmail, createdAt, expiresAt } = parts;
  const members = [
    `"client_reference_id":${JSON.stringify(request.client_reference_id)}`,
    `"metadata":${writePairs(request.metadata ?? [])}`,
    `"broker":${JSON.stringify({ email: brokerEmail })}`,
    `"created_at":${JSON.stringify(createdAt)}`,
    `"expires_at":${JSON.stringify(expiresAt)}`,
    `"policies":[${request.policies.map((_, index) => renderPolicy(parts, index)).join(',')}]`,
  ];
  return members.join(',');
}

/** The constant members that come from pricing, `totals` to `options`; the same price gives the same text. */
export function renderPricedMembers(priced: PricedDeal): Members {
  const { totals, eligibility } = priced;
  if (!totals || !eligibility) throw new Error('the price is incomplete');
  return writeMembers({
    totals: {
      premium: totals.premium,
      taxes_and_fees: totals.taxesAndFees,
      total: totals.total,
      weighted_minimum_earned_rate: toFraction(totals.weightedMinimumEarnedBasisPoints),
      financing_start_date: totals.financingStartDate,
    },
    eligibility: toEligibility(eligibility),
    assumptions: priced.assumptions.map(toNotice),
    warnings: priced.warnings.map(toNotice),
    binding_readiness: { ready: priced.readyToBind, issues: priced.bindingIssues.map(toNotice) },
    recommended_option_id: priced.recommendedOptionId ?? null,
    options: priced.options.map(toOption),
  });
}

function renderPolicy({ request, priced, policyIds }: NewQuoteParts, index: number): string {
  const sent = request.policies[index];
  const policy = priced.policies[index];
  if (!sent || !policy) throw new Error(`policy ${index} was not priced`);
  const { total, minimum_earned, carrier } = toPricedPolicy(policy);
  const members = writeMembers({
    id: policyIds[index],
    total,
    minimum_earned,
    carrier: { name: sent.carrier.name, ...carrier },
  });
  return `{${members},"metadata":${writePairs(sent.metadata ?? [])}}`;
}

/** The part of a public policy that comes from pricing. */
export function toPricedPolicy({ total, minimumEarnedBasisPoints, rating, ratingAssumed }: PricedPolicy) {
  return {
    total,
    minimum_earned: { rate: toFraction(minimumEarnedBasisPoints) },
    carrier: { am_best: { rating, source: ratingAssumed ? 'assumed' : 'am_best' } },
  };
}

function toEligibility({ eligible, checks, reasons }: Eligibility) {
  return {
    status: eligible ? 'eligible' : 'ineligible',
    // An absent limit, actual or basis is left out by JSON.stringify.
    checks: checks.map(({ code, passed, limit, actual, basis }) => ({ code, passed, limit, actual, basis })),
    reasons: reasons.map(toNotice),
  };
}

function toNotice({ code, param, message }: Notice) {
  return { code, param, message };
}

function toOption(option: Option) {
  return {
    id: option.id,
    down_payment_rate: toFraction(option.downPaymentBasisPoints),
    term_months: option.termMonths,
    apr: toFraction(option.aprBasisPoints),
    down_payment: option.downPayment,
    amount_financed: option.amountFinanced,
    monthly_payment: option.monthlyPayment,
    finance_charge: option.financeCharge,
    total_of_payments: option.totalOfPayments,
    total_cost: option.totalCost,
    spread_clamped: option.spreadClamped,
  };
}

/** The double nearest to n / 10,000 prints as exactly those four decimals. */
function toFraction(basisPoints: number): number {
  return basisPoints / 10_000;
}
