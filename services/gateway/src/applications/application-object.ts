import { timestampDate } from '@bufbuild/protobuf/wkt';
import { writeMembers, writePairs } from '@pfq/kit/json-writer';
import type { Application, Policy, Pricing, Requirement } from '@pfq/proto/application/v1/application_pb';

/** A page of live applications as the public list; its cursor is its last application where another page follows. */
export function renderApplicationList(applications: readonly Application[], hasMore: boolean): string {
  const nextCursor = hasMore ? applications.at(-1)?.id : null;
  const data = applications.map(renderApplication).join(',');
  return `{"object":"list","data":[${data}],"has_more":${hasMore},"next_cursor":${JSON.stringify(nextCursor)}}`;
}

function renderApplication(application: Application): string {
  const { createdAt } = application;
  if (!createdAt) throw new Error(`application ${application.id} has no time of creation`);
  const members = {
    id: application.id,
    object: 'application',
    livemode: true,
    status: application.status,
    created_via: application.createdVia,
    quote_id: application.quoteId ?? null,
    accepted_option_id: application.acceptedOptionId ?? null,
    pricing: application.pricing ? toPricing(application.pricing) : null,
    insured: toInsured(application),
    broker: { email: application.brokerEmail },
    policies: application.policies.map(toPolicy),
    requirements: {
      blocking: application.blocking.map(toRequirement),
      outstanding: application.outstanding.map(toRequirement),
    },
    portal_url: application.portalUrl,
    client_reference_id: application.clientReferenceId ?? null,
  };
  const metadata = writePairs(application.metadata.map(({ name, value }) => [name, value]));
  return `{${writeMembers(members)},"metadata":${metadata},${writeMembers({ created_at: timestampDate(createdAt) })}}`;
}

function toPricing(pricing: Pricing) {
  return {
    option_id: pricing.optionId ?? null,
    down_payment_rate: pricing.downPaymentRate,
    term_months: pricing.termMonths,
    apr: pricing.apr,
    down_payment: pricing.downPayment,
    amount_financed: pricing.amountFinanced,
    monthly_payment: pricing.monthlyPayment,
    finance_charge: pricing.financeCharge,
    total_of_payments: pricing.totalOfPayments,
    total_cost: pricing.totalCost,
    selected_by: pricing.selectedBy,
  };
}

function toInsured({ insured }: Application) {
  const { name, address } = insured ?? {};
  return {
    name: name ?? null,
    address: {
      line1: address?.line1 ?? null,
      city: address?.city ?? null,
      state: address?.state ?? null,
      postal_code: address?.postalCode ?? null,
    },
  };
}

function toPolicy(policy: Policy) {
  return {
    id: policy.id,
    carrier: { name: policy.carrierName ?? null, match: policy.carrierMatch },
    total: policy.total ?? null,
    effective_date: policy.effectiveDate ?? null,
    expiration_date: policy.expirationDate ?? null,
    document_type: policy.documentType ?? null,
    policy_number: policy.policyNumber ?? null,
  };
}

function toRequirement({ code, param, description, dueBy }: Requirement) {
  return { code, param: param ?? null, description, due_by: dueBy ?? null };
}
