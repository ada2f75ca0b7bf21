import { create } from '@bufbuild/protobuf';
import { formatMoney } from '@pfq/kit/money';
import { DealSchema } from '@pfq/proto/pricing/v1/deal_pb';
import type { Deal } from '@pfq/proto/pricing/v1/deal_pb';
import type { QuoteRequest } from '../requests/quote-request.ts';

type PolicyRequest = QuoteRequest['policies'][number];

/** What a price depends on, out of a request; `today` is the UTC date YYYY-MM-DD. */
export function toDeal({ insured, policies }: QuoteRequest, today: string): Deal {
  const { state, line1, city, postal_code } = insured.address;
  return create(DealSchema, {
    today,
    insured: { state, ...present({ line1, city, postalCode: postal_code }) },
    policies: policies.map(toPolicy),
  });
}

function toPolicy(policy: PolicyRequest) {
  const { carrier, auditable, document_type, policy_number } = policy;
  return {
    premium: formatMoney(policy.premium),
    fees: (policy.taxes_and_fees ?? []).map(({ amount, earned }) => ({
      amount: formatMoney(amount),
      ...present({ earned }),
    })),
    minimumEarned: toMinimumEarned(policy.minimum_earned),
    effectiveDate: policy.effective_date,
    expirationDate: policy.expiration_date,
    carrier: { name: carrier.name, ...present({ naicCode: carrier.naic_code, amBestId: carrier.am_best_id }) },
    coverageTypes: policy.coverages.map(({ type }) => type),
    ...present({ auditable, documentType: document_type, policyNumber: policy_number }),
  };
}

function toMinimumEarned(given: PolicyRequest['minimum_earned']) {
  if (given.kind === 'rate') return { case: 'minimumEarnedRate' as const, value: given.value };
  return { case: 'minimumEarnedAmount' as const, value: formatMoney(given.value) };
}

/** The members that are not null: protobuf has no null. */
function present<T extends Record<string, unknown>>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}
