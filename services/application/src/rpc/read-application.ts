import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type * as wire from '@pfq/proto/application/v1/application_pb';
import type { Application, Insured, Policy, Pricing, Requirement } from '../domain/application.ts';
import type { Draft, IncomingDraft } from '../domain/draft.ts';

const NANOS_PER_MS = 1_000_000;

/** The words of the domain for what was sent; nothing is judged here. */
export function toIncomingDraft({ agencyId, livemode, application }: wire.IncomingApplication): IncomingDraft {
  return { agencyId, livemode, application: application ? toApplication(application) : null };
}

function toApplication(sent: wire.Application): Draft<Application> {
  return {
    id: sent.id,
    status: sent.status,
    createdVia: sent.createdVia,
    quoteId: sent.quoteId ?? null,
    acceptedOptionId: sent.acceptedOptionId ?? null,
    pricing: sent.pricing ? toPricing(sent.pricing) : null,
    insured: toInsured(sent.insured),
    brokerEmail: sent.brokerEmail,
    policies: sent.policies.map(toPolicy),
    blocking: sent.blocking.map(toRequirement),
    outstanding: sent.outstanding.map(toRequirement),
    portalUrl: sent.portalUrl,
    clientReferenceId: sent.clientReferenceId ?? null,
    metadata: sent.metadata.map(({ name, value }) => ({ name, value })),
    createdAt: toDate(sent.createdAt),
  };
}

function toPricing(sent: wire.Pricing): Draft<Pricing> {
  return {
    optionId: sent.optionId ?? null,
    downPaymentRate: sent.downPaymentRate,
    termMonths: sent.termMonths,
    apr: sent.apr,
    downPayment: sent.downPayment,
    amountFinanced: sent.amountFinanced,
    monthlyPayment: sent.monthlyPayment,
    financeCharge: sent.financeCharge,
    totalOfPayments: sent.totalOfPayments,
    totalCost: sent.totalCost,
    selectedBy: sent.selectedBy,
  };
}

/** An insured or an address that is absent is one of whom nothing is known. */
function toInsured(sent: wire.Insured | undefined): Draft<Insured> {
  return {
    name: sent?.name ?? null,
    line1: sent?.address?.line1 ?? null,
    city: sent?.address?.city ?? null,
    state: sent?.address?.state ?? null,
    postalCode: sent?.address?.postalCode ?? null,
  };
}

function toPolicy(sent: wire.Policy): Draft<Policy> {
  return {
    id: sent.id,
    carrierName: sent.carrierName ?? null,
    carrierMatch: sent.carrierMatch,
    total: sent.total ?? null,
    effectiveDate: sent.effectiveDate ?? null,
    expirationDate: sent.expirationDate ?? null,
    documentType: sent.documentType ?? null,
    policyNumber: sent.policyNumber ?? null,
  };
}

function toRequirement({ code, param, description, dueBy }: wire.Requirement): Requirement<string> {
  return { code, param: param ?? null, description, dueBy: dueBy ?? null };
}

/** Null for what is finer than a millisecond, which would not come back as it was sent. */
function toDate(sent: Timestamp | undefined): Date | null {
  return sent === undefined || sent.nanos % NANOS_PER_MS !== 0 ? null : timestampDate(sent);
}
