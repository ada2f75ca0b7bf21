import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  ApplicationSchema,
  InsuredSchema,
  PolicySchema,
  PricingSchema,
  RequirementSchema,
} from '@pfq/proto/application/v1/application_pb';
import type { Application, Insured, Policy, Pricing, Requirement } from '../domain/application.ts';

/** An application for the wire, where what is null is absent. */
export function toMessage(application: Application): MessageInitShape<typeof ApplicationSchema> {
  const { quoteId, acceptedOptionId, pricing, clientReferenceId } = application;
  return {
    id: application.id,
    status: application.status,
    createdVia: application.createdVia,
    quoteId: quoteId ?? undefined,
    acceptedOptionId: acceptedOptionId ?? undefined,
    pricing: pricing === null ? undefined : toPricing(pricing),
    insured: toInsured(application.insured),
    brokerEmail: application.brokerEmail,
    policies: application.policies.map(toPolicy),
    blocking: application.blocking.map(toRequirement),
    outstanding: application.outstanding.map(toRequirement),
    portalUrl: application.portalUrl,
    clientReferenceId: clientReferenceId ?? undefined,
    metadata: [...application.metadata],
    createdAt: timestampFromDate(application.createdAt),
  };
}

function toPricing({ optionId, ...terms }: Pricing): MessageInitShape<typeof PricingSchema> {
  return { ...terms, optionId: optionId ?? undefined };
}

function toInsured({ name, line1, city, state, postalCode }: Insured): MessageInitShape<typeof InsuredSchema> {
  return {
    name: name ?? undefined,
    address: {
      line1: line1 ?? undefined,
      city: city ?? undefined,
      state: state ?? undefined,
      postalCode: postalCode ?? undefined,
    },
  };
}

function toPolicy(policy: Policy): MessageInitShape<typeof PolicySchema> {
  const { carrierName, total, effectiveDate, expirationDate, documentType, policyNumber } = policy;
  return {
    id: policy.id,
    carrierName: carrierName ?? undefined,
    carrierMatch: policy.carrierMatch,
    total: total ?? undefined,
    effectiveDate: effectiveDate ?? undefined,
    expirationDate: expirationDate ?? undefined,
    documentType: documentType ?? undefined,
    policyNumber: policyNumber ?? undefined,
  };
}

function toRequirement(requirement: Requirement<string>): MessageInitShape<typeof RequirementSchema> {
  const { code, param, description, dueBy } = requirement;
  return { code, param: param ?? undefined, description, dueBy: dueBy ?? undefined };
}
