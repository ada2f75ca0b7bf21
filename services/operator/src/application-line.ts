import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { JsonFault, readJson } from '@pfq/kit/json';
import type { JsonValue } from '@pfq/kit/json';
import { Place } from '@pfq/kit/problems';
import type {
  IncomingApplicationSchema,
  PolicySchema,
  RequirementSchema,
} from '@pfq/proto/application/v1/application_pb';
import { exactly, flag, instant, list, money, nullable, number, pairs, record, text, wholeNumber } from './shapes.ts';
import type { Shape } from './shapes.ts';

export type IncomingApplication = MessageInitShape<typeof IncomingApplicationSchema>;

/** What a line holds, or all that is wrong with its form; what its values may be is the application service's to say. */
export type ApplicationLine =
  | { readonly application: IncomingApplication; readonly id: string; readonly agencyId: string }
  | { readonly problems: readonly string[] };

type Told<S> = S extends Shape<infer T> ? T : never;

/** A line with more problems than this is not a mistake but noise. */
const MAX_PROBLEMS = 20;

const policy = record({
  id: text,
  carrier: record({ name: nullable(text), match: text }),
  total: nullable(money),
  effective_date: nullable(text),
  expiration_date: nullable(text),
  document_type: nullable(text),
  policy_number: nullable(text),
});

const requirement = record({ code: text, param: nullable(text), description: text, due_by: nullable(text) });

const pricing = record({
  option_id: nullable(text),
  down_payment_rate: number,
  term_months: wholeNumber,
  apr: number,
  down_payment: money,
  amount_financed: money,
  monthly_payment: money,
  finance_charge: money,
  total_of_payments: money,
  total_cost: money,
  selected_by: text,
});

/** The public application, and the agency it belongs to. */
const application = record({
  agency_id: text,
  id: text,
  object: nullable(exactly('application')),
  livemode: flag,
  status: text,
  created_via: text,
  quote_id: nullable(text),
  accepted_option_id: nullable(text),
  pricing: nullable(pricing),
  insured: record({
    name: nullable(text),
    address: record({
      line1: nullable(text),
      city: nullable(text),
      state: nullable(text),
      postal_code: nullable(text),
    }),
  }),
  broker: record({ email: text }),
  policies: list(policy),
  requirements: record({ blocking: list(requirement), outstanding: list(requirement) }),
  portal_url: text,
  client_reference_id: nullable(text),
  metadata: nullable(pairs),
  created_at: instant,
});

/** Reads one line of an applications file. */
export function readApplicationLine(bytes: Uint8Array): ApplicationLine {
  const parsed = parseLine(bytes);
  if ('problems' in parsed) return parsed;
  const place = Place.whole('it');
  const told = application(parsed.json, place);
  if (told === undefined) return { problems: place.problems.slice(0, MAX_PROBLEMS).map(({ message }) => message) };
  return { application: toIncoming(told), id: told.id, agencyId: told.agency_id };
}

function parseLine(bytes: Uint8Array): { readonly json: JsonValue } | { readonly problems: readonly string[] } {
  try {
    return { json: readJson(bytes) };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return { problems: [`it is not valid JSON at character ${error.column}: ${error.problem}.`] };
  }
}

function toIncoming(told: Told<typeof application>): IncomingApplication {
  const { pricing: terms, insured, requirements } = told;
  return {
    agencyId: told.agency_id,
    livemode: told.livemode,
    application: {
      id: told.id,
      status: told.status,
      createdVia: told.created_via,
      ...withoutNulls({
        quoteId: told.quote_id,
        acceptedOptionId: told.accepted_option_id,
        clientReferenceId: told.client_reference_id,
      }),
      ...(terms && { pricing: toPricing(terms) }),
      insured: {
        ...withoutNulls({ name: insured.name }),
        address: withoutNulls({
          line1: insured.address.line1,
          city: insured.address.city,
          state: insured.address.state,
          postalCode: insured.address.postal_code,
        }),
      },
      brokerEmail: told.broker.email,
      policies: told.policies.map(toPolicy),
      blocking: requirements.blocking.map(toRequirement),
      outstanding: requirements.outstanding.map(toRequirement),
      portalUrl: told.portal_url,
      metadata: [...(told.metadata ?? [])],
      createdAt: timestampFromDate(told.created_at),
    },
  };
}

function toPricing(terms: Told<typeof pricing>) {
  return {
    ...withoutNulls({ optionId: terms.option_id }),
    downPaymentRate: terms.down_payment_rate,
    termMonths: terms.term_months,
    apr: terms.apr,
    downPayment: terms.down_payment,
    amountFinanced: terms.amount_financed,
    monthlyPayment: terms.monthly_payment,
    financeCharge: terms.finance_charge,
    totalOfPayments: terms.total_of_payments,
    totalCost: terms.total_cost,
    selectedBy: terms.selected_by,
  };
}

function toPolicy({ id, carrier, ...told }: Told<typeof policy>): MessageInitShape<typeof PolicySchema> {
  return {
    id,
    carrierMatch: carrier.match,
    ...withoutNulls({
      carrierName: carrier.name,
      total: told.total,
      effectiveDate: told.effective_date,
      expirationDate: told.expiration_date,
      documentType: told.document_type,
      policyNumber: told.policy_number,
    }),
  };
}

function toRequirement(told: Told<typeof requirement>): MessageInitShape<typeof RequirementSchema> {
  const { code, description } = told;
  return { code, description, ...withoutNulls({ param: told.param, dueBy: told.due_by }) };
}

/** What is null in public is absent on the wire. */
function withoutNulls<T extends Readonly<Record<string, string | null>>>(members: T): { [Name in keyof T]?: string } {
  const told: { [Name in keyof T]?: string } = {};
  for (const name in members) {
    const value = members[name];
    if (typeof value === 'string') told[name] = value;
  }
  return told;
}
