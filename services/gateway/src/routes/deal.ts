import { create } from '@bufbuild/protobuf';
import { formatMoney } from '@pfq/kit/money';
import { DealSchema } from '@pfq/proto/pricing/v1/deal_pb';
import type { Deal } from '@pfq/proto/pricing/v1/deal_pb';
import type { QuoteRequest } from '../requests/quote-request.ts';

type PolicyRequest = QuoteRequest['policies'][number];

/** What a price depends on, out of a request; `today` is the UTC date YYYY-MM-DD. What is null is left out. */
export function toDeal({ insured, policies }: QuoteRequest, today: string): Deal {
  const { state, line1, city, postal_code } = insured.address;
  return create(DealSchema, {
    today,
    insured: {
      state,
      ...(line1 !== null && { line1 }),
      ...(city !== null && { city }),
      ...(postal_code !== null && { postalCode: postal_code }),
    },
    policies: policies.map(toPolicy),
  });
}

function toPolicy(policy: PolicyRequest) {
  const { carrier, auditable, document_type, policy_number } = policy;
  return {
    premium: formatMoney(policy.premium),
    fees: (policy.taxes_and_fees ?? []).map(({ amount, earned }) => ({
      amount: formatMoney(amount),
      ...(earned !== null && { earned }),
    })),
    minimumEarned: toMinimumEarned(policy.minimum_earned),
    effectiveDate: policy.effective_date,
    expirationDate: policy.expiration_date,
    carrier: {
      name: carrier.name,
      ...(carrier.naic_code !== null && { naicCode: carrier.naic_code }),
      ...(carrier.am_best_id !== null && { amBestId: carrier.am_best_id }),
    },
    coverageTypes: policy.coverages.map(({ type }) => type),
    ...(auditable !== null && { auditable }),
    ...(document_type !== null && { documentType: document_type }),
    ...(policy_number !== null && { policyNumber: policy_number }),
  };
}

function toMinimumEarned(given: PolicyRequest['minimum_earned']) {
  if (given.kind === 'rate') return { case: 'minimumEarnedRate' as const, value: given.value };
  return { case: 'minimumEarnedAmount' as const, value: formatMoney(given.value) };
}
